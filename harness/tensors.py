"""What a session says about its tensors. Plain data; knows no sibling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TensorInfo:
    """An input or output of the method, constant over a session."""

    name: str
    dtype: str
    """numpy spelling; "bfloat16", which numpy lacks, is held as uint16."""
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """Elements, not bytes."""
    dim_order: tuple[int, ...]
    """Dimensions from the outermost in memory to the innermost."""
    bytes: int
    """Size of the tensor itself."""
    required_alignment: int
    """Power of two; a buffer at another address is copied."""
    required_capacity: int
    """Bytes a buffer needs to be used in place, at least `bytes`."""
    memory_planned: bool
    """Whether it lives in memory that the method planned, so that it is always copied."""


@dataclass(frozen=True)
class TensorPath:
    """How one tensor of one delegate crossed the boundary in the last inference."""

    delegate: int
    direction: str
    """"input" or "output", seen from the delegate."""
    index: int
    path: str
    """"copy", "zero_copy", "staged", "lent" or "none"."""
    reason: str
    """Why it was copied although that was not wanted; else "none"."""
    detail: str
    """One sentence on the reason, with the numbers; may be empty."""
    remedy: str
    """What to change; empty where nothing is."""
    vk_result: int
    memory_type: int
    """Index, or -1 where no memory is bound."""
    memory_flags: int
    imported: bool
    """Whether the device memory is the caller's buffer."""
    pointer: int
    alignment: int
    """Largest power of two that divides the pointer."""
    bytes: int
    allocated_bytes: int
