"""Input files and random data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness import inputs
from harness.buffers import Array
from harness.errors import InvalidRequestError
from tests.python.test_buffers import CHANNELS_LAST, ROW_MAJOR

VALUES = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)


def test_a_raw_file_has_the_elements_in_memory_order(tmp_path: Path) -> None:
    file = tmp_path / "a.bin"
    VALUES.transpose(0, 2, 3, 1).tofile(file)
    data = inputs.resolve([str(file)], [CHANNELS_LAST])
    np.testing.assert_array_equal(data.arrays[0], VALUES)
    assert (data.source, data.paths, data.seed) == ("file", (file,), None)


def test_an_npy_file_has_the_values_whatever_its_layout(tmp_path: Path) -> None:
    file = tmp_path / "a.npy"
    np.save(file, np.asfortranarray(VALUES.astype(">f4")))
    for info in (ROW_MAJOR, CHANNELS_LAST):
        np.testing.assert_array_equal(inputs.resolve([str(file)], [info]).arrays[0], VALUES)


@pytest.mark.parametrize("size", [0, 95, 97, 192])
def test_a_raw_file_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(bytes(size))
    with pytest.raises(InvalidRequestError, match=rf"input 0 .*: {size} bytes, expected 96 for"):
        inputs.resolve([str(file)], [ROW_MAJOR])


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (VALUES.astype(np.float64), "type float64, the tensor float32"),
        (VALUES[0], r"shape \(2, 3, 4\), the tensor \(1, 2, 3, 4\)"),
    ],
)
def test_an_npy_file_of_another_kind_is_refused(tmp_path: Path, array: Array, message: str) -> None:
    file = tmp_path / "a.npy"
    np.save(file, array)
    with pytest.raises(InvalidRequestError, match=rf"input 1 .*{message}"):
        inputs.resolve([f"{_good(tmp_path)},{file}"], [ROW_MAJOR, ROW_MAJOR])


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.npy"
    broken.write_text("text")
    pickled = tmp_path / "pickled.npy"
    np.save(pickled, np.array([{}], dtype=object), allow_pickle=True)
    for name, reason in (
        ("gone.bin", "No such file"),
        ("gone.npy", "No such file"),
        (".", "folder"),
        ("broken.npy", "not a .npy file"),
        ("pickled.npy", "not a .npy file"),
    ):
        with pytest.raises(InvalidRequestError, match=f"input 0 .*{reason}"):
            inputs.resolve([str(tmp_path / name)], [ROW_MAJOR])


def test_the_number_of_files_must_fit(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError, match="1 input files given, the model has 2 inputs"):
        inputs.resolve([_good(tmp_path)], [ROW_MAJOR, ROW_MAJOR])


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (["a,b"], ["a", "b"]),
        (["a, b ", "c"], ["a", "b", "c"]),
        ([r"a\,b"], ["a,b"]),
        (["with space"], ["with space"]),
    ],
)
def test_lists_of_files(specs: list[str], names: list[str]) -> None:
    assert inputs.split_paths(specs) == tuple(Path(name) for name in names)


@pytest.mark.parametrize("spec", ["", "a,", ",a", "a,,b", " "])
def test_an_empty_name_is_refused(spec: str) -> None:
    with pytest.raises(InvalidRequestError, match="empty name"):
        inputs.split_paths([spec])


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("float32", -1, 1),
        ("float16", -1, 1),
        ("float64", -1, 1),
        ("int8", -8, 7),
        ("int64", -8, 7),
        ("uint8", 0, 15),
        ("bool", 0, 1),
    ],
)
def test_random_data_covers_its_range(dtype: str, low: int, high: int) -> None:
    size = np.dtype(dtype).itemsize
    info = replace(
        ROW_MAJOR, dtype=dtype, shape=(1000,), strides=(1,), dim_order=(0,), bytes=1000 * size
    )
    array = inputs.synthetic([info], seed=1).arrays[0].astype(np.float64)
    assert low <= array.min() < low + (high - low) / 10
    assert high - (high - low) / 10 < array.max() <= high


def test_random_bfloat16_is_in_range() -> None:
    info = replace(
        ROW_MAJOR, dtype="bfloat16", shape=(1000,), strides=(1,), dim_order=(0,), bytes=2000
    )
    (raw,) = inputs.synthetic([info], seed=1).arrays
    values = (raw.astype(np.uint32) << 16).view(np.float32)
    assert -1 <= values.min() < -0.9
    assert 0.9 < values.max() < 1


def test_random_data_depends_on_seed_and_index_only() -> None:
    one = inputs.resolve([], [ROW_MAJOR, ROW_MAJOR], seed=5)
    two = inputs.resolve([], [ROW_MAJOR, CHANNELS_LAST], seed=5)
    other = inputs.resolve([], [ROW_MAJOR, ROW_MAJOR], seed=6)
    np.testing.assert_array_equal(one.arrays[1], two.arrays[1])
    assert not np.array_equal(one.arrays[0], one.arrays[1])
    assert not np.array_equal(one.arrays[0], other.arrays[0])
    assert (one.source, one.seed) == ("synthetic", 5)


def test_random_data_is_never_all_zero() -> None:
    info = replace(ROW_MAJOR, dtype="bool", shape=(), strides=(), dim_order=(), bytes=1)
    assert all(inputs.synthetic([info], seed).arrays[0] for seed in range(20))


def test_digests_are_of_the_bytes_in_memory_order() -> None:
    raw, shuffled = (
        inputs.from_arrays([VALUES], [info]).sha256()[0] for info in (ROW_MAJOR, CHANNELS_LAST)
    )
    import hashlib

    assert raw == hashlib.sha256(VALUES.tobytes()).hexdigest()
    assert shuffled == hashlib.sha256(VALUES.transpose(0, 2, 3, 1).tobytes()).hexdigest()


def test_the_callers_arrays_are_copied() -> None:
    data = inputs.from_arrays([VALUES], [ROW_MAJOR])
    assert data.source == "caller"
    assert not np.shares_memory(data.arrays[0], VALUES)
    with pytest.raises(InvalidRequestError, match="1 input arrays given, the model has 2"):
        inputs.from_arrays([VALUES], [ROW_MAJOR, ROW_MAJOR])


def _good(folder: Path) -> str:
    VALUES.tofile(folder / "good.bin")
    return str(folder / "good.bin")
