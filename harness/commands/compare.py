"""`python -m harness compare`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.commands import arguments
from harness.errors import InvalidRequestError

if TYPE_CHECKING:
    from harness.compare import Comparison
    from harness.results import Report

EPILOG = """\
examples:
  python -m harness compare copy.json zero_copy.json
  python -m harness compare result.json            (a bench of one model in both modes)
  python -m harness compare last_week.json today.json --fail-above 3%

exit codes: 1 if --fail-above is exceeded, 2 if the reports may not be compared
"""
_TOO_SLOW = 1
_PAIR = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="baseline, then new")
    parser.add_argument(
        "--allow-different",
        action="append",
        default=[],
        metavar="KEY",
        help="accept a difference in device, driver, model, method or inputs; may be repeated",
    )
    parser.add_argument(
        "--fail-above",
        type=arguments.percentage,
        metavar="PERCENT",
        help="exit 1 if the new one is slower by more, the whole interval",
    )
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    parser.add_argument("--json", action="store_const", const="json", dest="format",
                        help="short for --format json")  # fmt: skip


def main(args: argparse.Namespace) -> int:
    """Compares, shows, judges."""
    from harness import compare
    from harness.commands import loading

    unknown = [key for key in args.allow_different if key not in compare.IDENTITY]
    if unknown:
        raise InvalidRequestError(
            f"--allow-different {unknown[0]}: known are {', '.join(compare.IDENTITY)}"
        )
    reports = [report for path in args.files for report in loading.load(path).reports]
    base, new = _pair(args.files, reports)
    found = compare.compare(base, new, args.allow_different)
    sys.stdout.write(_render(found, args.format))
    if args.fail_above is not None and found.slower_than(args.fail_above):
        print(f"error: slower by more than {args.fail_above:.1%}", file=sys.stderr)
        return _TOO_SLOW
    return 0


def _pair(files: Sequence[Path], reports: Sequence[Report]) -> tuple[Report, Report]:
    if len(reports) != _PAIR:
        names = ", ".join(map(str, files))
        raise InvalidRequestError(f"two reports are compared; {names} together hold {len(reports)}")
    return reports[0], reports[1]


def _render(found: Comparison, style: str) -> str:
    from harness import results
    from harness.commands import documents
    from harness.report import markdown, text

    if style == "json":
        return results.to_json(documents.comparison(found))
    return markdown.comparison(found) if style == "markdown" else text.comparison(found)
