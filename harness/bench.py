"""What to run: models in I/O modes, interleaved in one process, with their outputs checked."""

from __future__ import annotations

import contextlib
import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness import inputs, interrupts, measuring, planning
from harness.compare import Comparison, compare
from harness.errors import HarnessError, InterruptedRunError, InvalidRequestError, RunFailedError
from harness.measuring import Arm, Plan
from harness.progress import Progress, silent
from harness.results import Report
from harness.session import Session
from harness.stepping import Around
from harness.tensors import TensorPath
from harness.validity import LENT_INSTEAD, STOPPED_EARLY, Doubt

COPY, ZERO_COPY, STAGED, LEND = "copy", "zero_copy", "staged", "lend"
MODES = (COPY, ZERO_COPY, STAGED, LEND)
AUTO = "auto"
"""Instead of a mode: whichever of copy, zero-copy and staged is fastest in a short trial."""

# Inferences of each candidate in that trial, in this many turns.
_TRIAL_TURNS, _TRIAL_INFERENCES = 5, 4

# Reasons for a fallback that another buffer does not mend: the device cannot import at all.
_NO_IMPORT = frozenset(
    {
        "extension_missing",
        "import_failed",
        "import_does_not_alias",
        "no_common_memory_type",
        "not_host_coherent",
    }
)


@dataclass(frozen=True)
class BenchConfig:
    """What to measure and how. Counts are inferences per mode."""

    models: Sequence[Path]
    modes: Sequence[str] = (COPY, ZERO_COPY)
    inputs: Sequence[str] = ()
    """Files, as `--inputs` takes them; none for seeded random data."""
    iterations: int = 200
    warmup: int = 20
    blocks: int = 10
    """Into how many blocks the measured inferences of each mode are cut and interleaved."""
    profile_iterations: int = 20
    """Of the pass with device timestamps; 0 for none."""
    seed: int = 0
    method: str = ""
    data: Path | None = None
    device: str | None = None
    wait: str = "adaptive"
    io_alignment: int = 0
    require_zero_copy: bool = False
    allow_planned_io: bool = False
    library: Path | None = None
    copy_memory: str = "auto"
    """Kind of memory that copy mode copies to and from."""
    buffers: int = 1
    """Sets of input and output buffers that are bound in turn, one per inference."""
    min_time: float = 0.0
    """Seconds of measured inferences of each mode at least, beside `iterations`."""
    max_time: float | None = None
    """Seconds of measured inferences of each mode at most, also if that is fewer iterations."""
    processes: int = 1
    """Fresh processes that measure one after the other, each all modes."""
    process: int = 0
    """Which of them this is: each has another order of blocks."""
    pace: float = 0.0
    """Inferences per second that are scheduled; 0 for one after the other."""
    end_to_end: bool = False
    """Fill inputs and read outputs around every inference, as part of its time."""
    runner: Path | None = None
    """An executor_runner built elsewhere whose processes measure instead of the library."""
    launcher: tuple[str, ...] = ()
    """Program and arguments that start the runner; empty to start it directly."""


@dataclass(frozen=True)
class BenchResult:
    """One model: a report per mode, or the error that ended it."""

    model: Path
    reports: dict[str, Report] = field(default_factory=dict)
    """By the mode that was asked for; with an error, what was measured before it, as failed."""
    comparison: Comparison | None = None
    """Of the first two modes; None for a single one or after an interruption."""
    error: HarnessError | None = None
    interrupted: bool = False
    label: str = ""
    """What tables call it; the model's file name where empty."""


def run(config: BenchConfig, progress: Progress = silent) -> list[BenchResult]:
    """Measures every model. A model that fails becomes a result with its error and the
    others run; an interruption ends the work with what was measured.

    Raises:
        InvalidRequestError: The configuration itself is wrong.
    """
    config = replace(config, modes=tuple(mode.replace("-", "_") for mode in config.modes))
    _check(config)
    finished: list[BenchResult] = []
    with interrupts.guard():
        for model in config.models:
            if interrupts.stop_requested():
                break
            alone = config.processes == 1 and config.runner is None
            work = _run_model if alone else _run_processes
            finished.append(work(model, config, progress))
            if finished[-1].interrupted:
                break
    return finished


