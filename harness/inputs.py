"""Input data: from .bin and .npy files, or seeded random values marked synthetic."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from harness.buffers import Array, bytes_of, copy_of, numpy_dtype, view
from harness.errors import InvalidRequestError
from harness.tensors import TensorInfo

Source = Literal["file", "synthetic", "caller"]


@dataclass(frozen=True)
class InputData:
    """One array per input, in the tensor's dtype, shape and strides, and where it is from."""

    arrays: tuple[Array, ...]
    source: Source
    paths: tuple[Path, ...] = ()
    """The files, one per input; empty unless the source is "file"."""
    seed: int | None = None
    """Of the synthetic data; None for other sources."""

    def sha256(self) -> tuple[str, ...]:
        """Hexadecimal digest of each input's bytes in memory order."""
        return tuple(hashlib.sha256(bytes_of(array).data).hexdigest() for array in self.arrays)


def resolve(specs: Sequence[str], tensors: Sequence[TensorInfo], seed: int = 0) -> InputData:
    """The data for a model's inputs.

    Args:
        specs: Values of `--inputs`, each a comma-separated list of files; none for
            synthetic data.
        tensors: The model's inputs.
        seed: Of the synthetic data.
    Raises:
        InvalidRequestError: Wrong number, missing file, wrong size, dtype or shape.
    """
    if not specs:
        return synthetic(tensors, seed)
    return from_files(split_paths(specs), tensors)


def split_paths(specs: Sequence[str]) -> tuple[Path, ...]:
    r"""The files named by comma-separated lists; `\,` is a comma inside a name.

    Blanks around a name are trimmed. An empty name is refused, never dropped.
    """
    paths: list[Path] = []
    for spec in specs:
        for item in re.split(r"(?<!\\),", spec):
            name = item.strip().replace(r"\,", ",")
            if not name:
                raise InvalidRequestError(
                    f"--inputs {spec!r} has an empty name; remove the comma that is too many"
                )
            paths.append(Path(name))
    return tuple(paths)


def from_files(paths: Sequence[Path], tensors: Sequence[TensorInfo]) -> InputData:
    """Reads one file per input: .npy with dtype and shape, any other as raw bytes."""
    if len(paths) != len(tensors):
        wanted = ", ".join(f"{t.name} {t.dtype}{list(t.shape)}" for t in tensors)
        raise InvalidRequestError(
            f"{len(paths)} input files given, the model has {len(tensors)} inputs: {wanted}"
        )
    arrays = tuple(
        _read(path, index, info)
        for index, (path, info) in enumerate(zip(paths, tensors, strict=True))
    )
    return InputData(arrays, "file", paths=tuple(paths))


def synthetic(tensors: Sequence[TensorInfo], seed: int) -> InputData:
    """Random data that the seed and the input's index determine: floats uniform in [-1, 1),
    integers in [-8, 8) or [0, 16), bool both values. Never all zeros."""
    arrays = tuple(_random(info, seed, index) for index, info in enumerate(tensors))
    return InputData(arrays, "synthetic", seed=seed)


def from_arrays(arrays: Sequence[Array], tensors: Sequence[TensorInfo]) -> InputData:
    """The caller's arrays, each copied into the tensor's layout and byte order."""
    if len(arrays) != len(tensors):
        raise InvalidRequestError(
            f"{len(arrays)} input arrays given, the model has {len(tensors)} inputs"
        )
    pairs = zip(arrays, tensors, strict=True)
    return InputData(tuple(copy_of(array, info).array for array, info in pairs), "caller")


def _read(path: Path, index: int, info: TensorInfo) -> Array:
    context = f"input {index} ({path})"
    try:
        if path.suffix == ".npy":
            return copy_of(np.load(path, allow_pickle=False), info).array
        return _read_raw(path, context, info)
    except OSError as error:
        raise InvalidRequestError(f"{context}: {error.strerror or error}") from error
    except (ValueError, EOFError) as error:
        raise InvalidRequestError(f"{context}: not a .npy file of numbers: {error}") from error
    except InvalidRequestError as error:
        if error.message.startswith(context):
            raise
        raise InvalidRequestError(f"{context}: {error.message}") from error


def _read_raw(path: Path, context: str, info: TensorInfo) -> Array:
    if path.is_dir():
        raise InvalidRequestError(f"{context}: is a folder, a file is needed")
    # Sizes are compared before reading: the wrong file may be a very large one.
    actual = path.stat().st_size
    if actual != info.bytes:
        raise InvalidRequestError(
            f"{context}: {actual} bytes, expected {info.bytes} for {info.dtype}{list(info.shape)}"
        )
    return view(np.fromfile(path, dtype=np.uint8, count=info.bytes), info)


def _random(info: TensorInfo, seed: int, index: int) -> Array:
    values = _random_values(np.random.default_rng([seed, index]), info)
    array = view(np.empty(info.bytes, dtype=np.uint8), info)
    array[...] = values if values.any() else 1
    return array


def _random_values(rng: np.random.Generator, info: TensorInfo) -> Array:
    dtype = numpy_dtype(info.dtype)
    if info.dtype == "bfloat16":
        # The upper half of a float32 is the bfloat16 nearest to zero.
        values = np.asarray(rng.uniform(-1, 1, info.shape), dtype=np.float32)
        bits = values.view(np.uint32)
        return np.asarray(bits >> np.uint32(16), dtype=np.uint16)
    if dtype.kind == "b":
        return np.asarray(rng.integers(0, 2, info.shape), dtype=dtype)
    if dtype.kind == "f":
        return np.asarray(rng.uniform(-1, 1, info.shape), dtype=dtype)
    if dtype.kind in "iu":
        low, high = (-8, 8) if dtype.kind == "i" else (0, 16)
        return np.asarray(rng.integers(low, high, info.shape), dtype=dtype)
    raise InvalidRequestError(
        f"{info.name}: no random data for type {info.dtype}; give files with --inputs"
    )
