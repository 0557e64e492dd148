"""The C interface of one session, call by call, in Python types. No policy, no buffers."""

from __future__ import annotations

import contextlib
import json
import os
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness import _ffi
from harness.buffers import Array
from harness.errors import InvalidRequestError, RunFailedError
from harness.tensors import TensorInfo, TensorPath

DIRECTIONS = ("input", "output")  # in the order of vgfio_direction


@dataclass(frozen=True)
class Options:
    """What `vgfio_session_options` says, by name; see there for units and defaults."""

    io_mode: str = "copy"
    wait: str = "adaptive"
    io_alignment: int = 0
    require_zero_copy: bool = False
    allow_planned_io: bool = False
    method_name: str = ""
    data_path: Path | None = None
    device: str | None = None
    copy_memory: str = "auto"
    binding_sets: int = 0


class NativeSession:
    """Owns a `vgfio_session`.

    Attributes:
        keep_alive: Whatever must outlive the session; let go after it was destroyed.
    """

    def __init__(self, library: _ffi.Library, model: str | Path | bytes, options: Options) -> None:
        self.library = library
        self.keep_alive: dict[Any, Any] = {}
        raw, texts = _raw_options(library, options)
        out = library.ffi.new("vgfio_session **")
        if isinstance(model, bytes):
            self.keep_alive["model"] = data = library.ffi.from_buffer(model)
            status = library.lib.vgfio_session_create_from_memory(data, len(model), raw, out)
        else:
            path = _c_text(library, "model path", os.fspath(model))
            status = library.lib.vgfio_session_create(path, raw, out)
        library.check(status)
        del texts  # the library copies what it wants to keep
        self._handle = out[0]
        # Destroys the session before its buffers go, also at the exit of the interpreter.
        self._destroy = weakref.finalize(self, _destroy, library, out[0], self.keep_alive)

    @property
    def handle(self) -> Any:
        """The `vgfio_session *`.

        Raises:
            InvalidRequestError: It is destroyed.
        """
        if not self._destroy.alive:
            raise InvalidRequestError("the session is closed")
        return self._handle

    def destroy(self) -> None:
        """Ends the session, then lets go of what it kept alive. Further calls do nothing."""
        self._destroy()

    def count(self, function: Callable[..., int], *arguments: int) -> int:
        """The number that one of the `vgfio_*_count()` functions gives."""
        out = self.library.ffi.new("uint32_t *")
        self.library.check(function(self.handle, *arguments, out))
        return int(out[0])

    def delegate_count(self) -> int:
        """Number of VGF delegates in the method."""
        return self.count(self.library.lib.vgfio_delegate_count)

    def tensors(self, direction: int) -> tuple[TensorInfo, ...]:
        """The inputs (0) or outputs (1) of the method."""
        count = self.count(self.library.lib.vgfio_tensor_count, direction)
        return tuple(self._tensor(direction, index) for index in range(count))

    def bind(self, direction: int, index: int, address: int, capacity: int) -> None:
        """Binds `capacity` bytes at `address`, which the caller keeps alive."""
        data = self.library.ffi.cast("void *", address)
        self.library.check(
            self.library.lib.vgfio_bind(self.handle, direction, index, data, capacity),
            f"{DIRECTIONS[direction]} {index}",
        )

    def unbind(self, direction: int, index: int) -> None:
        """Forgets a binding."""
        self.library.check(self.library.lib.vgfio_unbind(self.handle, direction, index))

    def keep(self, address: int, capacity: int) -> None:
        """Keeps what is derived from a buffer while others are bound in its place."""
        data = self.library.ffi.cast("void *", address)
        self.library.check(self.library.lib.vgfio_keep(self.handle, data, capacity))

    def lend(self, direction: int, index: int) -> Array | None:
        """The session's own memory for a tensor as uint8, dangling once it is destroyed;
        None where it has none to lend."""
        ffi = self.library.ffi
        out, capacity = ffi.new("void **"), ffi.new("size_t *")
        status = self.library.lib.vgfio_lend(self.handle, direction, index, out, capacity)
        if status == self.library.lib.VGFIO_UNSUPPORTED:
            return None
        self.library.check(status, f"{DIRECTIONS[direction]} {index}")
        return np.frombuffer(memoryview(ffi.buffer(out[0], capacity[0])), dtype=np.uint8)

    def run(
        self, records: Array, parts: Array, *, warmup: int, profile_device: bool, max_ns: int
    ) -> tuple[int, int]:
        """Fills the records and the delegates' parts of them.

        Returns:
            The status and the number of records written.
        """
        ffi = self.library.ffi
        options = self.library.new("vgfio_run_options")
        options.profile_device = int(profile_device)
        options.warmup, options.iterations, options.max_ns = warmup, len(records), max_ns
        written = ffi.new("size_t *")
        status = self.library.lib.vgfio_run(
            self.handle,
            options,
            ffi.from_buffer("vgfio_record[]", records, require_writable=True),
            len(records),
            ffi.from_buffer("vgfio_record[]", parts, require_writable=True),
            written,
        )
        return int(status), int(written[0])

    def paths(self) -> list[TensorPath]:
        """How each delegate tensor crossed the boundary in the last inference."""
        return [self._path(index) for index in range(self.count(self.library.lib.vgfio_path_count))]

    def report(self) -> dict[str, Any]:
        """`vgfio_session_report()` as an object."""
        out = self.library.ffi.new("const char **")
        self.library.check(self.library.lib.vgfio_session_report(self.handle, out))
        return parse_object(self.library.text(out[0]), "the library's report")

    def _tensor(self, direction: int, index: int) -> TensorInfo:
        library = self.library
        raw = library.new("vgfio_tensor_info")
        library.check(library.lib.vgfio_tensor_describe(self.handle, direction, index, raw))
        rank = int(raw.dim_count)
        return TensorInfo(
            name=library.text(raw.name),
            dtype=library.text(raw.dtype),
            shape=tuple(raw.shape[0:rank]),
            strides=tuple(raw.strides[0:rank]),
            dim_order=tuple(raw.dim_order[0:rank]),
            bytes=int(raw.bytes),
            required_alignment=int(raw.required_alignment),
            required_capacity=int(raw.required_capacity),
            memory_planned=bool(raw.memory_planned),
        )

    def _path(self, index: int) -> TensorPath:
        library, lib = self.library, self.library.lib
        raw = library.new("vgfio_tensor_path")
        library.check(lib.vgfio_path_get(self.handle, index, raw))
        return TensorPath(
            delegate=int(raw.delegate),
            direction=DIRECTIONS[raw.direction],
            index=int(raw.index),
            path=library.text(lib.vgfio_path_name(raw.path)),
            reason=library.text(lib.vgfio_reason_name(raw.reason)),
            detail=library.text(raw.detail),
            remedy=library.text(lib.vgfio_reason_remedy(raw.reason)),
            vk_result=int(raw.vk_result),
            memory_type=int(raw.memory_type),
            memory_flags=int(raw.memory_flags),
            imported=bool(raw.imported),
            pointer=int(raw.pointer),
            alignment=int(raw.alignment),
            bytes=int(raw.bytes),
            allocated_bytes=int(raw.allocated_bytes),
        )


