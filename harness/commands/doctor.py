"""`python -m harness doctor`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from harness.commands import arguments

if TYPE_CHECKING:
    from harness.doctor import Diagnosis

EPILOG = """\
examples:
  python -m harness doctor
  python -m harness doctor --json

exit codes: 0 a device can run models, 3 none can
"""
_NO_DEVICE = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    arguments.add_library(parser)
    parser.add_argument("--json", action="store_true", help="say the result as JSON")


def main(args: argparse.Namespace) -> int:
    """Looks at the machine and says what it found."""
    from harness import doctor

    diagnosis = doctor.diagnose(arguments.library(args))
    print(json.dumps(diagnosis.as_json(), indent=2) if args.json else _text(diagnosis))
    return 0 if diagnosis.can_run else _NO_DEVICE


def _text(diagnosis: Diagnosis) -> str:
    from tabulate import tabulate

    rows = [[c.group, c.name, c.state, c.found] for c in diagnosis.checks]
    lines = [tabulate(rows, headers=["", "what", "state", "found"], disable_numparse=True)]
    remedies = [f"  {c.name}: {c.remedy}" for c in diagnosis.checks if c.remedy]
    if remedies:
        lines += ["", "to do:", *remedies]
    usable = [d["name"] for d in diagnosis.devices if d["usable"]]
    lines += ["", f"can run models on: {', '.join(usable)}" if usable else "no device can run"]
    return "\n".join(lines)
