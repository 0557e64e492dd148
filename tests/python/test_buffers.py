"""Aligned arrays, and which arrays are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness import buffers
from harness.errors import InvalidRequestError
from harness.tensors import TensorInfo

ROW_MAJOR = TensorInfo(
    name="input 0",
    dtype="float32",
    shape=(1, 2, 3, 4),
    strides=(24, 12, 4, 1),
    dim_order=(0, 1, 2, 3),
    bytes=96,
    required_alignment=64,
    required_capacity=128,
    memory_planned=False,
)
CHANNELS_LAST = replace(ROW_MAJOR, strides=(24, 1, 8, 2), dim_order=(0, 2, 3, 1))


@pytest.mark.parametrize("alignment", [1, 64, 4096, 16384, 65536])
@pytest.mark.parametrize("capacity", [0, 1, 4095, 4097])
def test_bytes_are_aligned_and_zero(capacity: int, alignment: int) -> None:
    memory = buffers.aligned_bytes(capacity, alignment)
    assert memory.nbytes == capacity
    assert capacity == 0 or memory.ctypes.data % alignment == 0
    assert not memory.any()


@pytest.mark.parametrize("alignment", [0, -64, 96])
def test_an_alignment_that_is_no_power_of_two_is_refused(alignment: int) -> None:
    with pytest.raises(InvalidRequestError, match="not a power of two"):
        buffers.aligned_bytes(64, alignment)


@pytest.mark.parametrize("info", [ROW_MAJOR, CHANNELS_LAST])
def test_a_new_buffer_has_the_tensors_layout(info: TensorInfo) -> None:
    buffer = buffers.allocate(info)
    assert buffer.array.shape == info.shape
    assert buffer.array.strides == tuple(4 * stride for stride in info.strides)
    assert (buffer.address, buffer.capacity) == (buffer.array.ctypes.data, 128)
    buffers.check_usable(buffer.array, info)


def test_scalars_and_empty_tensors_have_buffers() -> None:
    scalar = replace(ROW_MAJOR, shape=(), strides=(), dim_order=(), bytes=4)
    assert buffers.allocate(scalar).array.shape == ()
    empty = replace(ROW_MAJOR, shape=(0, 3), strides=(3, 1), dim_order=(0, 1), bytes=0)
    assert buffers.allocate(empty).array.size == 0


def test_channels_last_memory_is_in_that_order() -> None:
    values = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    buffer = buffers.copy_of(values, CHANNELS_LAST)
    in_memory = buffer.memory[:96].view(np.float32)
    np.testing.assert_array_equal(in_memory, values.transpose(0, 2, 3, 1).reshape(-1))
    np.testing.assert_array_equal(buffers.bytes_of(buffer.array), buffer.memory[:96])


def test_bytes_of_a_dense_array_is_a_view() -> None:
    for info in (ROW_MAJOR, CHANNELS_LAST):
        array = buffers.allocate(info).array
        buffers.bytes_of(array)[...] = 0xFF
        assert np.isnan(array).all()


READ_ONLY = np.zeros((1, 2, 3, 4), np.float32)
READ_ONLY.flags.writeable = False
OFF_BY_ONE = np.zeros(97, np.uint8)[1:].view(np.float32).reshape(1, 2, 3, 4)


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros((1, 2, 3, 4), np.float64), "type float64, the tensor float32"),
        (np.zeros((1, 2, 3, 4), np.int32), "type int32"),
        (np.zeros((1, 2, 4, 3), np.float32), "shape"),
        (np.zeros((1, 2, 3, 4), ">f4"), "other order"),
        (np.zeros((1, 2, 3, 4), np.float32)[..., ::-1], "strides"),
        (np.zeros((1, 2, 3, 4), np.float32, order="F"), "strides"),
        (np.broadcast_to(np.float32(0), (1, 2, 3, 4)), "strides"),
        (READ_ONLY, "read-only"),
        (OFF_BY_ONE, "no multiple of 4"),
        ([[1.0]], "a numpy array is needed, not list"),
    ],
)
def test_an_unusable_array_is_refused_with_the_reason(array: object, reason: str) -> None:
    with pytest.raises(InvalidRequestError, match=f"input 0: .*{reason}"):
        buffers.check_usable(array, ROW_MAJOR)  # type: ignore[arg-type]


def test_strides_of_size_one_dimensions_do_not_matter() -> None:
    array = np.zeros((2, 3, 4), np.float32)[np.newaxis]
    assert array.strides != buffers.allocate(ROW_MAJOR).array.strides
    buffers.check_usable(array, ROW_MAJOR)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(24).astype(">f4").reshape(1, 2, 3, 4),
        np.asfortranarray(np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)),
        np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)[..., ::-1],
        READ_ONLY,
    ],
)
def test_a_copy_has_the_same_values_in_the_tensors_layout(array: buffers.Array) -> None:
    buffer = buffers.copy_of(array, CHANNELS_LAST)
    np.testing.assert_array_equal(buffer.array, array)
    buffers.check_usable(buffer.array, CHANNELS_LAST)
    assert not np.shares_memory(buffer.array, array)


def test_a_copy_changes_neither_type_nor_shape() -> None:
    with pytest.raises(InvalidRequestError, match="type float64"):
        buffers.copy_of(np.zeros((1, 2, 3, 4)), ROW_MAJOR)
    with pytest.raises(InvalidRequestError, match="shape"):
        buffers.copy_of(np.zeros((2, 3, 4), np.float32), ROW_MAJOR)


def test_bfloat16_is_held_as_uint16() -> None:
    info = replace(ROW_MAJOR, dtype="bfloat16", bytes=48)
    assert buffers.allocate(info).array.dtype == np.uint16
    raw = np.arange(24, dtype=np.uint16).reshape(1, 2, 3, 4)
    np.testing.assert_array_equal(buffers.copy_of(raw.view("V2"), info).array, raw)
    with pytest.raises(InvalidRequestError, match="bfloat16 is held as uint16"):
        buffers.copy_of(np.zeros((1, 2, 3, 4), np.float32), info)


def test_a_type_without_a_numpy_type_is_refused() -> None:
    with pytest.raises(InvalidRequestError, match="bits4x2 cannot be held"):
        buffers.allocate(replace(ROW_MAJOR, dtype="bits4x2"))