def first_two_compared(reports: Mapping[str, Report]) -> Comparison | None:
    """The comparison that belongs to a result with these reports; None for a single one."""
    both = list(reports.values())[:2]
    return compare(both[0], both[1]) if len(both) > 1 else None


def are_modes(modes: Sequence[str]) -> bool:
    """Whether they can be measured together: at least one, each known and named once."""
    return bool(modes) and set(modes) <= {*MODES, AUTO} and len(set(modes)) == len(modes)


def _check(config: BenchConfig) -> None:
    if not config.models:
        raise InvalidRequestError("no model to measure; name at least one .pte file")
    if not are_modes(config.modes):
        raise InvalidRequestError(
            f"I/O modes {', '.join(config.modes) or '(none)'}: name each of "
            f"{', '.join((*MODES, AUTO))} at most once, and at least one"
        )
    planning.check(config)
    if config.runner is not None or config.launcher:
        from harness import runner_process

        runner_process.check(config)


def _run_model(model: Path, config: BenchConfig, progress: Progress) -> BenchResult:
    plan = Plan(
        run_id=uuid.uuid4().hex,
        warmup=config.warmup,
        blocks=planning.blocks(replace(config, min_time=0.0, max_time=None), ()),
        profile=config.profile_iterations,
    )
    arms: list[Arm] = []
    with contextlib.ExitStack() as sessions:
        try:
            for mode in config.modes:
                if mode == AUTO:
                    progress(f"{model.stem}: choosing", 0, 1)
                    arms.append(_choose(model, config, sessions))
                else:
                    arms.append(_open_arm(model, mode, config, sessions))
            progress(f"{model.stem}: warm-up", 0, _inferences(arms, plan))
            for index, arm in enumerate(arms):
                arms[index] = _warm_up(arm, model, config, sessions)
            latencies = [measuring.median_latency(arm.warmup_rows) for arm in arms]
            plan = replace(plan, blocks=planning.blocks(config, latencies))
            return _measure(model, arms, plan, config, progress)
        except InterruptedRunError:
            return BenchResult(model, interrupted=True)
        except HarnessError as error:
            return BenchResult(model, _failed_reports(arms, plan, config, error), error=error)


def _run_processes(model: Path, config: BenchConfig, progress: Progress) -> BenchResult:
    from harness import processes, runner_process

    measure = processes.measure if config.runner is None else runner_process.measure
    measured = measure(model, config, uuid.uuid4().hex, progress)
    comparison, error = None, measured.error
    if not measured.error and not measured.interrupted:
        try:
            comparison = first_two_compared(measured.reports)
        except HarnessError as different:  # such as a device that changed between processes
            error = different
    return BenchResult(model, measured.reports, comparison, error, measured.interrupted)


def _failed_reports(
    arms: Sequence[Arm], plan: Plan, config: BenchConfig, error: HarnessError
) -> dict[str, Report]:
    reports = {}
    for arm in arms:
        # A session that is closed, or whose device is lost, may have nothing to say any more.
        with contextlib.suppress(HarnessError):
            reports[arm.name] = arm.report(plan, config, error.message)
    return reports


def _open_arm(model: Path, mode: str, config: BenchConfig, sessions: contextlib.ExitStack) -> Arm:
    session = sessions.enter_context(_open_session(model, mode, config))
    data = inputs.resolve(config.inputs, session.inputs, config.seed)
    session.allocate(data.arrays)
    session.input_data = data
    arm = Arm(mode, session)
    ring = session.make_ring(config.buffers) if config.buffers > 1 else ()
    arm.around = Around(ring, config.end_to_end, config.pace)
    return arm


def _choose(model: Path, config: BenchConfig, sessions: contextlib.ExitStack) -> Arm:
    """The fastest of the candidates, freshly opened: their trials took turns, so that a drift
    of the machine meets all of them."""
    with contextlib.ExitStack() as trials:
        candidates = [_open_arm(model, mode, config, trials) for mode in (COPY, ZERO_COPY, STAGED)]
        for arm in candidates:
            arm.warm_up(_TRIAL_INFERENCES)
        for turn in range(_TRIAL_TURNS):
            for arm in candidates:
                arm.run_block(turn, _TRIAL_INFERENCES)
        fastest = min(candidates, key=lambda arm: measuring.median_latency(arm.rows)).mode
    chosen = _open_arm(model, fastest, config, sessions)
    chosen.requested_mode = AUTO
    return chosen


