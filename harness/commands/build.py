"""`python -m harness build`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from harness import locations
from harness.commands import arguments

if TYPE_CHECKING:
    from harness import build

EPILOG = """\
examples:
  python -m harness build
  python -m harness build --preset debug --tests --jobs 2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument(
        "--preset",
        choices=locations.PRESETS,
        default="release",
        help="what to build (default: %(default)s)",
    )
    parser.add_argument("--tests", action="store_true", help="build the native tests too")
    parser.add_argument(
        "--jobs", type=arguments.positive, metavar="N", help="compilations at a time (all cores)"
    )
    parser.add_argument("--json", action="store_true", help="say the result as JSON")


def main(args: argparse.Namespace) -> int:
    """Builds; says what was found and what was made."""
    from harness import build, progress

    with progress.bar() as report:
        result = build.build(args.preset, tests=args.tests, jobs=args.jobs, progress=report)
    print(_json(result) if args.json else _text(result))
    return 0


def _text(result: build.BuildResult) -> str:
    width = max(len(item.name) for item in result.requirements)
    lines = [f"{item.name:<{width}}  {item.found}" for item in result.requirements]
    verb = "built" if result.changed else "up to date:"
    lines.append(f"{verb} {result.preset} in {result.folder} ({result.seconds:.1f} s)")
    lines += [f"  {path.name}" for path in result.programs]
    return "\n".join(lines)


def _json(result: build.BuildResult) -> str:
    return json.dumps(
        {
            "preset": result.preset,
            "folder": str(result.folder),
            "library": None if result.library is None else str(result.library),
            "programs": [str(path) for path in result.programs],
            "found": {item.name: item.found for item in result.requirements},
            "changed": result.changed,
            "seconds": round(result.seconds, 3),
        },
        indent=2,
    )
