"""A session without a device, for outcomes that a real one cannot be made to have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harness import _ffi
from harness.buffers import AlignedArray, bytes_of
from harness.errors import HarnessError
from harness.inputs import InputData
from harness.session import BufferSet, Run
from harness.tensors import TensorInfo, TensorPath
from tests.python import samples

Array = npt.NDArray[Any]

INFO = TensorInfo("tensor", "float32", (256,), (1,), (0,), 1024, 64, 4096, False)


@dataclass
class Behaviour:
    """What fake sessions do. Counts are inferences of one session."""

    latency_ns: dict[str, int] = field(default_factory=lambda: {"copy": 2000, "zero_copy": 1000})
    compute: Callable[[str, Array, Array], None] = lambda mode, x, y: np.copyto(y, x + 1)
    stop_after: int | None = None
    fail_after: int | None = None
    fail_open: dict[str, HarnessError] = field(default_factory=dict)
    """By the model's file name."""
    error: HarnessError = field(default_factory=lambda: HarnessError("the device is lost"))
    reason: dict[str, str] = field(default_factory=dict)
    """Why everything is copied, by mode."""
    timestamps: bool = True


@dataclass
class FakeSession:
    """Has what `Session` has, and a diary of what was asked of it."""

    model: Path
    options: dict[str, Any]
    behaviour: Behaviour
    diary: list[tuple[str, int, bool]]
    done: int = 0
    closed: bool = False
    inputs: tuple[TensorInfo, ...] = (INFO,)
    outputs: tuple[TensorInfo, ...] = (INFO,)
    input_data: InputData | None = None
    input_arrays: list[Array] = field(default_factory=list)
    output_arrays: list[Array] = field(default_factory=list)
    ring: list[BufferSet] = field(default_factory=list)
    bound: list[int] = field(default_factory=list)
    """Which sets of the ring were bound, in order."""

    @property
    def mode(self) -> str:
        return str(self.options["io_mode"])

    def allocate(self, arrays: Sequence[Array]) -> None:
        self.input_arrays = [array.copy() for array in arrays]
        self.output_arrays = [np.zeros(INFO.shape, np.float32)]

    def make_ring(self, count: int) -> list[BufferSet]:
        def buffer(array: Array) -> AlignedArray:
            return AlignedArray(array, bytes_of(array))

        self.ring = [
            (
                tuple(buffer(array.copy()) for array in self.input_arrays),
                tuple(buffer(array.copy()) for array in self.output_arrays),
            )
            for _ in range(count)
        ]
        return self.ring

    def bind_set(self, buffer_set: BufferSet) -> None:
        self.bound.append(next(i for i, one in enumerate(self.ring) if one is buffer_set))
        self.input_arrays, self.output_arrays = (
            [buffer.array for buffer in side] for side in buffer_set
        )

    def run(self, iterations: int, *, profile_device: bool = False) -> Run:
        self.diary.append((self.mode, iterations, profile_device))
        records = np.zeros(iterations, _ffi.record_dtype())
        for index in range(iterations):
            if self.done == self.behaviour.fail_after:
                raise self.behaviour.error
            if self.done == self.behaviour.stop_after:
                return self._ran(records[:index], interrupted=True)
            self.done += 1
            self.behaviour.compute(self.mode, self.input_arrays[0], self.output_arrays[0])
            records[index]["latency_ns"] = self.behaviour.latency_ns[self.mode]
            records[index]["gpu_ns"] = 500 if profile_device else 0
            records[index]["gpu_ns_valid"] = profile_device
        return self._ran(records, interrupted=False)

    def paths(self) -> list[TensorPath]:
        found = samples.path("input", **self._path())
        return [TensorPath(**{**found, "detail": found["detail"] or "", "remedy": "change it"})]

    def report(self) -> dict[str, Any]:
        return {
            "tool": samples.TOOL,
            "host": samples.HOST,
            "device": {**samples.GPU, "timestamps": self.behaviour.timestamps},
            "model": {**samples.MODEL, "path": str(self.model)},
            "io": {
                "inputs": [samples.tensor()],
                "outputs": [samples.tensor()],
                "tensors": [samples.path("input", **self._path())],
            },
            "init": samples.INIT,
        }

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> FakeSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _path(self) -> dict[str, str]:
        reason = self.behaviour.reason.get(self.mode, "none")
        copied = self.mode == "copy" or reason != "none"
        taken = "copy" if copied else {"lend": "lent"}.get(self.mode, self.mode)
        return {"path": taken, "reason": reason}

    @staticmethod
    def _ran(records: Array, interrupted: bool) -> Run:
        return Run(records, records.reshape(-1, 1), interrupted)


@dataclass
class FakeSessions:
    """Stands in for the class `Session`."""

    behaviour: Behaviour = field(default_factory=Behaviour)
    opened: list[FakeSession] = field(default_factory=list)
    diary: list[tuple[str, int, bool]] = field(default_factory=list)
    """Every run in order: mode, inferences, with device timestamps."""

    def open(self, model: Path, **options: Any) -> FakeSession:
        if error := self.behaviour.fail_open.get(model.name):
            raise error
        session = FakeSession(model, options, self.behaviour, self.diary)
        self.opened.append(session)
        return session
