"""`python -m harness patch`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import InvalidRequestError

if TYPE_CHECKING:
    from harness.patching.report import Report, SeriesReport

EPILOG = """\
examples:
  python -m harness patch --executorch ../executorch --check
  python -m harness patch --executorch ../executorch
  python -m harness patch --executorch ../executorch --series vgf-backend --diff > vgf.patch
  python -m harness patch --executorch ../executorch --revert

exit codes: 1 if writing failed, 2 if a series does not fit; the tree is as before then
"""
_REFUSED = 2
_STATES = {
    "applicable": "can be applied",
    "partly_applied": "partly applied, the rest can be",
    "applied": "applied",
    "not_needed": "not needed, the tree has it",
    "refused": "refused",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument(
        "--executorch", type=Path, required=True, metavar="DIR", help="the checkout to change"
    )
    parser.add_argument(
        "--series",
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME",
        help="vgf-backend, portable-runner, arm-runner or all, with what they require; may be "
        "repeated (default: all)",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true", help="say what would be done, write nothing")
    group.add_argument("--revert", action="store_true", help="take the series away again")
    group.add_argument("--diff", action="store_true", help="print the series as a patch")
    parser.add_argument("--json", action="store_true", help="say the result as JSON")


def main(args: argparse.Namespace) -> int:
    """Checks, applies, reverts or prints."""
    from harness import patching

    if args.diff:
        if args.json:
            raise InvalidRequestError("--diff prints a patch; leave out --json")
        sys.stdout.buffer.write(patching.diff(args.executorch, args.series))
        return 0
    action = patching.check if args.check else patching.revert if args.revert else patching.apply
    try:
        report = action(args.executorch, args.series)
    except patching.RefusedError as error:
        if args.json:
            print(_json(error.report, error.refusals))
        raise
    refusals = tuple(line for one in report.series for line in one.refusals)
    if args.json:
        print(_json(report, refusals if args.check else ()))
    else:
        print("\n".join(_checked(report) if args.check else _done(report)))
    return _REFUSED if args.check and report.refused else 0


def _json(report: Report, refusals: tuple[str, ...]) -> str:
    return json.dumps({**report.as_json(), "refusals": list(refusals)}, indent=2)


def _checked(report: Report) -> Iterator[str]:
    yield f"ExecuTorch {report.version} in {report.folder}"
    for one in report.series:
        yield f"{one.name}: {_STATES[one.state]}; {_size(one)}"
        for edit in one.edits:
            state = edit.state.replace("_", " ")
            yield f"  {edit.file}: {state}{': ' * bool(edit.why)}{edit.why}"
        for line in one.refusals:
            yield f"  refused: {line}"


def _done(report: Report) -> Iterator[str]:
    verb = "reverted" if report.action == "revert" else "applied"
    changed = [one for one in report.series if one.changed]
    for one in changed:
        yield f"{one.name}: {verb}; {_size(one)}"
    if changed:
        yield f"{len(report.changed_files)} files changed in {report.folder}"
    elif report.action == "revert":
        yield f"nothing to revert in {report.folder}"
    else:
        yield f"applied already, nothing changed in {report.folder}"
    for edit in (edit for one in report.series for edit in one.edits):
        if edit.state == "not_needed":
            yield f"{edit.file}: left alone at {json.dumps(edit.anchor)}: the file has it already"


def _size(one: SeriesReport) -> str:
    return f"{_many(one.lines, 'line')} in {_many(one.edited_files, 'file')}, " + _many(
        one.new_files, "new file"
    )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
