"""Test programs with inputs and expected outputs, made once and kept.

    from tests.python import models

    case = models.get("two_delegates")      # made if it is not there yet: needs torch then
    case.program, case.inputs, case.expected, case.tolerance

    python -m tests.python.models --out DIR [NAME...]     # for tests that are not Python

Each case is a folder: `model.pte`, `model.ptd` where constants are apart, `input0.bin`, ... and
`expected0.bin`, ... (elements in memory order, little-endian), `case.json` (the fields of
`Case`). The cache is `build/test_models`, one folder per state of the code and of the exporting
packages; a folder that is there is complete.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib.metadata
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_CACHE = _ROOT / "build" / "test_models"
_SOURCES = (
    *sorted((_ROOT / "harness" / "exporting").glob("*.py")),
    *(_ROOT / "tests" / "python" / f"{name}.py" for name in ("models", "odd_models", "odd_files")),
)
_PACKAGES = ("torch", "executorch", "tosa-tools", "ai_ml_sdk_model_converter", "torchao")

NAMES = (
    "planned_io",
    "planned_outputs",
    "planned_inputs",
    "dynamic_dimension",
    "scalar_int",
    "scalar_float",
    "scalar_bool",
    "none_input",
    "multi_io",
    "pass_through",
    "same_output_twice",
    "in_place",
    "unused_input",
    "constant_output",
    "two_delegates",
    "no_delegate",
    "int8",
    "uint8",
    "int16",
    "int32",
    "int64",
    "bool",
    "float16",
    "bfloat16",
    "zero_d",
    "high_rank",
    "channels_last",
    "channels_last_inside",
    "external_constants",
    "quantize_on_cpu",
    "bytes_4",
    "bytes_4095",
    "bytes_4097",
    "bundled",
    "two_methods",
    "large_method",
)
"""Every odd model. What is odd about each is the `what` of its case."""


@dataclass(frozen=True)
class TensorFile:
    """One input or expected output.

    Attributes:
        file: Name inside the case's folder.
        dtype: numpy spelling; "bfloat16", which numpy lacks, is to be read as uint16. "none" for
            an input that is None: its file says nothing.
        shape: Elements.
        dim_order: Dimensions from the outermost in memory to the innermost.
    """

    file: str
    dtype: str
    shape: tuple[int, ...]
    dim_order: tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A program and what it is to give.

    Attributes:
        name: One of `NAMES`, or of the export command's catalog.
        folder: Where its files are.
        what: What is odd about it, one line.
        inputs: One per input of the method; one of a number has the shape ().
        expected: One per output of the method, from eager PyTorch.
        tolerance: Absolute and relative; (0, 0) is exact.
        delegates: VGF delegates in the first method.
        refusal: A word of benchmark mode's refusal; empty if the model can be measured.
        external_data: Whether there is a model.ptd.
    """

    name: str
    folder: Path
    what: str
    inputs: tuple[TensorFile, ...]
    expected: tuple[TensorFile, ...]
    tolerance: tuple[float, float]
    delegates: int
    refusal: str
    external_data: bool

    @property
    def program(self) -> Path:
        """The .pte file."""
        return self.folder / "model.pte"

    @property
    def data(self) -> Path | None:
        """The .ptd file, if there is one."""
        return self.folder / "model.ptd" if self.external_data else None

    def paths(self, tensors: Sequence[TensorFile]) -> list[Path]:
        """The files of inputs or expected outputs."""
        return [self.folder / tensor.file for tensor in tensors]


def missing_packages() -> list[str]:
    """What is not installed of what making a case needs; then only a full cache helps."""
    missing = []
    for package in _PACKAGES:
        try:
            importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
    return missing


def get(name: str) -> Case:
    """A case, made if it is not in the cache. Several processes may ask at once.

    Args:
        name: One of `NAMES`, or of the export command's catalog.
    Raises:
        KeyError: There is no such case.
        harness.errors.HarnessError: It cannot be exported.
    """
    folder = _CACHE / _state() / name
    if not (folder / "case.json").exists():
        _make(name, folder)
    return load(folder)


def load(folder: Path) -> Case:
    """The case in a folder."""
    fields: dict[str, Any] = json.loads((folder / "case.json").read_text("utf-8"))
    for key in ("inputs", "expected"):
        fields[key] = tuple(
            TensorFile(t["file"], t["dtype"], tuple(t["shape"]), tuple(t["dim_order"]))
            for t in fields[key]
        )
    fields["tolerance"] = tuple(fields["tolerance"])
    return Case(folder=folder, **fields)


def save(case: Case) -> None:
    """Writes a case's `case.json`, the last file of a folder."""
    fields = asdict(case)
    del fields["folder"]
    (case.folder / "case.json").write_text(json.dumps(fields, indent=2) + "\n", "utf-8")


@functools.cache
def _state() -> str:
    digest = hashlib.sha256()
    for source in _SOURCES:
        digest.update(source.read_bytes())
    for package in _PACKAGES:
        digest.update(f"{package} {importlib.metadata.version(package)}\n".encode())
    return digest.hexdigest()[:16]


def _make(name: str, folder: Path) -> None:
    from harness.exporting import tools
    from tests.python import odd_files

    tools.require()
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder.parent))
    try:
        odd_files.write(name, temporary)
        temporary.chmod(0o755)
        temporary.rename(folder)
    except OSError:
        if not (folder / "case.json").exists():  # else another process was quicker
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the cases to a folder, each in a folder of its own name, and prints those."""
    parser = argparse.ArgumentParser(prog="python -m tests.python.models", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases (default: all odd models)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args(arguments)
    for name in args.names or NAMES:
        target = args.out / name
        shutil.copytree(get(name).folder, target, dirs_exist_ok=True)
        print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