def _warm_up(arm: Arm, model: Path, config: BenchConfig, sessions: contextlib.ExitStack) -> Arm:
    """Warms a mode up. Where the device refuses every import, zero-copy is replaced, visibly:
    memory that the session lends saves the same copies."""
    arm.warm_up(config.warmup)
    paths = [path for path in arm.session.paths() if path.path != "none"]
    refused = bool(paths) and all(path.reason in _NO_IMPORT for path in paths)
    if arm.mode != ZERO_COPY or not refused:
        return arm
    arm.session.close()
    lending = _open_arm(model, LEND, config, sessions)
    lending.requested_mode = ZERO_COPY
    lending.notes.append(_lent_instead(paths[0]))
    lending.warm_up(config.warmup)
    return lending


def _lent_instead(refused: TensorPath) -> Doubt:
    detail = f": {refused.detail}" if refused.detail else ""
    return Doubt(
        LENT_INSTEAD,
        f"no buffer could be imported ({refused.reason}{detail}), so the device's own memory was "
        "lent to the caller, which saves the same copies",
        refused.remedy,
    )


def _stopped_early(done: int, planned: int) -> Doubt:
    return Doubt(
        STOPPED_EARLY,
        f"--max-time ended the run after {done} of {planned} blocks: inferences took longer than "
        "in the warm-up",
        "give it more time (--max-time) or ask for fewer --iterations",
    )


def _open_session(model: Path, mode: str, config: BenchConfig) -> Session:
    return Session.open(
        model,
        io_mode=mode,
        method=config.method,
        data=config.data,
        device=config.device,
        wait=config.wait,
        io_alignment=config.io_alignment,
        require_zero_copy=config.require_zero_copy and mode != COPY,
        allow_planned_io=config.allow_planned_io,
        library=config.library,
        copy_memory=config.copy_memory,
        binding_sets=max(16, config.buffers) if config.buffers > 1 else 0,
    )


def _measure(
    model: Path, arms: Sequence[Arm], plan: Plan, config: BenchConfig, progress: Progress
) -> BenchResult:
    total = _inferences(arms, plan)
    done = 0
    for arm, count in _schedule(arms, plan, config):
        done += count
        progress(f"{model.stem}: {arm.mode}", done, total)
        if arm.interrupted:
            break
    interrupted = any(arm.interrupted for arm in arms)
    if not interrupted:
        _check_outputs(arms)
    reports = {arm.name: arm.report(plan, config) for arm in arms}
    comparison = None if interrupted else first_two_compared(reports)
    return BenchResult(model, reports, comparison, interrupted=interrupted)


def _inferences(arms: Sequence[Arm], plan: Plan) -> int:
    return len(arms) * (sum(plan.blocks) + plan.profile)


def _schedule(arms: Sequence[Arm], plan: Plan, config: BenchConfig) -> Iterator[tuple[Arm, int]]:
    """Does the work step by step; yields who worked and how many inferences that were."""
    order = random.Random(config.seed + config.process)
    for number, size in enumerate(plan.blocks):
        if planning.out_of_time(config.max_time, [arm.spent_ns for arm in arms], number):
            for arm in arms:
                arm.notes.append(_stopped_early(number, len(plan.blocks)))
            break
        for arm in order.sample(list(arms), len(arms)):
            arm.run_block(number, size)
            yield arm, size
    for arm in arms:
        arm.profile(plan.profile)
        yield arm, plan.profile


def _check_outputs(arms: Sequence[Arm]) -> None:
    for arm in arms:
        missing = arm.unwritten_outputs()
        if missing:
            raise RunFailedError(
                f"{arm.mode}: output {missing[0]} was never written; the numbers would be those "
                "of no work"
            )
    for arm in arms[1:]:
        different = measuring.different_outputs(arms[0], arm)
        if different:
            raise outputs_differ(different[0], arms[0].mode, arm.mode)


def outputs_differ(index: int, base: str, other: str) -> RunFailedError:
    """The failure of two modes of which an output is not the same bit for bit."""
    return RunFailedError(
        f"output {index} differs between {base} and {other}; one of them computes something wrong"
    )
