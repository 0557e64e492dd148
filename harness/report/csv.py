"""CSV with one line per measured inference."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from harness.results import Report

_LEADING = ("model", "io_mode", "inference")


def records(reports: Sequence[Report]) -> str:
    """All measured records; the columns are the record fields, null is an empty cell."""
    out = io.StringIO()
    fields: tuple[str, ...] = ()
    writer = csv.writer(out, lineterminator="\n")
    for report in reports:
        for number, row in enumerate(report.document["iterations"]):
            if not fields:
                fields = tuple(row)
                writer.writerow((*_LEADING, *fields))
            cells = ("" if row.get(name) is None else row[name] for name in fields)
            writer.writerow((report.model_name, report.io_mode, number, *cells))
    return out.getvalue()
