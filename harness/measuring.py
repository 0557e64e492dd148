"""One I/O mode of one model under measurement: its records, its outputs, its report."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import host, results, statistics, validity
from harness.buffers import Array, bytes_of
from harness.results import Report
from harness.session import Run, Session
from harness.stepping import Around, Stepper
from harness.validity import Doubt

if TYPE_CHECKING:
    from harness.bench import BenchConfig

# Patterns that outputs are filled with before a run; two, since a model may compute one.
_POISONS = (0xA5, 0x5A)


@dataclass(frozen=True)
class Plan:
    """How the inferences of every mode are cut up."""

    run_id: str
    """The same in all reports of one interleaved run."""
    warmup: int
    blocks: tuple[int, ...]
    """Measured inferences of each block."""
    profile: int


@dataclass
class Arm:
    """A session in one mode and what it has measured so far."""

    mode: str
    session: Session
    requested_mode: str | None = None
    """The mode that this one stands in for; None if it is what was asked for."""
    notes: list[Doubt] = field(default_factory=list)
    """Warnings for the report that its document alone does not show."""
    around: Around = field(default_factory=Around)
    """What to do around each inference; nothing by default."""
    interrupted: bool = False
    warmup_rows: list[dict[str, Any]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    delegate_rows: list[list[dict[str, Any]]] = field(default_factory=list)
    profile_rows: list[dict[str, Any]] = field(default_factory=list)
    spent_ns: int = 0
    """Wall time of the measured blocks, all that belongs to them included."""
    _begin_ns: int = 0
    _stepper: Stepper | None = None
    _states: list[host.HostState] = field(default_factory=list)
    _host: dict[str, Any] | None = None
    """The host as it was before the work; afterwards its load is this program's own."""

    @property
    def name(self) -> str:
        """The mode that was asked for, different from that of every other arm."""
        return self.requested_mode or self.mode

    def warm_up(self, count: int) -> None:
        """Runs the warm-up on the bindings that are measured, from poisoned outputs."""
        self._host = self.session.report()["host"]
        self._begin_ns = time.monotonic_ns()
        self._poison(_POISONS[0])
        if count:
            self.warmup_rows += self._run(count)[1]
        self._states.append(host.sample())

    def run_block(self, number: int, size: int) -> None:
        """Runs one block of measured inferences, unless the run was interrupted."""
        if self.interrupted:
            return
        begin = time.monotonic_ns()
        run, rows = self._run(size, block=number)
        self.spent_ns += time.monotonic_ns() - begin
        self._states.append(host.sample())
        for row in rows:
            row["start_ns"] += begin - self._begin_ns
        self.rows += rows
        if run.delegate_records.shape[1] > 1:
            self.delegate_rows += [results.record_rows(parts) for parts in run.delegate_records]

    def profile(self, count: int) -> None:
        """Runs the pass with device timestamps, where the device has them."""
        if self.interrupted or count == 0 or not self.session.report()["device"]["timestamps"]:
            return
        self.profile_rows = self._run(count, profile_device=True)[1]

    def unwritten_outputs(self) -> list[int]:
        """Outputs that still hold what they were filled with before the run."""
        suspects = self._all_poison(_POISONS[0])
        if not suspects:
            return []
        # Perhaps the model computes just that: see whether it replaces another pattern.
        self._poison(_POISONS[1])
        self._run(1)
        return [index for index in suspects if index in self._all_poison(_POISONS[1])]

    def report(self, plan: Plan, config: BenchConfig, error: str | None = None) -> Report:
        """The report of this mode.

        Args:
            plan: What was to be done.
            config: How.
            error: What ended the work; None if nothing failed.
        """
        sections = self.session.report()
        self._describe_inputs(sections["io"]["inputs"])
        status = "failed" if error else "interrupted" if self.interrupted else "complete"
        document: dict[str, Any] = {
            "schema_version": results.SCHEMA_VERSION,
            "status": status,
            "error": error,
            "tool": sections["tool"],
            "config": self._config(plan, config),
            "host": self._describe_host(sections["host"]),
            "device": sections["device"],
            "model": sections["model"],
            "io": sections["io"],
            "init": self._init(sections["init"]),
            "warmup": self.warmup_rows,
            "iterations": self.rows,
            "profile": None,
            "summary": summary_json(self.rows),
            "warnings": [],
        }
        if self.delegate_rows:
            document["delegates"] = self.delegate_rows
        if self.profile_rows:
            document["profile"] = {
                "iterations": self.profile_rows,
                "summary": summary_json(self.profile_rows),
            }
        doubts = [*self.notes, *validity.check(document)]
        document["warnings"] = [doubt.as_json() for doubt in doubts]
        return results.validate(document)

    def _run(
        self, count: int, profile_device: bool = False, block: int | None = None
    ) -> tuple[Run, list[dict[str, Any]]]:
        """Runs `count` inferences; also their records as a report has them."""
        more: list[dict[str, int]] = []
        if self.around:
            self._stepper = self._stepper or Stepper(self.session, self.around)
            run, more = self._stepper.run(count, profile_device)
        else:
            run = self.session.run(count, profile_device=profile_device)
        self.interrupted = self.interrupted or run.interrupted
        rows = results.record_rows(run.records, block)
        for row, around in zip(rows, more, strict=bool(more)):
            row.update(around)
        return run, rows

    def _config(self, plan: Plan, config: BenchConfig) -> dict[str, Any]:
        return {
            "source": "harness",
            "io_mode": self.mode,
            "requested_io_mode": self.name,
            "warmup": plan.warmup,
            "iterations": sum(plan.blocks),
            "io_alignment": config.io_alignment,
            "wait": config.wait,
            "seed": config.seed,
            "require_zero_copy": config.require_zero_copy,
            "allow_planned_io": config.allow_planned_io,
            "command_line": None,
            "run_id": plan.run_id,
            "blocks": len(plan.blocks),
            "profile_iterations": plan.profile,
            "buffers": max(1, len(self.around.ring)),
            "copy_memory": config.copy_memory,
            "min_time": config.min_time,
            "max_time": config.max_time,
            "pace": config.pace,
            "end_to_end": config.end_to_end,
        }

    def _describe_host(self, native: Mapping[str, Any]) -> dict[str, Any]:
        described: dict[str, Any] = dict(self._host or native)
        described["logging"] = host.logging_variables()
        if self._states:
            described["begin"] = self._states[0].as_json()
            described["end"] = self._states[-1].as_json()
            clocks = [state.cpu_mhz for state in self._states if state.cpu_mhz is not None]
            described["slowest_cpu_mhz"] = min(clocks, default=None)
            described["clock_resolution_ns"] = host.clock_resolution_ns()
        return described

    def _init(self, native: Mapping[str, Any]) -> dict[str, Any]:
        """With the imports of the warm-up, which to the library are those of any run."""
        imports = sum(int(row["import_ns"]) for row in self.warmup_rows)
        return {**native, "import_ns": native["import_ns"] + imports}

    def _describe_inputs(self, tensors: Sequence[dict[str, Any]]) -> None:
        data = self.session.input_data
        if data is None:
            return
        for tensor, digest in zip(tensors, data.sha256(), strict=True):
            tensor["source"] = data.source
            tensor["sha256"] = digest

    def _poison(self, pattern: int) -> None:
        for array in self._all_outputs():
            bytes_of(array)[...] = pattern

    def _all_outputs(self) -> list[Array]:
        """The outputs of every set of the ring, or the bound ones."""
        if not self.around.ring:
            return self.session.output_arrays
        return [buffer.array for _, outputs in self.around.ring for buffer in outputs]

    def _all_poison(self, pattern: int) -> list[int]:
        """Of the bound outputs: a set of a long ring may never have had its turn."""
        return [
            index
            for index, array in enumerate(self.session.output_arrays)
            if array.size and bool(np.all(bytes_of(array) == pattern))
        ]


def different_outputs(a: Arm, b: Arm) -> list[int]:
    """Outputs whose bytes differ between two modes."""
    pairs = zip(a.session.output_arrays, b.session.output_arrays, strict=True)
    return [
        index
        for index, (left, right) in enumerate(pairs)
        if not np.array_equal(bytes_of(left), bytes_of(right))
    ]


def summary_json(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Statistics of every metric, as a report holds them; None for no records."""
    if not rows:
        return None
    summary: dict[str, Any] = {}
    for metric in results.metrics():
        if metric not in rows[0]:
            continue
        samples = results.column(rows, metric)
        found = statistics.summarize(samples[~np.isnan(samples)])
        summary[metric] = None if found is None else asdict(found)
    return summary


def median_latency(rows: Sequence[Mapping[str, Any]]) -> float:
    """In ns; infinite without records, as after an interruption."""
    return float(np.median(results.column(rows, "latency_ns"))) if rows else math.inf
