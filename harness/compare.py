"""Two reports side by side: may they be compared, and what does the difference mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness import statistics
from harness.errors import InvalidRequestError
from harness.results import Report
from harness.statistics import Ratio, Samples

# What must be the same in both reports, and may be allowed to differ by name.
IDENTITY = ("device", "driver", "model", "method", "inputs", "timing")


@dataclass(frozen=True)
class Comparison:
    """A baseline and another report of the same work."""

    base: Report
    new: Report
    ratio: Ratio | None
    """How many times faster the new one is; None where there is too little to say."""
    verdict: str
    base_breakdown: dict[str, float]
    """Mean nanoseconds of each part of the latency; they add up to its mean."""
    new_breakdown: dict[str, float]
    break_even: int | None
    """Inferences after which the new one's imports have paid; None if no saving was seen."""
    differences: tuple[str, ...]
    """Which of IDENTITY differ, where that was allowed."""

    @property
    def measures_hardware(self) -> bool:
        """Whether both ran on a GPU without emulation."""
        return self.base.measures_hardware and self.new.measures_hardware

    def slower_than(self, fraction: float) -> bool:
        """Whether the new report is slower by more than the fraction, its whole interval.

        Raises:
            InvalidRequestError: Too little was measured to tell.
        """
        if self.ratio is None or not self.ratio.decides:
            raise InvalidRequestError(
                f"too little was measured for a limit ({self.verdict}); run more --iterations "
                "and --blocks"
            )
        return self.ratio.interval.high < 1 / (1 + fraction)


def compare(base: Report, new: Report, allow_different: Collection[str] = ()) -> Comparison:
    """Compares two reports.

    Args:
        base: The one that the other is measured against.
        new: The other one.
        allow_different: Names of IDENTITY that may differ.
    Raises:
        InvalidRequestError: They did different work, or one failed or has nothing measured.
    """
    for report in (base, new):
        if report.status == "failed":
            raise InvalidRequestError(
                f"the report of {report.model_name} ({report.io_mode}) is of a failed run: "
                f"{report.error}; run it again"
            )
        if not report.document["iterations"]:
            raise InvalidRequestError(
                f"the report of {report.model_name} ({report.io_mode}) has no measured "
                f"inferences; its status is {report.status}"
            )
    differences = tuple(_differences(base, new))
    refused = [name for name in differences if name not in allow_different]
    if refused:
        raise InvalidRequestError(
            f"the reports differ in {', '.join(refused)}; compare runs of the same work, or say "
            f"--allow-different {refused[0]}"
        )
    ratio = _ratio(base, new)
    saved = 0.0
    if ratio is not None and ratio.differs:
        saved = float(np.median(base.column(base.timed)) - np.median(new.column(new.timed)))
    import_ns = float((new.document["init"] or {}).get("import_ns", 0))
    return Comparison(
        base=base,
        new=new,
        ratio=ratio,
        verdict=statistics.verdict(ratio, *_names(base, new)),
        base_breakdown=breakdown(base),
        new_breakdown=breakdown(new),
        break_even=statistics.break_even(import_ns, saved),
        differences=differences,
    )


def _names(base: Report, new: Report) -> tuple[str, str]:
    if base.io_mode == new.io_mode:
        return "the new run", "the baseline"
    return new.io_mode.replace("_", "-"), base.io_mode.replace("_", "-")


def _identity(report: Report) -> dict[str, Any]:
    device, model = report.device, report.document["model"]
    tensors = (report.document["io"] or {}).get("inputs", ())
    return {
        "device": (device.get("name"), device.get("emulated")),
        "driver": (device.get("driver_name"), device.get("driver_info")),
        "model": model.get("sha256"),
        "method": model.get("method"),
        "inputs": [tensor.get("sha256") for tensor in tensors],
        "timing": (report.timed, report.document["config"].get("pace") or 0),
    }


def _differences(base: Report, new: Report) -> Iterator[str]:
    left, right = _identity(base), _identity(new)
    for name in IDENTITY:
        if left[name] != right[name]:
            yield name


def _ratio(base: Report, new: Report) -> Ratio | None:
    run_id = base.document["config"].get("run_id")
    if run_id is not None and run_id == new.document["config"].get("run_id"):
        return statistics.paired_ratio(_pairs(base), _pairs(new))
    return statistics.unpaired_ratio(base.column(base.timed), new.column(new.timed))


def _pairs(report: Report) -> list[Samples]:
    """What is compared pair by pair: the blocks, or, where enough processes measured, the
    processes: blocks of one process have in common what differs between processes."""
    found = report.blocks_by_process()
    if len(found) >= statistics.MINIMUM_PAIRS:
        return [np.concatenate(blocks) for blocks in found]
    return [block for blocks in found for block in blocks]


def breakdown(report: Report) -> dict[str, float]:
    """Where the mean time of a report with measured inferences goes, in nanoseconds."""
    around = statistics.PARTS_AROUND if report.timed == "end_to_end_ns" else ()
    parts = {name: report.column(name) for name in (*around, *statistics.PARTS)}
    return statistics.breakdown(parts, report.column(report.timed))
