"""A loaded method on a device: its tensors, its buffers, its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness import _ffi, buffers, inputs, interrupts
from harness._native import DIRECTIONS, NativeSession, Options
from harness.buffers import AlignedArray, Array
from harness.errors import InvalidRequestError
from harness.tensors import TensorInfo, TensorPath

_INPUT, _OUTPUT = range(len(DIRECTIONS))

# One buffer per input, one per output.
BufferSet = tuple[tuple[AlignedArray, ...], tuple[AlignedArray, ...]]


@dataclass(frozen=True, eq=False)
class Run:
    """What one call of `Session.run()` measured.

    Attributes:
        records: Structured array, one row per measured inference, with the fields of
            `vgfio_record`: times in nanoseconds, sizes in bytes.
        delegate_records: The same per VGF delegate, shape (inferences, delegates).
        interrupted: Whether a stop request ended the run early; the records are valid.
    """

    records: Array
    delegate_records: Array
    interrupted: bool


class Session:
    """One method of one model, ready to run on one device.

    Life cycle: `open()`, bind every input and output (`allocate()` does it with buffers of
    its own), `run()` as often as wanted, also with other bindings in between, `close()`.
    A context manager closes by itself. Used by one thread at a time.

    A bound array is kept alive until another replaces it or the session is closed.

    Attributes:
        inputs: The method's inputs.
        outputs: The method's outputs.
        input_data: What `allocate()` filled the inputs with; None before it.
    """

    def __init__(self, native: NativeSession, lends: bool) -> None:
        """Takes over a native session; `open()` is the way to get one.

        Args:
            native: The session.
            lends: Whether its own memory is to be used for the buffers.
        """
        self._native = native
        self._lends = lends
        # In the native session's keeping: it outlives the buffers.
        self._bound: dict[tuple[int, int], AlignedArray] = {}
        native.keep_alive["buffers"] = self._bound
        self.inputs: tuple[TensorInfo, ...] = native.tensors(_INPUT)
        self.outputs: tuple[TensorInfo, ...] = native.tensors(_OUTPUT)
        self.input_data: inputs.InputData | None = None

    @classmethod
    def open(
        cls,
        model: str | Path | bytes,
        *,
        io_mode: str = "copy",
        method: str = "",
        data: Path | None = None,
        device: str | None = None,
        wait: str = "adaptive",
        io_alignment: int = 0,
        require_zero_copy: bool = False,
        allow_planned_io: bool = False,
        library: Path | None = None,
        copy_memory: str = "auto",
        binding_sets: int = 0,
    ) -> Session:
        """Loads a model and prepares it on a device.

        Args:
            model: A .pte file, or its bytes.
            io_mode: "copy", "zero-copy", "staged" or "lend"; an underscore is as good.
            method: Name of the method; the first one if empty.
            data: The .ptd file, where the weights are apart.
            device: Part of a device's name, or its index; None picks by the stated rule
                (native extensions before emulation, GPU before CPU).
            wait: "adaptive", "fence" or "spin".
            io_alignment: Bytes, a power of two of at least 64; 0 for what the device asks.
            require_zero_copy: Fail where a tensor would have to be copied.
            allow_planned_io: Accept inputs and outputs in planned memory, always copied.
            library: The native library; None finds it.
            copy_memory: What the session copies to and from: "auto", "cached", "uncached" or
                "device-local".
            binding_sets: Combinations of bound buffers that are kept ready; 0 for 16.
        Raises:
            InvalidRequestError: The model or an option is wrong, or the library is missing.
            UnsupportedError: No device can run it.
            RunFailedError: The device failed.
        """
        opened = _ffi.open_library(library)
        interrupts.register(opened.lib.vgfio_request_stop, opened.lib.vgfio_clear_stop)
        options = Options(
            io_mode=io_mode,
            wait=wait,
            io_alignment=io_alignment,
            require_zero_copy=require_zero_copy,
            allow_planned_io=allow_planned_io,
            method_name=method,
            data_path=data,
            device=device,
            copy_memory=copy_memory,
            binding_sets=binding_sets,
        )
        return cls(NativeSession(opened, model, options), lends=io_mode == "lend")

    def allocate(self, arrays: Sequence[Array] | None = None, seed: int = 0) -> None:
        """Binds buffers of the session's own to every input and output.

        With the I/O mode "lend" they are the device's memory where it has some to lend.

        Args:
            arrays: The values of the inputs, copied in; None for random data.
            seed: Of the random data.
        Raises:
            InvalidRequestError: Wrong number, type or shape of the arrays.
        """
        if arrays is None:
            data = inputs.synthetic(self.inputs, seed)
        else:
            data = inputs.from_arrays(arrays, self.inputs)
        for direction, infos in enumerate((self.inputs, self.outputs)):
            for index, info in enumerate(infos):
                self._bind(direction, index, self._new_buffer(direction, index, info))
        for array, values in zip(self.input_arrays, data.arrays, strict=True):
            array[...] = values
        self.input_data = data

    def make_ring(self, count: int) -> list[BufferSet]:
        """`count` sets of buffers to be bound in turn, as a frame pipeline has: the bound
        one, which the ring begins with, and others with the same input values.

        They are kept until the session is closed: what the device derives from a buffer
        stays while another one is bound, up to `binding_sets` combinations.

        Raises:
            InvalidRequestError: Nothing is bound yet.
        """
        ring: list[BufferSet] = [(tuple(self.input_buffers), tuple(self.output_buffers))]
        while len(ring) < count:
            inputs_, outputs_ = (
                tuple(buffers.allocate(info) for info in infos)
                for infos in (self.inputs, self.outputs)
            )
            for buffer, bound in zip(inputs_, self.input_arrays, strict=True):
                buffer.array[...] = bound
            ring.append((inputs_, outputs_))
        for buffer in (buffer for entry in ring for side in entry for buffer in side):
            self._native.keep(buffer.address, buffer.capacity)
        self._native.keep_alive["ring"] = ring
        return ring

    def bind_set(self, buffer_set: BufferSet) -> None:
        """Binds one set of a ring to all inputs and outputs."""
        for direction, side in enumerate(buffer_set):
            for index, buffer in enumerate(side):
                self._bind(direction, index, buffer)

    def bind_input(self, index: int, array: Array | AlignedArray) -> None:
        """Makes the caller's array an input, read in place and never written.

        Args:
            index: Of the input.
            array: With the tensor's dtype, shape and strides, writable; or an AlignedArray,
                whose capacity reaches past the tensor. A plain array ends with the tensor,
                so it is copied where the device asks for more.
        Raises:
            InvalidRequestError: It cannot be used as it is; says why.
        """
        self._bind_callers(_INPUT, index, array)

    def bind_output(self, index: int, array: Array | AlignedArray) -> None:
        """Makes the caller's array an output; otherwise like `bind_input()`."""
        self._bind_callers(_OUTPUT, index, array)

    @property
    def input_buffers(self) -> list[AlignedArray]:
        """The bound inputs with their memory, for instance to bind them elsewhere too."""
        return self._buffers(_INPUT)

    @property
    def output_buffers(self) -> list[AlignedArray]:
        """The bound outputs with their memory."""
        return self._buffers(_OUTPUT)

    @property
    def input_arrays(self) -> list[Array]:
        """The bound inputs, to be filled in place. With "lend": not after `close()`."""
        return [buffer.array for buffer in self.input_buffers]

    @property
    def output_arrays(self) -> list[Array]:
        """The bound outputs; the next run overwrites them. With "lend": not after `close()`."""
        return [buffer.array for buffer in self.output_buffers]

    def run(
        self,
        iterations: int,
        *,
        warmup: int = 0,
        profile_device: bool = False,
        max_seconds: float | None = None,
    ) -> Run:
        """Runs the method on the bound buffers, all iterations in one native call.

        Args:
            iterations: Measured inferences.
            warmup: Inferences before them, not recorded.
            profile_device: Take device timestamps; disturbs the latency.
            max_seconds: End early after that time; None for no limit.
        Raises:
            InvalidRequestError: A tensor is not bound, or a number is out of range.
            RunFailedError: The device failed, or a copy was needed and not allowed.
        """
        if iterations < 0 or warmup < 0 or (max_seconds is not None and not max_seconds > 0):
            raise InvalidRequestError(
                f"a run of {iterations} iterations, {warmup} warm-ups and at most {max_seconds} "
                "seconds is not possible; none may be negative and the time not zero"
            )
        library = self._native.library
        dtype = _ffi.record_dtype(library.header)
        records = np.zeros(iterations, dtype)
        parts = np.zeros((iterations, self._native.delegate_count()), dtype)
        with interrupts.guard():
            status, written = self._native.run(
                records,
                parts,
                warmup=warmup,
                profile_device=profile_device,
                max_ns=0 if max_seconds is None else max(1, int(max_seconds * 1e9)),
            )
        interrupted = status == library.lib.VGFIO_INTERRUPTED
        if not interrupted:
            library.check(status)
        return Run(records[:written], parts[:written], interrupted)

    def paths(self) -> list[TensorPath]:
        """How each tensor of each delegate crossed the boundary in the last inference."""
        return self._native.paths()

    def report(self) -> dict[str, Any]:
        """The sections of a report that the library knows: tool, host, device, model, io,
        init."""
        return self._native.report()

    def close(self) -> None:
        """Ends the session and lets the buffers go. Further calls do nothing."""
        self._native.destroy()
        self._bound.clear()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new_buffer(self, direction: int, index: int, info: TensorInfo) -> AlignedArray:
        lent = self._native.lend(direction, index) if self._lends else None
        if lent is None:
            return buffers.allocate(info)
        return AlignedArray(buffers.view(lent, info), lent)

    def _bind_callers(self, direction: int, index: int, array: Array | AlignedArray) -> None:
        infos = (self.inputs, self.outputs)[direction]
        if not 0 <= index < len(infos):
            raise InvalidRequestError(
                f"there is no {DIRECTIONS[direction]} {index}; the model has {len(infos)}"
            )
        if isinstance(array, AlignedArray):
            buffers.check_usable(array.array, infos[index])
            self._bind(direction, index, array)
        else:
            buffers.check_usable(array, infos[index])
            self._bind(direction, index, AlignedArray(array, buffers.bytes_of(array)))

    def _bind(self, direction: int, index: int, buffer: AlignedArray) -> None:
        self._native.bind(direction, index, buffer.address, buffer.capacity)
        self._bound[direction, index] = buffer

    def _buffers(self, direction: int) -> list[AlignedArray]:
        count = len((self.inputs, self.outputs)[direction])
        for index in range(count):
            if (direction, index) not in self._bound:
                raise InvalidRequestError(
                    f"{DIRECTIONS[direction]} {index} is not bound; call allocate() or bind it"
                )
        return [self._bound[direction, index] for index in range(count)]
