"""`python -m harness bundle`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from harness import locations

EPILOG = """\
examples:
  python -m harness bundle --out /tmp/vgf-bench
  python -m harness bundle --out /tmp/vgf-bench --python-version 3.12 --thin

Copy the folder to the other machine and start run.sh there.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to make")
    parser.add_argument(
        "--preset",
        choices=locations.LIBRARY_PRESETS,
        default="release",
        help="build to take (default: %(default)s)",
    )
    parser.add_argument(
        "--python-version", metavar="X.Y", help="of the other machine (default: this one's)"
    )
    parser.add_argument(
        "--thin",
        action="store_true",
        help="leave out numpy and scipy, which the other machine has, and plotly",
    )
    parser.add_argument("--json", action="store_true", help="say the result as JSON")


def main(args: argparse.Namespace) -> int:
    """Makes the bundle; says where it is and how large."""
    from harness import bundle

    made = bundle.bundle(
        args.out,
        preset=args.preset,
        python_version=args.python_version,
        large_packages=not args.thin,
    )
    if args.json:
        print(json.dumps({"folder": str(made.folder), "files": made.files, "bytes": made.bytes}))
    else:
        print(
            f"{made.folder}: {made.files} files, {made.bytes / 2**20:.1f} MiB; start run.sh there"
        )
    return 0
