"""JSON as google/benchmark writes it, so that tools for that library read our results too.

The format: https://github.com/google/benchmark/blob/main/docs/user_guide.md#output-formats.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from typing import Any

import numpy as np
import numpy.typing as npt

from harness import results
from harness.report.rows import COUNTERS, mode_name, plain
from harness.results import Report
from harness.statistics import Samples

# A report without blocks is cut into that many: tools compare repetitions.
_REPETITIONS = 10


def document(reports: Sequence[Report]) -> str:
    """A repetition per block of inferences, and the aggregates over them.

    `real_time` is the mean time of an inference of the block, `cpu_time` what is left of it
    without waiting (for the device, and for a late start), both in microseconds.
    """
    measured = [report for report in reports if report.document["iterations"]]
    return results.to_json(
        {
            "context": _context(reports),
            "benchmarks": [
                entry
                for family, report in enumerate(measured)
                for entry in _entries(report, family)
            ],
        }
    )


def _context(reports: Sequence[Report]) -> dict[str, Any]:
    host = (reports[0].document["host"] or {}) if reports else {}
    tool = reports[0].document["tool"] if reports else {}
    build = "debug" if str(tool.get("build_type", "")).lower() == "debug" else "release"
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "host_name": socket.gethostname(),
        "executable": f"{tool.get('name', '')} {tool.get('version', '')}".strip(),
        "num_cpus": host.get("cores") or 0,
        "mhz_per_cpu": 0,
        "cpu_scaling_enabled": host.get("governor") not in (None, "performance"),
        "caches": [],
        "load_avg": host.get("load_average") or [],
        "library_build_type": build,
        "device": plain(str(reports[0].device.get("name", ""))) if reports else "",
    }


def _entries(report: Report, family: int) -> Iterator[dict[str, Any]]:
    name = f"{plain(report.model_name)}/{mode_name(report.io_mode)}"
    blocks = _blocks(report)
    latency = report.column(report.timed) / 1e3
    waiting = ("submit_wait_ns", "late_ns") if report.timed != "latency_ns" else ("submit_wait_ns",)
    working = latency - sum(report.column(part) for part in waiting) / 1e3
    real = np.array([np.mean(latency[block]) for block in blocks])
    cpu = np.array([np.mean(working[block]) for block in blocks])
    common = {
        "family_index": family,
        "per_family_instance_index": 0,
        "run_name": name,
        "repetitions": len(blocks),
        "threads": 1,
        "time_unit": "us",
    }
    for index, block in enumerate(blocks):
        yield {
            "name": name,
            **common,
            "run_type": "iteration",
            "repetition_index": index,
            "iterations": len(block),
            "real_time": float(real[index]),
            "cpu_time": float(cpu[index]),
            **{counter: float(np.mean(report.column(counter)[block])) for counter in COUNTERS},
        }
    for aggregate, of in _AGGREGATES.items():
        yield {
            "name": f"{name}_{aggregate}",
            **common,
            "run_type": "aggregate",
            "aggregate_name": aggregate,
            "aggregate_unit": "percentage" if aggregate == "cv" else "time",
            "iterations": len(blocks),
            "real_time": of(real),
            "cpu_time": of(cpu),
        }


def _blocks(report: Report) -> list[npt.NDArray[np.int64]]:
    """Indices of the inferences of each block, of one process after the other."""
    blocks = report.blocks()
    numbers = report.processes() * (blocks.max() + 1) + blocks
    _, block = np.unique(numbers, return_inverse=True)
    pieces = int(block.max()) + 1
    if pieces == 1:
        return np.array_split(np.arange(block.size), min(_REPETITIONS, block.size))
    return [np.flatnonzero(block == number) for number in range(pieces)]


def _spread(samples: Samples) -> float:
    return float(np.std(samples, ddof=1)) if samples.size > 1 else 0.0


def _relative_spread(samples: Samples) -> float:
    mean = float(np.mean(samples))
    return _spread(samples) / mean if mean else 0.0


_AGGREGATES = {
    "mean": lambda samples: float(np.mean(samples)),
    "median": lambda samples: float(np.median(samples)),
    "stddev": _spread,
    "cv": _relative_spread,
}
