"""Arm's scenario-runner on the .vgf inside a program: the reference for the VGF part alone."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_PACKAGES = ("scenario_runner", "vgf_lib", "emulation_layer")


def missing_packages() -> list[str]:
    """What is not installed of what `run()` needs."""
    return [name for name in _PACKAGES if importlib.util.find_spec(name) is None]


def delegate_blobs(program: Path) -> list[bytes]:
    """The .vgf contents of each VGF delegate of a program's first method. Needs executorch."""
    from executorch.exir._serialize._program import deserialize_pte_binary

    plan = deserialize_pte_binary(program.read_bytes()).program
    return [
        bytes(plan.backend_delegate_data[delegate.processed.index].data)
        for delegate in plan.execution_plan[0].delegates
        if delegate.id == "VgfBackend"
    ]


def run(vgf: bytes, inputs: Sequence[Array], outputs: int, folder: Path) -> list[Array]:
    """Runs a .vgf once.

    Args:
        vgf: The contents of the file.
        inputs: One array per input of the VGF, in its order.
        outputs: Number of outputs.
        folder: For the files of the run.
    Returns:
        One array per output.
    Raises:
        RuntimeError: scenario-runner failed; says with what.
    """
    command, environment = prepare(vgf, inputs, outputs, folder)
    _call(command, environment)
    return [np.load(folder / f"output{index}.npy") for index in range(outputs)]


def prepare(
    vgf: bytes, inputs: Sequence[Array], outputs: int, folder: Path
) -> tuple[list[str], dict[str, str]]:
    """The command that runs a .vgf, and its environment; otherwise like `run()`."""
    (folder / "model.vgf").write_bytes(vgf)
    template = folder / "template.json"
    dump = ("-i", folder / "model.vgf", "-o", template, "--scenario-template")
    _call(_command("vgf_lib", "vgf_dump", *dump))
    text = template.read_text("utf-8")
    for index, array in enumerate(inputs):
        np.save(folder / f"input{index}.npy", np.ascontiguousarray(array))
        text = text.replace(f"TEMPLATE_PATH_TENSOR_INPUT_{index}", f"input{index}.npy")
    for index in range(outputs):
        text = text.replace(f"TEMPLATE_PATH_TENSOR_OUTPUT_{index}", f"output{index}.npy")
    json.loads(text)  # what is wrong with it is said better here than there
    (folder / "scenario.json").write_text(text, "utf-8")
    arguments = ("--scenario", folder / "scenario.json", "--output", folder)
    return _command("scenario_runner", "scenario-runner", *arguments), _environment(folder)


def _command(package: str, program: str, *arguments: str | Path) -> list[str]:
    path = _package_folder(package) / "binaries" / "bin" / program
    return [str(path), *map(str, arguments)]


def _call(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        name = Path(command[0]).name
        raise RuntimeError(f"{name} ended with {done.returncode}: {done.stderr or done.stdout}")


def _environment(folder: Path) -> dict[str, str]:
    """The layers by environment variable: scenario-runner names none itself.

    Debian 12's loader takes them in the order in which it finds their manifests, whatever the
    order of the names; so each gets a folder, the graph layer's first.
    """
    layers = _package_folder("emulation_layer") / "deploy"
    manifests = layers / "share" / "vulkan" / "explicit_layer.d"
    found = []
    for name in ("VkLayer_Graph.json", "VkLayer_Tensor.json"):
        own = folder / name.removesuffix(".json")
        own.mkdir(exist_ok=True)
        shutil.copy(manifests / name, own)
        found.append(str(own))
    return {
        **os.environ,
        "VK_INSTANCE_LAYERS": "VK_LAYER_ML_Graph_Emulation:VK_LAYER_ML_Tensor_Emulation",
        "VK_LAYER_PATH": ":".join(found),
        "LD_LIBRARY_PATH": str(layers / "lib"),
    }


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"{name} is not installed in {sys.prefix}")
    return Path(spec.origin).parent
