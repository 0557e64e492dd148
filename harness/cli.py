"""The command line: finds the command, runs it, turns errors into exit codes."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from types import ModuleType

from harness import __version__
from harness.errors import HarnessError

PROGRAM = "python -m harness"

# Name: module with add_arguments() and main(), and one line of help.
COMMANDS = {
    "build": ("harness.commands.build", "configure and build the native part"),
    "bench": ("harness.commands.bench", "measure models: copy, zero-copy, or both compared"),
    "compare": ("harness.commands.compare", "put two reports side by side"),
    "report": ("harness.commands.report", "show reports as a page with plots, text, Markdown, CSV"),
    "doctor": ("harness.commands.doctor", "what this machine has, needs and lacks"),
    "bundle": ("harness.commands.bundle", "make a folder that measures on another machine"),
    "patch": ("harness.commands.patch", "edit an ExecuTorch checkout: the series in patches/"),
    "export": ("harness.export", "make the demo models (needs torch)"),
}

_DESCRIPTION = "Measures model-boundary I/O of ExecuTorch models on the Arm VGF backend."
_EPILOG = """\
examples:
  python -m harness build
  python -m harness bench
  python -m harness bench model.pte --inputs a.npy,b.bin --json result.json
  python -m harness compare copy.json zero_copy.json

exit codes: 0 done, 1 the run failed, 2 bad request, 3 the device cannot, 130 interrupted
"""
_BAD_REQUEST, _INTERRUPTED = 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        argv: The arguments; None for the program's own.
    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        args = _parse(words)
        code = int(args.main(args))
        sys.stdout.flush()
        return code
    except HarnessError as error:
        return _tell(error)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "harness":
            raise
        print(f"error: pip install {error.name}: the package is missing", file=sys.stderr)
        return _BAD_REQUEST
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of stdout is gone; Python must not fail again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    # Only the chosen command is imported: help and errors answer at once.
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == chosen:
            _fill(command, importlib.import_module(module))
    return parser.parse_args(words)


def _fill(parser: argparse.ArgumentParser, module: ModuleType) -> None:
    module.add_arguments(parser)
    parser.set_defaults(main=module.main)


def _tell(error: HarnessError) -> int:
    if error.detail:
        print(error.detail, file=sys.stderr)
    print(f"error: {error.message}", file=sys.stderr)
    return error.exit_code
