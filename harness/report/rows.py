"""The cells that text, Markdown and CSV share: one place for units and rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness import statistics
from harness.bench import BenchResult
from harness.compare import Comparison, breakdown
from harness.results import Report

BENCH_HEADERS = (
    "model",
    "I/O",
    "latency (us)",
    "95 % interval",
    "device (us)",
    "memcpy (us)",
    "copied",
    "zero-copy",
    "speed-up",
)
TENSOR_HEADERS = ("delegate", "tensor", "path", "bytes", "memory", "reason", "what to change")
SUMMARY_HEADERS = ("time (us)", "median", "mad", "mean", "min", "max", "p90", "p95", "p99")
BREAKDOWN_HEADERS = ("part of the mean latency (us)",)

_MEMORY_FLAGS = ("device-local", "host-visible", "coherent", "cached", "lazy")
PART_NAMES = {
    "late_ns": "late start",
    "fill_ns": "fill inputs",
    "in_memcpy_ns": "memcpy in",
    "out_memcpy_ns": "memcpy out",
    "import_ns": "imports",
    "binding_refresh_ns": "binding refresh",
    "submit_wait_ns": "submit and wait",
    "read_ns": "read outputs",
    "rest": "rest",
}

# Record fields that say of an inference what crossed the boundary how.
COUNTERS = (
    "in_copy_bytes",
    "out_copy_bytes",
    "in_zero_copy_bytes",
    "out_zero_copy_bytes",
    "imports",
    "fallback_count",
)

Row = tuple[str, ...]


def microseconds(nanoseconds: float | None) -> str:
    """Three significant digits, or a dash."""
    if nanoseconds is None or np.isnan(nanoseconds):
        return "-"
    value = nanoseconds / 1e3
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def byte_size(count: float) -> str:
    """With a binary unit."""
    value = float(count)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"


def mode_name(mode: str) -> str:
    """As people write it."""
    return mode.replace("_", "-")


def plain(text: str) -> str:
    """Fit for a table: a path may hold line breaks and bytes that are no text."""
    printable = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in printable)


def model_name(result: BenchResult) -> str:
    """Its label, or the model's file name without its ending."""
    return plain(result.label or result.model.stem)


def device_mark(report: Report) -> str:
    """What makes its times none of a GPU: "emulated", "CPU", or nothing."""
    if report.measures_hardware or not report.device:
        return ""
    return "emulated" if report.device["emulated"] else "CPU"


def verdict(comparison: Comparison) -> str:
    """The verdict, with a mark where it says nothing about hardware."""
    mark = device_mark(comparison.base) or device_mark(comparison.new)
    return f"{comparison.verdict} ({mark})" if mark else comparison.verdict


def bench_rows(results: Sequence[BenchResult]) -> list[Row]:
    """One row per model and mode, and one for a failed model."""
    rows: list[Row] = []
    for result in results:
        if result.error is not None:
            rows.append((model_name(result), "failed", *["-"] * 6, ""))
            continue
        for report in result.reports.values():
            rows.append((model_name(result), *_mode_cells(report, result.comparison)))
    return rows


def bench_breakdown(results: Sequence[BenchResult]) -> tuple[Row, list[Row]]:
    """Where the mean time goes: headers, and a row per model and mode; the last cell is the
    sum. A part that no report has is left out."""
    reports = [(result, report) for result in results for report in result.reports.values()]
    found = [
        (model_name(result), mode_name(report.io_mode), breakdown(report))
        for result, report in reports
        if result.error is None and report.document["iterations"]
    ]
    parts = [part for part in PART_NAMES if any(part in times for _, _, times in found)]
    rows = [
        (model, mode, *(microseconds(times.get(part, 0.0)) for part in parts), _sum(times))
        for model, mode, times in found
    ]
    return ("model", "mean (us) of", *(PART_NAMES[part] for part in parts), "sum"), rows


def _sum(times: Mapping[str, float]) -> str:
    return microseconds(sum(times.values()))


