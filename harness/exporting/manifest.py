"""The list of programs in a folder: `models.toml` beside them. Needs no torch."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import InvalidRequestError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE_NAME = "models.toml"


@dataclass(frozen=True)
class TensorEntry:
    """An input or output: numpy spelling of the type, and the shape in elements."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class ModelEntry:
    """One program.

    Attributes:
        name: As in `python -m harness export NAME`.
        file: The .pte file, relative to the manifest.
        description: One line.
        quantization: "none", "int8" (inside) or "int8-io" (at the boundary too).
        memory_planned: Whether graph inputs and outputs live in the method's own memory.
        inputs: Of the first method.
        outputs: Of the first method.
        bytes: Size of the file.
        sha256: Of the file, hexadecimal.
        made_with: Versions of the packages that made it.
    """

    name: str
    file: str
    description: str
    quantization: str
    memory_planned: bool
    inputs: tuple[TensorEntry, ...]
    outputs: tuple[TensorEntry, ...]
    bytes: int
    sha256: str
    made_with: dict[str, str]


def digest(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read(folder: Path) -> tuple[ModelEntry, ...]:
    """The programs of a folder, in the order of the manifest; none if there is no manifest.

    Raises:
        InvalidRequestError: The manifest is not one.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return ()
    try:
        models = tomllib.loads(path.read_text("utf-8")).get("model", [])
        return tuple(_entry(model) for model in models)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise InvalidRequestError(
            f"{path} is not a list of models ({error}); remove it and export again"
        ) from error


def merge(old: Iterable[ModelEntry], new: Iterable[ModelEntry]) -> tuple[ModelEntry, ...]:
    """The old entries with those of the same name replaced, then the added ones."""
    by_name = {entry.name: entry for entry in old}
    by_name.update({entry.name: entry for entry in new})
    return tuple(by_name.values())


def write(folder: Path, entries: Iterable[ModelEntry]) -> Path:
    """Writes the manifest of a folder and returns its path."""
    path = folder / FILE_NAME
    text = "# Written by `python -m harness export`; do not edit.\n"
    text += "".join(f"\n{_table(entry)}" for entry in entries)
    path.write_text(text, "utf-8")
    return path


def _entry(model: dict[str, Any]) -> ModelEntry:
    return ModelEntry(
        name=model["name"],
        file=model["file"],
        description=model["description"],
        quantization=model["quantization"],
        memory_planned=model["memory_planned"],
        inputs=tuple(TensorEntry(t["dtype"], tuple(t["shape"])) for t in model["inputs"]),
        outputs=tuple(TensorEntry(t["dtype"], tuple(t["shape"])) for t in model["outputs"]),
        bytes=model["bytes"],
        sha256=model["sha256"],
        made_with=dict(model["made_with"]),
    )


def _table(entry: ModelEntry) -> str:
    lines = [
        "[[model]]",
        f"name = {_string(entry.name)}",
        f"file = {_string(entry.file)}",
        f"description = {_string(entry.description)}",
        f"quantization = {_string(entry.quantization)}",
        f"memory_planned = {'true' if entry.memory_planned else 'false'}",
        f"inputs = [{_tensors(entry.inputs)}]",
        f"outputs = [{_tensors(entry.outputs)}]",
        f"bytes = {entry.bytes}",
        f"sha256 = {_string(entry.sha256)}",
        "made_with = { "
        + ", ".join(f"{_string(k)} = {_string(v)}" for k, v in entry.made_with.items())
        + " }",
    ]
    return "\n".join(lines) + "\n"


def _tensors(tensors: tuple[TensorEntry, ...]) -> str:
    return ", ".join(
        f"{{ dtype = {_string(tensor.dtype)}, shape = {list(tensor.shape)} }}" for tensor in tensors
    )


def _string(text: str) -> str:
    # A JSON string without escaped non-ASCII is a TOML basic string.
    return json.dumps(text, ensure_ascii=False)
