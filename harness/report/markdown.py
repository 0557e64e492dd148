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
    table = _table(rows.bench_rows(results), rows.BENCH_HEADERS)
    verdicts = [f"- {r.model.stem}: {r.comparison.verdict}" for r in results if r.comparison]
    return "\n".join([table, "", *verdicts]).strip() + "\n"


def comparison(found: Comparison) -> str:
    """A block for a review comment: verdict first, then where the time went."""
    headers = (*rows.BREAKDOWN_HEADERS, found.base.io_mode, found.new.io_mode)
    return (
        f"**{found.new.model_name}: {found.verdict}**\n\n{text.ratio_line(found)}\n\n"
        f"{_table(rows.breakdown_rows(found), headers)}\n\n{text.break_even_line(found)}\n"
    )


def report(single: Report) -> str:
    """The tensors of one report."""
    return _table(rows.tensor_rows(single), rows.TENSOR_HEADERS) + "\n"


def _table(cells: Sequence[rows.Row], headers: Sequence[str]) -> str:
    escaped = [tuple(cell.replace("|", r"\|") for cell in row) for row in cells]
    return tabulate(escaped, headers, tablefmt="github", disable_numparse=True)
