"""The JSON files that commands write: one report, or the results of a bench."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from harness import results

if TYPE_CHECKING:
    from harness.bench import BenchResult
    from harness.compare import Comparison
    from harness.results import Report


def single(finished: Sequence[BenchResult]) -> str:
    """The report of a bench of one model in one mode."""
    (report,) = finished[0].reports.values()
    return results.to_json(report.document)


def several(finished: Sequence[BenchResult]) -> str:
    """Every model with its reports, its comparison, or the error that ended it."""
    return results.to_json({"results": [_result(result) for result in finished]})


def comparison(found: Comparison) -> dict[str, Any]:
    """What a comparison found, without the reports themselves."""
    return {
        "base": found.base.io_mode,
        "new": found.new.io_mode,
        "verdict": found.verdict,
        "ratio": None if found.ratio is None else asdict(found.ratio),
        "base_breakdown_ns": found.base_breakdown,
        "new_breakdown_ns": found.new_breakdown,
        "break_even_inferences": found.break_even,
        "differences": list(found.differences),
        "measures_hardware": found.measures_hardware,
    }


def report_names(finished: Sequence[BenchResult]) -> Iterator[tuple[str, Report]]:
    """A file name for each report: model and mode, numbered where models share a name."""
    used: set[str] = set()
    for result in finished:
        for mode, report in result.reports.items():
            stem = re.sub(r"[^\w.-]", "_", f"{result.model.stem}-{mode}")
            name, number = f"{stem}.json", 1
            while name in used:
                number += 1
                name = f"{stem}-{number}.json"
            used.add(name)
            yield name, report


def _result(result: BenchResult) -> dict[str, Any]:
    return {
        "model": str(result.model),
        "error": None if result.error is None else result.error.message,
        "exit_code": 0 if result.error is None else result.error.exit_code,
        "interrupted": result.interrupted,
        "comparison": None if result.comparison is None else comparison(result.comparison),
        "reports": {mode: report.document for mode, report in result.reports.items()},
    }
