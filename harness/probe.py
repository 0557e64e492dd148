"""Prints what the library says of its build and of the devices, as JSON; run as a process of
its own by `doctor`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness import _ffi, _native
from harness.errors import HarnessError


def main(library: str) -> int:
    """Prints it; the reason of a failure goes to stderr, its exit code is returned."""
    try:
        opened = _ffi.open_library(Path(library))
        text = opened.text(opened.lib.vgfio_build_info())
        build = _native.parse_object(text, "the build information")
        print(json.dumps({"build": build, "passes": _native.probe_devices(opened)}))
    except HarnessError as error:
        print(error.message, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
