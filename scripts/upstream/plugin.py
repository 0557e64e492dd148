"""pytest plugin for ExecuTorch's VGF tests: what the wheel leaves out, and what failed.

The tests themselves run unchanged. Two environment variables tell it what to do:
`VGFIO_GLSL_ASSETS`, a folder with the GLSL files that only a source checkout has, and
`VGFIO_SELECTION`, a file with the node ids to keep, one a line (`#` begins a comment).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

_HELPER = "_custom_vgf_test_utils"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps what is selected, and tells the tests where the GLSL files are."""
    assets = os.environ.get("VGFIO_GLSL_ASSETS")
    for name, module in list(sys.modules.items()):
        if assets and name.endswith(_HELPER):
            module._ASSET_DIR = Path(assets)  # type: ignore[attr-defined]

    selection = os.environ.get("VGFIO_SELECTION")
    if selection:
        lines = Path(selection).read_text("utf-8").splitlines()
        wanted = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
        kept = [item for item in items if _short(item.nodeid) in wanted]
        missing = wanted - {_short(item.nodeid) for item in kept}
        if missing:
            raise pytest.UsageError(
                f"{selection} names tests that are not there: {sorted(missing)}"
            )
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def _short(nodeid: str) -> str:
    """The node id from the test file's folder on: `ops/test_add.py::test_x[y]`."""
    path, separator, rest = nodeid.partition("::")
    return "/".join(Path(path).parts[-2:]) + separator + rest
