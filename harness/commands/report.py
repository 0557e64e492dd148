"""`python -m harness report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from harness.commands import documents

    if args.output is not None:
        results.check_writable(args.output)
    reports = [report for path in args.files for report in documents.load_reports(path)]
    rendered = _FORMATS[args.format](reports)
    if args.output is None:
        sys.stdout.write(rendered)
    else:
        results.write_text(args.output, rendered)
    return 0


def _html(reports: Sequence[Report]) -> str:
    from harness.report import html

    return html.page_of_reports(reports)


def _csv(reports: Sequence[Report]) -> str:
    from harness.report import csv

    return csv.records(reports)


def _text(reports: Sequence[Report]) -> str:
    from harness.report import text

    return "\n".join(text.report(report) for report in reports)


def _markdown(reports: Sequence[Report]) -> str:
    from harness.report import markdown

    return "\n".join(markdown.report(report) for report in reports)


def _google_benchmark(reports: Sequence[Report]) -> str:
    from harness.report import google_benchmark

    return google_benchmark.document(reports)


def _trace(reports: Sequence[Report]) -> str:
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
