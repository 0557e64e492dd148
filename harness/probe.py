"""Prints the library's list of devices as JSON; run as a process of its own by `doctor`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness import _ffi, _native
from harness.errors import HarnessError


def main(library: str) -> int:
    """Prints the list; the reason of a failure goes to stderr, its exit code is returned."""
    try:
        print(json.dumps(_native.probe_devices(_ffi.open_library(Path(library)))))
    except HarnessError as error:
        print(error.message, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
