"""numpy arrays in the layout, alignment and capacity that a tensor asks for.

Nothing here copies silently: an array that cannot be used as it is, is refused with the
reason; `copy_of()` converts, for whoever asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.errors import InvalidRequestError
from harness.tensors import TensorInfo

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class AlignedArray:
    """An array with the memory that backs it.

    Attributes:
        array: View with the tensor's dtype, shape and strides.
        memory: The whole buffer, uint8, as many bytes as the capacity; owns the memory or
            keeps its owner alive.
    """

    array: Array
    memory: Array

    @property
    def address(self) -> int:
        """Host address of the first byte."""
        return int(self.memory.ctypes.data)

    @property
    def capacity(self) -> int:
        """Bytes from the address that belong to this buffer."""
        return int(self.memory.nbytes)


def numpy_dtype(dtype: str) -> np.dtype[Any]:
    """The numpy type for a tensor's dtype; uint16 for bfloat16, which numpy lacks."""
    try:
        return np.dtype("uint16" if dtype == "bfloat16" else dtype)
    except TypeError as error:
        raise InvalidRequestError(f"tensors of type {dtype} cannot be held in numpy") from error


def allocate(info: TensorInfo) -> AlignedArray:
    """A zeroed buffer that the tensor can use in place, its tail included."""
    memory = aligned_bytes(info.required_capacity, info.required_alignment)
    return AlignedArray(view(memory, info), memory)


def aligned_bytes(capacity: int, alignment: int) -> Array:
    """`capacity` zeroed bytes at a multiple of `alignment`, every page touched."""
    if alignment < 1 or alignment & (alignment - 1):
        raise InvalidRequestError(f"alignment {alignment} is not a power of two")
    block = np.empty(capacity + alignment, dtype=np.uint8)
    begin = -block.ctypes.data % alignment
    memory = block[begin : begin + capacity]
    # Touched now: the first use would pay for the page faults otherwise.
    memory.fill(0)
    return memory


def view(memory: Array, info: TensorInfo) -> Array:
    """The tensor in `memory`, which has at least `info.bytes` bytes of uint8."""
    dtype = numpy_dtype(info.dtype)
    array: Array = np.ndarray(info.shape, dtype, memory, strides=_byte_strides(info, dtype))
    return array


def copy_of(array: Array, info: TensorInfo) -> AlignedArray:
    """A buffer with the values of `array`: byte order and layout are converted, the element
    type and the shape are not.

    Raises:
        InvalidRequestError: Another shape or element type.
    """
    _check_kind(array, info)
    _check_shape(array, info)
    buffer = allocate(info)
    buffer.array[...] = array.view(buffer.array.dtype) if _is_raw_half(array) else array
    return buffer


def check_usable(array: Array, info: TensorInfo) -> None:
    """Refuses an array that the library could not read and write as this tensor.

    Raises:
        InvalidRequestError: Says what is wrong with it and how to convert it.
    """
    _check_kind(array, info)
    _check_shape(array, info)
    dtype = numpy_dtype(info.dtype)
    problem = ""
    if not array.dtype.isnative:
        problem = "its bytes are in the other order"
    elif not _same_layout(array, info, dtype):
        expected = _byte_strides(info, dtype)
        problem = f"its strides are {array.strides} bytes, the tensor's {expected}"
    elif not array.flags.writeable:
        problem = "it is read-only, which the device cannot import"
    elif array.ctypes.data % dtype.itemsize:
        problem = f"its address is no multiple of {dtype.itemsize}"
    if problem:
        raise InvalidRequestError(
            f"{info.name}: the array cannot be bound: {problem}; bind copy_of() of it instead"
        )


def bytes_of(array: Array) -> Array:
    """The memory of a dense array, in any order of its dimensions, as uint8.

    A view where the array is dense, and a copy where it is not.
    """
    axes = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    return np.ascontiguousarray(array.transpose(axes)).reshape(-1).view(np.uint8)


def _check_kind(array: Array, info: TensorInfo) -> None:
    if not isinstance(array, np.ndarray):
        raise InvalidRequestError(
            f"{info.name}: a numpy array is needed, not {type(array).__name__}"
        )
    dtype = numpy_dtype(info.dtype)
    if array.dtype.newbyteorder("=") == dtype:
        return
    if info.dtype == "bfloat16" and _is_raw_half(array):
        return
    hint = " (bfloat16 is held as uint16)" if info.dtype == "bfloat16" else ""
    raise InvalidRequestError(
        f"{info.name}: the array has type {array.dtype}, the tensor {info.dtype}{hint}"
    )


def _is_raw_half(array: Array) -> bool:
    """Whether the array holds bfloat16 of an extension such as ml_dtypes, or its raw bytes."""
    return array.dtype.kind == "V" and array.dtype.itemsize == 2


def _check_shape(array: Array, info: TensorInfo) -> None:
    if array.shape != info.shape:
        raise InvalidRequestError(
            f"{info.name}: the array has shape {array.shape}, the tensor {info.shape}"
        )


def _byte_strides(info: TensorInfo, dtype: np.dtype[Any]) -> tuple[int, ...]:
    return tuple(stride * dtype.itemsize for stride in info.strides)


def _same_layout(array: Array, info: TensorInfo, dtype: np.dtype[Any]) -> bool:
    """Compares strides where they matter: numpy may give any to a dimension of size 1."""
    if array.size == 0:
        return True
    expected = _byte_strides(info, dtype)
    pairs = zip(info.shape, array.strides, expected, strict=True)
    return all(size == 1 or found == wanted for size, found, wanted in pairs)
