"""Records of many reports as one table of columns, for pandas and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness import results
from harness.results import Report

_COUNTED = ("model", "io_mode", "process", "block", "inference")


def records_table(reports: Sequence[Report]) -> dict[str, npt.NDArray[Any]]:
    """Every measured inference as a row.

        import harness, pandas
        from pathlib import Path

        reports = [harness.load_report(path) for path in Path("reports").glob("*.json")]
        table = pandas.DataFrame(harness.records_table(reports))
        table.groupby(["model", "io_mode"])["latency_ns"].median()

    Args:
        reports: In any order; a model and a mode may come several times.
    Returns:
        Columns, each of shape (inferences of all reports,): `model` and `io_mode` (text),
        `process`, `block` and `inference` (numbers from 0), and every field of a record that
        one of the reports has, as float64: times in nanoseconds, sizes in bytes, NaN where a
        record has null or no such field.
    """
    fields = [name for name in results.record_fields() if name not in _COUNTED]
    present = [name for name in fields if any(_has(report, name) for report in reports)]
    parts = [_columns(report, present) for report in reports]
    return {
        name: np.concatenate([part[name] for part in parts]) if parts else np.empty(0)
        for name in (*_COUNTED, *present)
    }


def _has(report: Report, field: str) -> bool:
    rows = report.document["iterations"]
    return bool(rows) and field in rows[0]


def _columns(report: Report, fields: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    count = len(report.document["iterations"])
    return {
        "model": np.full(count, report.model_name, object),
        "io_mode": np.full(count, report.io_mode, object),
        "process": report.processes(),
        "block": report.blocks(),
        "inference": np.arange(count),
        **{
            name: report.column(name) if _has(report, name) else np.full(count, np.nan)
            for name in fields
        },
    }
