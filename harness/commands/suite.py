"""`python -m harness bench --config`: a suite of cases instead of single models."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness import locations
from harness.commands import arguments
from harness.errors import InvalidRequestError

if TYPE_CHECKING:
    from harness.bench import BenchResult

# Everything else stands in the file.
_ALLOWED = frozenset({"config", "report_dir", "restart", "strict", "library", "preset"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that belong to suites."""
    group = parser.add_argument_group("suite")
    group.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="run the cases of this TOML file into --report-dir, except those already there",
    )
    group.add_argument("--restart", action="store_true", help="run those again too")
    parser.set_defaults(suite_parser=parser)


def run(args: argparse.Namespace) -> tuple[Sequence[BenchResult], bool]:
    """Runs the suite.

    Returns:
        The results, and whether every case has one.
    Raises:
        InvalidRequestError: The file is wrong, or settings stand on the command line too.
    """
    _refuse_settings(args)
    if args.report_dir is None:
        raise InvalidRequestError("a suite needs a folder for its reports; name one: --report-dir")
    library = locations.find_library(arguments.library(args))
    from harness import progress, suite, suite_file

    cases = suite_file.load(args.config, library)
    with progress.bar() as report:
        results = suite.run(
            suite.Suite(args.config.name, cases, args.report_dir),
            restart=args.restart,
            progress=report,
        )
    return results, len(results) == len(cases)


def _refuse_settings(args: argparse.Namespace) -> None:
    parser: argparse.ArgumentParser = args.suite_parser
    for name, value in vars(args).items():
        if name in _ALLOWED or name in ("main", "suite_parser"):
            continue
        if value != parser.get_default(name) and value != []:
            flag = "models" if name == "models" else f"--{name.replace('_', '-')}"
            raise InvalidRequestError(f"{flag}: with --config, settings stand in {args.config}")
