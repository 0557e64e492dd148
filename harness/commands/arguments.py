"""Types and groups of arguments that several commands share."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from harness import locations

IO_MODES = ("copy", "zero-copy", "staged", "lend")
WAITS = ("adaptive", "fence", "spin")
COPY_MEMORIES = ("auto", "cached", "uncached", "device-local")


def io_modes(text: str) -> tuple[str, ...]:
    """I/O modes from a comma-separated list; each at most once."""
    names = tuple(name.strip() for name in text.split(","))
    known = (*IO_MODES, "auto")
    wrong = [name for name in names if name.replace("_", "-") not in known]
    if wrong or len(set(names)) != len(names):
        raise argparse.ArgumentTypeError(
            f"{text!r}: name each of {', '.join(known)} at most once, separated by commas"
        )
    return names


def positive(text: str) -> int:
    """An integer of at least 1."""
    return _integer(text, 1)


def not_negative(text: str) -> int:
    """An integer of at least 0."""
    return _integer(text, 0)


def alignment(text: str) -> int:
    """0, or a power of two of at least 64."""
    value = _integer(text, 0)
    if value != 0 and (value < 64 or value & (value - 1)):
        raise argparse.ArgumentTypeError(f"{text} is neither 0 nor a power of two of at least 64")
    return value


def seconds(text: str) -> float:
    """A time above 0, such as "0.5" or "0.5s"."""
    return _positive_number(text.removesuffix("s"), text)


def rate(text: str) -> float:
    """A number per second above 0."""
    return _positive_number(text, text)


def percentage(text: str) -> float:
    """A share, such as "3%" or "3", as a fraction: 0.03."""
    try:
        value = float(text.removesuffix("%")) / 100
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage, such as 3%") from None
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is out of range")
    return value


def command(text: str) -> tuple[str, ...]:
    """A program with its arguments, as a shell splits them."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no command: {error}") from None
    if not words:
        raise argparse.ArgumentTypeError("an empty command; name a program")
    return words


def add_runner(parser: argparse.ArgumentParser) -> None:
    """Adds what makes a runner built elsewhere measure instead of the native library."""
    group = parser.add_argument_group("a runner built elsewhere")
    group.add_argument(
        "--runner",
        type=Path,
        metavar="FILE",
        help="measure with processes of this executor_runner, copy and zero-copy in turn",
    )
    group.add_argument(
        "--launcher",
        type=command,
        default=(),
        metavar="CMD",
        help='what starts it, such as "qemu-aarch64-static -L /usr/aarch64-linux-gnu"',
    )


def add_library(parser: argparse.ArgumentParser) -> None:
    """Adds what picks the native library."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--runner-lib",
        "--library",
        dest="library",
        type=Path,
        metavar="FILE",
        help="the native library, perhaps built elsewhere (default: the built one)",
    )
    group.add_argument(
        "--preset",
        choices=locations.LIBRARY_PRESETS,
        help="the library of this build (default: the first that is built)",
    )


def library(args: argparse.Namespace) -> Path | None:
    """The library that the arguments of `add_library()` name; None to look for it."""
    if args.preset is None:
        named: Path | None = args.library
        return named
    return locations.find_library(locations.library_of(args.preset))


def _positive_number(digits: str, text: str) -> float:
    try:
        value = float(digits)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is out of range; above 0")
    return value


def _integer(text: str, minimum: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer") from None
    if value < minimum:
        raise argparse.ArgumentTypeError(f"{value} is too small; at least {minimum}")
    return value
