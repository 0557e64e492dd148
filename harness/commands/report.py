"""`python -m harness report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.commands.loading import Unmeasured
    from harness.results import Report

EPILOG = """\
examples:
  python -m harness report zero_copy.json
  python -m harness report result.json --format csv --output records.csv
  python -m harness report result.json --format html --output result.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="reports to show")
    parser.add_argument(
        "--format",
        choices=tuple(_FORMATS),
        default="text",
        help="html is one page with plots; csv has a line per inference; google-benchmark is "
        "that library's JSON; trace opens in Perfetto (default: %(default)s)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")


def main(args: argparse.Namespace) -> int:
    """Shows reports."""
    from harness import results
    from harness.commands import loading

    if args.output is not None:
        results.check_writable(args.output)
    contents = [loading.load(path) for path in args.files]
    reports = [report for found in contents for report in found.reports]
    unmeasured = [model for found in contents for model in found.unmeasured]
    rendered = _FORMATS[args.format](reports, unmeasured)
    if args.output is None:
        sys.stdout.write(rendered)
    else:
        results.write_text(args.output, rendered)
    return 0


def _html(reports: Sequence[Report], unmeasured: Sequence[Unmeasured]) -> str:
    from harness.bench import BenchResult
    from harness.report import html

    failed = [BenchResult(found.model, error=found.error) for found in unmeasured]
    return html.page([*html.grouped(reports), *failed])


def _text(reports: Sequence[Report], unmeasured: Sequence[Unmeasured]) -> str:
    from harness.report import text

    return "\n".join([*map(text.report, reports), *_failures(unmeasured)])


def _markdown(reports: Sequence[Report], unmeasured: Sequence[Unmeasured]) -> str:
    from harness.report import markdown

    return "\n".join([*map(markdown.report, reports), *_failures(unmeasured)])


def _failures(unmeasured: Sequence[Unmeasured]) -> Iterator[str]:
    from harness.report import rows

    for found in unmeasured:
        yield f"{rows.plain(found.model.stem)}: failed: {rows.plain(found.error.message)}\n"


# Formats for other programs have no place for a model without numbers.


def _csv(reports: Sequence[Report], _: Sequence[Unmeasured]) -> str:
    from harness.report import csv

    return csv.records(reports)


def _google_benchmark(reports: Sequence[Report], _: Sequence[Unmeasured]) -> str:
    from harness.report import google_benchmark

    return google_benchmark.document(reports)


def _trace(reports: Sequence[Report], _: Sequence[Unmeasured]) -> str:
    from harness.report import trace

    return trace.document(reports)


_FORMATS = {
    "text": _text,
    "markdown": _markdown,
    "csv": _csv,
    "html": _html,
    "google-benchmark": _google_benchmark,
    "trace": _trace,
}
