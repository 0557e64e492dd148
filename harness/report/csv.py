"""CSV with one line per measured inference."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from harness import results
from harness.report.rows import plain
from harness.results import Report

_LEADING = ("model", "io_mode", "inference")


def records(reports: Sequence[Report]) -> str:
    """All measured records; the columns are the record fields, and what a record has not, or
    has as null, is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    fields = results.record_fields()
    writer.writerow((*_LEADING, *fields))
    for report in reports:
        for number, row in enumerate(report.document["iterations"]):
            cells = ("" if row.get(name) is None else row[name] for name in fields)
            writer.writerow((plain(report.model_name), report.io_mode, number, *cells))
    return out.getvalue()