def probe_devices(library: _ffi.Library) -> list[dict[str, Any]]:
    """`vgfio_probe_devices()`; opens Vulkan in this process."""
    out = library.ffi.new("const char **")
    library.check(library.lib.vgfio_probe_devices(out))
    text = library.text(out[0])
    with contextlib.suppress(ValueError):
        devices = json.loads(text)
        if isinstance(devices, list):
            return devices
    raise RunFailedError("the library's list of devices is not a JSON array", text)


def parse_object(text: str, what: str) -> dict[str, Any]:
    """A JSON object from the library."""
    with contextlib.suppress(ValueError):
        value = json.loads(text)
        if isinstance(value, dict):
            return value
    raise RunFailedError(f"{what} is not a JSON object", text)


def _destroy(library: _ffi.Library, handle: Any, keep_alive: dict[Any, Any]) -> None:
    library.lib.vgfio_session_destroy(handle)
    keep_alive.clear()


def _raw_options(library: _ffi.Library, options: Options) -> tuple[Any, list[Any]]:
    """The struct, and the texts that it points to."""
    raw = library.new("vgfio_session_options")
    raw.io_mode = _enumerator(library, "vgfio_io_mode", "VGFIO_IO_", options.io_mode)
    raw.wait = _enumerator(library, "vgfio_wait", "VGFIO_WAIT_", options.wait)
    raw.copy_memory = _enumerator(
        library, "vgfio_copy_memory", "VGFIO_COPY_MEMORY_", options.copy_memory
    )
    if not 0 <= options.binding_sets < 1 << 20:
        raise InvalidRequestError(f"{options.binding_sets} binding sets are out of range")
    raw.binding_sets = options.binding_sets
    if not 0 <= options.io_alignment < 1 << 32:
        raise InvalidRequestError(f"I/O alignment {options.io_alignment} is out of range")
    raw.io_alignment = options.io_alignment
    raw.require_zero_copy = int(options.require_zero_copy)
    raw.allow_planned_io = int(options.allow_planned_io)
    texts = []
    for name in ("method_name", "data_path", "device"):
        value = getattr(options, name)
        if value is not None:
            texts.append(_c_text(library, name, os.fspath(value)))
            setattr(raw, name, texts[-1])
    return raw, texts


def _enumerator(library: _ffi.Library, enum: str, prefix: str, name: str) -> int:
    """The value behind a name; a hyphen is as good as an underscore."""
    known = library.names(enum, prefix)
    value = known.get(name.replace("-", "_"))
    if value is None:
        kind = enum.removeprefix("vgfio_").replace("_", " ")
        raise InvalidRequestError(f"unknown {kind} {name!r}; known are {', '.join(sorted(known))}")
    return value


def _c_text(library: _ffi.Library, what: str, text: str) -> Any:
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise InvalidRequestError(f"the {what} {text!r} contains a zero byte")
    return library.ffi.new("char[]", encoded)
