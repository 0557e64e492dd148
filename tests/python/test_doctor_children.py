"""The doctor on machines that lack something, each in a process with such an environment."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness import locations
from tests.python.test_cli import harness

LAYERS = ("VK_LAYER_ML_Graph_Emulation", "VK_LAYER_ML_Tensor_Emulation")

pytestmark = pytest.mark.device  # the device is there; the environment hides it


def diagnosed(exit_code: int, **environment: str) -> dict[str, dict[str, Any]]:
    """The checks by name."""
    done = harness("doctor", "--json", **environment)
    assert done.returncode == exit_code, done.stderr
    document = json.loads(done.stdout)
    assert document["can_run"] == (exit_code == 0)
    return {check["name"]: check for check in document["checks"]}


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    """A copy of the folder of layer manifests."""
    source = locations.find_library().parent / "layers"
    return Path(shutil.copytree(source, tmp_path / "layers"))


def test_a_missing_loader(tmp_path: Path) -> None:
    shim = tmp_path / "no_loader.so"
    source = Path(__file__).parent / "no_loader.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
    checks = diagnosed(3, LD_PRELOAD=str(shim))
    assert checks["loader"]["state"] == "missing"
    assert "libnot-installed.so.1" in checks["loader"]["found"]
    assert "libvulkan1" in checks["loader"]["remedy"]
    assert "no Vulkan loader" in checks["without layers"]["found"]


@pytest.mark.parametrize("contents", [None, '{"ICD": {"library_path": "libgone.so"}}'])
def test_no_driver(contents: str | None, tmp_path: Path) -> None:
    manifest = tmp_path / "driver.json"
    if contents is not None:
        manifest.write_text(contents)
    checks = diagnosed(3, VK_DRIVER_FILES=str(manifest))
    if contents is None:
        assert checks["driver"]["state"] == "warning"
        assert "install its package again" in checks["driver"]["remedy"]
    assert checks["usable device"]["state"] == "missing"
    assert "Vulkan 1.3 device" in checks["usable device"]["remedy"]


@pytest.mark.parametrize(
    ("value", "warned"),
    [
        (":".join(reversed(LAYERS)), True),
        (LAYERS[1], True),
        (":".join(LAYERS), False),
        (f"VK_LAYER_other:{':'.join(LAYERS)}", False),
    ],
)
def test_the_order_of_layers(value: str, warned: bool) -> None:
    """The device works all the same: the program enables the layers itself."""
    checks = diagnosed(0, VK_INSTANCE_LAYERS=value)
    assert ("order of layers" in checks) == warned
    if warned:
        assert checks["order of layers"]["state"] == "warning"
        assert f"as {':'.join(LAYERS)}" in checks["order of layers"]["remedy"]


def test_a_layer_that_cannot_be_loaded(layers: Path) -> None:
    manifest = layers / "VkLayer_Graph.json"
    described = json.loads(manifest.read_text())
    described["layer"]["library_path"] = "/no/such/libVkLayer_Graph.so"
    manifest.write_text(json.dumps(described))
    checks = diagnosed(3, ET_VGF_LAYER_PATH=str(layers))
    assert checks["ML_Graph_Emulation"]["state"] == "warning"
    assert "/no/such/libVkLayer_Graph.so: cannot open" in checks["ML_Graph_Emulation"]["found"]
    assert "ai_ml_emulation_layer_for_vulkan" in checks["ML_Graph_Emulation"]["remedy"]
    assert checks["ML_Tensor_Emulation"]["state"] == "ok"


def test_a_layer_that_is_missing(layers: Path) -> None:
    (layers / "VkLayer_Tensor.json").unlink()
    checks = diagnosed(3, ET_VGF_LAYER_PATH=str(layers))
    assert checks["ML_Tensor_Emulation"]["state"] == "warning"
    assert "VkLayer_Tensor.json" in checks["ML_Tensor_Emulation"]["found"]
    assert "VK_LAYER_ML_Tensor_Emulation is not installed" in json.dumps(checks)


def test_the_same_folder_unchanged_is_fine(layers: Path) -> None:
    checks = diagnosed(0, ET_VGF_LAYER_PATH=str(layers))
    assert {checks[name.removeprefix("VK_LAYER_")]["state"] for name in LAYERS} == {"ok"}
