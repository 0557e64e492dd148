"""What of Vulkan is installed, as the loader would find it, without opening it."""

from __future__ import annotations

import ctypes.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.check import Check

_LAYER_PATH = "ET_VGF_LAYER_PATH"
_LAYERS_VARIABLE = "VK_INSTANCE_LAYERS"
# In the order in which they have to be: the graph layer makes tensors of its own.
_LAYERS = {
    "VK_LAYER_ML_Graph_Emulation": "VkLayer_Graph.json",
    "VK_LAYER_ML_Tensor_Emulation": "VkLayer_Tensor.json",
}
_LOAD_SECONDS = 60


def checks(library: Path | None) -> Iterator[Check]:
    """Loader, drivers, layers.

    Args:
        library: The native library, which looks for the layers beside itself; None if there
            is none.
    """
    yield _loader()
    yield from _driver_checks()
    yield from _layer_checks(library)


def _loader() -> Check:
    name = "libvulkan.so.1"
    remedy = "install the Debian package libvulkan1"
    error = _load_error(name)
    if error:
        return Check("vulkan", "loader", "missing", error, remedy)
    return Check("vulkan", "loader", "ok", ctypes.util.find_library("vulkan") or name)


def _driver_checks() -> Iterator[Check]:
    drivers = list(_drivers())
    if not drivers:
        yield Check(
            "vulkan", "driver", "missing", "",
            "install your GPU's driver, or the Debian package mesa-vulkan-drivers for the CPU",
        )  # fmt: skip
    for manifest in drivers:
        yield _driver(manifest)


def _drivers() -> Iterator[Path]:
    """The driver manifests in the places where the loader looks."""
    named = os.environ.get("VK_DRIVER_FILES") or os.environ.get("VK_ICD_FILENAMES")
    if named:
        yield from (Path(path) for path in named.split(os.pathsep) if path)
        return
    config = os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep)
    data = os.environ.get("XDG_DATA_DIRS", "/usr/local/share:/usr/share").split(os.pathsep)
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local/share")
    for root in dict.fromkeys((*config, "/etc", home, *data)):
        yield from sorted(Path(root, "vulkan/icd.d").glob("*.json"))


def _driver(manifest: Path) -> Check:
    try:
        library = str(json.loads(manifest.read_text(encoding="utf-8"))["ICD"]["library_path"])
    except (OSError, ValueError, KeyError, TypeError):
        return Check(
            "vulkan", manifest.stem, "warning", str(manifest),
            "this driver manifest cannot be read; install its package again",
        )  # fmt: skip
    return Check("vulkan", manifest.stem, "ok", library)


def _layer_checks(library: Path | None) -> Iterator[Check]:
    named = os.environ.get(_LAYER_PATH)
    if not named and library is None:
        return
    folder = Path(named) if named else Path(str(library)).resolve().parent / "layers"
    for layer, manifest in _LAYERS.items():
        yield _layer(layer, folder / manifest)
    order = [name for name in os.environ.get(_LAYERS_VARIABLE, "").split(":") if name in _LAYERS]
    if order and order != list(_LAYERS):
        yield Check(
            "vulkan", "order of layers", "warning", f"{_LAYERS_VARIABLE}={':'.join(order)}",
            f"unset {_LAYERS_VARIABLE}: this program enables the layers itself, and others need "
            f"them as {':'.join(_LAYERS)}",
        )  # fmt: skip


def _layer(name: str, manifest: Path) -> Check:
    short = name.removeprefix("VK_LAYER_")
    remedy = (
        "only devices with extensions of their own can run; install "
        "ai_ml_emulation_layer_for_vulkan and build again, or name the folder with the manifests "
        f"in {_LAYER_PATH}"
    )
    try:
        described = json.loads(manifest.read_text(encoding="utf-8"))["layer"]
        path = manifest.parent / str(described["library_path"])
    except (OSError, ValueError, KeyError, TypeError):
        return Check("vulkan", short, "warning", f"no readable {manifest}", remedy)
    error = _load_error(str(path))
    if error:
        return Check("vulkan", short, "warning", error, remedy)
    return Check("vulkan", short, "ok", str(path))


def _load_error(library: str) -> str:
    """Why a library cannot be loaded, empty if it can; tried in a process of its own."""
    command = [sys.executable, "-S", "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", library]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_LOAD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{library} did not load within {_LOAD_SECONDS} s"
    lines = done.stderr.strip().splitlines() or [f"loading it ended with {done.returncode}"]
    return "" if done.returncode == 0 else lines[-1].removeprefix("OSError: ")
