"""`python -m harness report`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.results import Report

EPILOG = """\
examples:
  python -m harness report zero_copy.json
  python -m harness report result.json --format csv --output records.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="reports to show")
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "csv"),
        default="text",
        help="csv has a line per inference (default: %(default)s)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")


def main(args: argparse.Namespace) -> int:
    """Shows reports."""
    from harness import results
    from harness.commands import documents

    if args.output is not None:
        results.check_writable(args.output)
    reports = [report for path in args.files for report in documents.load_reports(path)]
    rendered = _render(reports, args.format)
    if args.output is None:
        sys.stdout.write(rendered)
    else:
        results.write_text(args.output, rendered)
    return 0


def _render(reports: list[Report], style: str) -> str:
    from harness.report import csv, markdown, text

    if style == "csv":
        return csv.records(reports)
    one = markdown.report if style == "markdown" else text.report
    return "\n".join(one(report) for report in reports)
