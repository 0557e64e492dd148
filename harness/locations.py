"""Where the native library and its header lie. Paths only; opens nothing."""

from __future__ import annotations

import os
from pathlib import Path

from harness.errors import InvalidRequestError

LIBRARY_NAME = "libvgf_io_bench.so"
HEADER_NAME = "vgf_io_bench.h"
LIBRARY_VARIABLE = "VGFIO_LIBRARY"

PRESETS = ("release", "debug", "sanitize", "no-stats")
"""Names of the builds."""
LIBRARY_PRESETS = ("release", "debug")
"""Those whose library a plain Python can load, the preferred one first: a sanitizer's
runtime has to be preloaded, and then VGFIO_LIBRARY names that library."""

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent
"""The source tree, where the package lies in one."""


def library_of(preset: str) -> Path:
    """Where the build of a preset puts the library."""
    return CHECKOUT / "build" / preset / "bin" / LIBRARY_NAME


def shipped_model(name: str) -> Path:
    """Where the package has the model of that name, if it ships it."""
    return PACKAGE / "models" / f"{name}.pte"


def find_library(path: Path | None = None) -> Path:
    """The library's file: `path`, else VGFIO_LIBRARY, else the first that is built.

    Raises:
        InvalidRequestError: There is none.
    """
    variable = os.environ.get(LIBRARY_VARIABLE, "")
    named = path or (Path(variable) if variable else None)
    if named is None:
        built = [file for file in map(library_of, LIBRARY_PRESETS) if file.is_file()]
        if built:
            return built[0]
        raise InvalidRequestError(
            f"{LIBRARY_NAME} is not built yet; build it with `python -m harness build`"
        )
    if named.is_file():
        return named.resolve()
    origin = "" if path else f", which {LIBRARY_VARIABLE} names"
    raise InvalidRequestError(
        f"there is no library {named}{origin}; build one with `python -m harness build`"
    )


def find_header(library: Path | None = None) -> Path:
    """The header to read: beside the library, in the installed package, or in the checkout."""
    folders = [PACKAGE, CHECKOUT / "native" / "include"]
    if library is not None:
        folders.insert(0, library.parent)
    for folder in folders:
        if (folder / HEADER_NAME).is_file():
            return folder / HEADER_NAME
    raise InvalidRequestError(
        f"{HEADER_NAME} is missing; install the package again or run from a checkout"
    )


def child_environment() -> dict[str, str]:
    """This program's environment for a Python process that has to find this package, wherever
    the program was started."""
    inherited = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(PACKAGE.parent), inherited))),
    }