def _mode_cells(report: Report, comparison: Comparison | None) -> Row:
    latency = report.column(report.timed)
    interval = statistics.median_interval(latency)
    copied = report.column("in_copy_bytes") + report.column("out_copy_bytes")
    shared = report.column("in_zero_copy_bytes") + report.column("out_zero_copy_bytes")
    memcpy = report.column("in_memcpy_ns") + report.column("out_memcpy_ns")
    if latency.size == 0:
        return (_mode_cell(report), *["-"] * 6, report.status)
    return (
        _mode_cell(report),
        microseconds(float(np.median(latency))),
        _interval(interval),
        microseconds(device_time(report)),
        microseconds(float(np.median(memcpy))),
        byte_size(np.median(copied)),
        byte_size(np.median(shared)),
        _speed_up(report, comparison),
    )


def _mode_cell(report: Report) -> str:
    """The mode, and how much of it was a copy all the same."""
    name = mode_name(report.io_mode)
    copied = [tensor for tensor in report.tensors if tensor["path"] == "copy"]
    if report.io_mode == "copy" or not copied:
        return name
    reasons = ", ".join(dict.fromkeys(tensor["reason"] for tensor in copied))
    return f"{name} ({len(copied)} of {len(report.tensors)} copied: {reasons})"


def _interval(interval: statistics.Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{microseconds(interval.low)} to {microseconds(interval.high)}"


def _speed_up(report: Report, comparison: Comparison | None) -> str:
    if comparison is None or comparison.ratio is None:
        return ""
    if report is comparison.base:
        return "1"
    if report is not comparison.new:
        return ""
    mark = device_mark(report)
    return f"{comparison.ratio.interval.estimate:.2f}" + (f" ({mark})" if mark else "")


def device_time(report: Report) -> float | None:
    """Median device time of the profiling pass, in ns; None without one."""
    profile = report.document["profile"]
    summary = profile["summary"]["gpu_ns"] if profile else None
    return float(summary["median"]) if summary else None


def summary_rows(report: Report) -> list[Row]:
    """Statistics of every time that was taken, in microseconds; none without inferences."""
    summary = dict(report.document["summary"] or {})
    profile = report.document["profile"]
    if profile:
        summary["gpu_ns"] = profile["summary"]["gpu_ns"]
    rows: list[Row] = []
    for metric, found in summary.items():
        if metric.endswith("_ns") and found and found["max"]:
            cells = (microseconds(found[name]) for name in SUMMARY_HEADERS[1:])
            rows.append((metric.removesuffix("_ns").replace("_", " "), *cells))
    return rows


def tensor_rows(report: Report) -> list[Row]:
    """Path and reason of every delegate tensor."""
    return [
        (
            str(tensor["delegate"]),
            f"{tensor['direction']} {tensor['index']}",
            mode_name(tensor["path"]),
            byte_size(tensor["bytes"]),
            memory_name(tensor),
            "" if tensor["reason"] == "none" else f"{tensor['reason']} {tensor['detail'] or ''}",
            tensor["remedy"] or "",
        )
        for tensor in report.tensors
    ]


def memory_name(tensor: Mapping[str, Any]) -> str:
    """Type and flags of the memory behind a tensor."""
    if tensor["memory_type"] < 0:
        return "-"
    flags = [name for bit, name in enumerate(_MEMORY_FLAGS) if tensor["memory_flags"] >> bit & 1]
    owner = "caller's" if tensor["imported"] else "session's"
    return f"{owner}, type {tensor['memory_type']} ({', '.join(flags)})"


def breakdown_rows(comparison: Comparison) -> list[Row]:
    """Where the mean latency goes, one column per report; the last row is the sum."""
    both = comparison.base_breakdown, comparison.new_breakdown
    rows: list[Row] = []
    for part, name in PART_NAMES.items():
        if any(part in times for times in both):
            rows.append((name, *(microseconds(times.get(part, 0.0)) for times in both)))
    rows.append(("sum", *map(_sum, both)))
    return rows
