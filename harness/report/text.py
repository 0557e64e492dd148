"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabulate import tabulate

from harness.bench import BenchResult
from harness.compare import Comparison
from harness.report import rows
from harness.results import Report

# Warnings about the device are one line for all, and a first run is slow everywhere.
_SAID_ELSEWHERE = frozenset({"emulated_device", "cpu_device", "slow_first_run"})
_END_TO_END = (
    "Latency is from end to end: from the scheduled start (--pace) or the filling of the inputs "
    "until the outputs are read."
)
_EMULATION = "Times are from emulation or a CPU device: ratios only, no verdict on hardware."


def bench_table(results: Sequence[BenchResult]) -> str:
    """One row per model and mode, where the time goes, a verdict per model, and warnings."""
    lines = [device_line(results), ""]
    lines.append(_table(rows.bench_rows(results), rows.BENCH_HEADERS))
    headers, parts = rows.bench_breakdown(results)
    if parts:
        lines += ["", _table(parts, headers)]
    lines.append("")
    lines += verdict_lines(results)
    lines += notes(results)
    return "\n".join(lines).strip() + "\n"


def comparison(found: Comparison) -> str:
    """Verdict, breakdown and tensors of two reports."""
    headers = (*rows.BREAKDOWN_HEADERS, *column_names(found))
    lines = [rows.verdict(found)]
    if found.ratio is not None:
        lines.append(ratio_line(found))
    lines += ["", _table(rows.breakdown_rows(found), headers)]
    lines += ["", break_even_line(found), *remarks(found)]
    return "\n".join(lines).strip() + "\n"


def remarks(found: Comparison) -> Iterator[str]:
    """What to know about a comparison."""
    if found.differences:
        yield f"The reports differ in: {', '.join(found.differences)}."
    for single in (found.base, found.new):
        if single.status != "complete":
            yield f"The report of {rows.mode_name(single.io_mode)} is {single.status}."
    if not found.measures_hardware:
        yield _EMULATION
    yield from _warning_lines([found.base, found.new])


def report(single: Report) -> str:
    """One report: its numbers, its tensors, its warnings."""
    lines = [report_line(single), ""]
    summary = rows.summary_rows(single)
    if summary:
        lines += [_table(summary, rows.SUMMARY_HEADERS), ""]
    if single.tensors:
        lines += [_table(rows.tensor_rows(single), rows.TENSOR_HEADERS), ""]
    lines += _warning_lines([single])
    return "\n".join(lines).strip() + "\n"


def ratio_line(found: Comparison) -> str:
    """The ratio of a comparison with its interval and how it was found."""
    if found.ratio is None:
        return "no ratio"
    interval = found.ratio.interval
    how = f"{found.ratio.pairs} pairs of blocks" if found.ratio.pairs else "two separate runs"
    return (
        f"ratio {interval.estimate:.3f}, 95 % interval {interval.low:.3f} to "
        f"{interval.high:.3f}, p = {found.ratio.p_value:.2g} ({how})"
    )


def break_even_line(found: Comparison) -> str:
    """When the imports of the new report have paid."""
    imports = (found.new.document["init"] or {}).get("import_ns", 0)
    if not imports:
        return "No imports to pay for."
    cost = f"Imports cost {rows.microseconds(imports)} us once"
    if found.break_even is None:
        return f"{cost}; no saving was seen."
    plural = "" if found.break_even == 1 else "s"
    return f"{cost}, paid back after {found.break_even} inference{plural}."


def column_names(found: Comparison) -> tuple[str, str]:
    """What tells the two reports apart."""
    names = rows.mode_name(found.base.io_mode), rows.mode_name(found.new.io_mode)
    return names if names[0] != names[1] else ("baseline", "new")


def report_line(single: Report) -> str:
    """Model, mode, how the run ended, and where it ran."""
    head = f"{rows.plain(single.model_name)}, {rows.mode_name(single.io_mode)}, {single.status}"
    head += f": {rows.plain(single.error)}" if single.error else ""
    return f"{head}; on {_device_name(single)}" if single.device else head


def device_line(results: Sequence[BenchResult]) -> str:
    """The device that the results are from; empty if there was none."""
    for result in results:
        for found in result.reports.values():
            if found.device:
                return _device_name(found)
    return ""


def _device_name(found: Report) -> str:
    emulated = ", emulated VK_ARM_*" if found.device["emulated"] else ""
    return f"{found.device['name']} ({found.device['driver_info']}{emulated})"


def verdict_lines(results: Sequence[BenchResult]) -> Iterator[str]:
    """What each comparison means, and why models failed."""
    for result in results:
        if result.error is not None:
            yield f"{rows.model_name(result)}: failed: {rows.plain(result.error.message)}"
        elif result.comparison is not None:
            yield f"{rows.model_name(result)}: {rows.verdict(result.comparison)}"


def notes(results: Sequence[BenchResult]) -> Iterator[str]:
    """What to know about the numbers."""
    reports = [found for result in results for found in result.reports.values()]
    if any(found.timed == "end_to_end_ns" for found in reports):
        yield _END_TO_END
    if any(rows.device_mark(found) for found in reports):
        yield _EMULATION
    yield from _warning_lines(reports)


def _warning_lines(reports: Sequence[Report]) -> Iterator[str]:
    """One line per kind of warning and remedy; the numbers are those of the first report."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for single in reports:
        name = f"{rows.plain(single.model_name)}, {rows.mode_name(single.io_mode)}"
        for warning in single.document["warnings"]:
            if warning["code"] not in _SAID_ELSEWHERE:
                key = warning["code"], warning["remedy"]
                found.setdefault(key, []).append((name, warning["message"]))
    for (_, remedy), ((name, message), *others) in found.items():
        more = f" and {len(others)} more" if others else ""
        yield f"warning ({name}{more}): {message}; {remedy}"


def _table(cells: Sequence[rows.Row], headers: Sequence[str]) -> str:
    return tabulate(cells, headers, disable_numparse=True)
