"""Inferences one by one, with what an application does around each of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.buffers import Array
from harness.session import BufferSet, Run, Session

# The scheduler wakes a sleeper up late; the rest of the time to a start is spun away.
_SPIN_NS = 1_000_000


@dataclass(frozen=True)
class Around:
    """What to do around each inference.

    Attributes:
        ring: Sets of buffers that are bound in turn; empty for none.
        end_to_end: Fill the inputs from other memory before, copy the outputs out after.
        fps: Inferences begin at this rate; 0 for one after the other.
    """

    ring: Sequence[BufferSet] = ()
    end_to_end: bool = False
    fps: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.ring) or self.end_to_end or self.fps > 0


@dataclass
class Stepper:
    """Runs a session that way. The application's own memory is allocated on the first run."""

    session: Session
    around: Around
    _turn: int = 0
    _source: list[Array] = field(default_factory=list)
    _sink: list[Array] = field(default_factory=list)

    def run(self, count: int, profile_device: bool = False) -> tuple[Run, list[dict[str, int]]]:
        """Runs `count` inferences, each in a native call of its own.

        Returns:
            The records, and for each inference what was measured around it in nanoseconds:
            `late_ns` from the scheduled to the real start, `fill_ns`, `read_ns`, and
            `end_to_end_ns`, their sum with the latency. The time that this loop itself takes
            between them is in none.
        """
        self._allocate()
        runs: list[Run] = []
        around: list[dict[str, int]] = []
        begin = time.monotonic_ns()
        for number in range(count):
            if self.around.ring:
                self.session.bind_set(self.around.ring[self._turn % len(self.around.ring)])
                self._turn += 1
            late = self._wait_for_turn(begin, number)
            offset = time.monotonic_ns() - begin
            fill = self._copy(self.session.input_arrays, self._source)
            run = self.session.run(1, profile_device=profile_device)
            read = self._copy(self._sink, self.session.output_arrays)
            run.records["start_ns"] += np.uint64(offset)
            runs.append(run)
            if run.records.size:
                around.append(_times(late, fill, int(run.records["latency_ns"][0]), read))
            if run.interrupted:
                break
        records = np.concatenate([run.records for run in runs])
        parts = np.concatenate([run.delegate_records for run in runs])
        measures = self.around.end_to_end or self.around.fps > 0
        return Run(records, parts, runs[-1].interrupted), around if measures else []

    def _allocate(self) -> None:
        if self.around.end_to_end and not self._sink:
            self._source = [array.copy() for array in self.session.input_arrays]
            self._sink = [np.zeros_like(array) for array in self.session.output_arrays]

    def _wait_for_turn(self, begin: int, number: int) -> int:
        """Until the scheduled start; how late it is. A late inference does not shift the
        next ones, so that waiting in the queue counts as well."""
        if self.around.fps <= 0:
            return 0
        due = begin + round(number * 1e9 / self.around.fps)
        while (left := due - time.monotonic_ns()) > 0:
            if left > 2 * _SPIN_NS:
                time.sleep((left - _SPIN_NS) / 1e9)
        return -left

    def _copy(self, targets: Sequence[Array], sources: Sequence[Array]) -> int:
        if not self.around.end_to_end:
            return 0
        begin = time.monotonic_ns()
        for target, source in zip(targets, sources, strict=True):
            np.copyto(target, source)
        return time.monotonic_ns() - begin


def _times(late: int, fill: int, latency: int, read: int) -> dict[str, int]:
    return {
        "late_ns": late,
        "fill_ns": fill,
        "read_ns": read,
        "end_to_end_ns": late + fill + latency + read,
    }
