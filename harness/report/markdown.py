"""Markdown, for reviews and documents."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from harness.bench import BenchResult
from harness.compare import Comparison
from harness.report import rows, text
from harness.results import Report


def bench_table(results: Sequence[BenchResult]) -> str:
    """One row per model and mode, then a verdict per model."""
    lines = [text.device_line(results), "", _table(rows.bench_rows(results), rows.BENCH_HEADERS)]
    headers, parts = rows.bench_breakdown(results)
    if parts:
        lines += ["", _table(parts, headers)]
    items = [f"- {line}" for line in (*text.verdict_lines(results), *text.notes(results))]
    return "\n".join([*lines, "", *items]).strip() + "\n"


def comparison(found: Comparison) -> str:
    """A block for a review comment: verdict first, then where the time went."""
    headers = (*rows.BREAKDOWN_HEADERS, *text.column_names(found))
    lines = [f"**{rows.plain(found.new.model_name)}: {rows.verdict(found)}**"]
    lines += ["", text.ratio_line(found)]
    lines += ["", _table(rows.breakdown_rows(found), headers)]
    lines += ["", text.break_even_line(found)]
    remarks = [f"- {line}" for line in text.remarks(found)]
    return "\n".join([*lines, "", *remarks]).strip() + "\n"


def report(single: Report) -> str:
    """One report: its numbers and its tensors."""
    lines = [text.report_line(single)]
    summary = rows.summary_rows(single)
    if summary:
        lines += ["", _table(summary, rows.SUMMARY_HEADERS)]
    if single.tensors:
        lines += ["", _table(rows.tensor_rows(single), rows.TENSOR_HEADERS)]
    return "\n".join(lines) + "\n"


def _table(cells: Sequence[rows.Row], headers: Sequence[str]) -> str:
    escaped = [tuple(cell.replace("|", r"\|") for cell in row) for row in cells]
    return tabulate(escaped, headers, tablefmt="github", disable_numparse=True)
