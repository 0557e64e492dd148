"""A model measured by processes of a runner built elsewhere, and their reports joined.

In rounds: in each of them every mode has one process. Of the runner only its command line and
the report it writes are known; this process needs no native library and opens no device.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

from harness import bench, host, inputs, interrupts, planning, processes, results
from harness.bench import COPY, ZERO_COPY, BenchConfig
from harness.buffers import bytes_of
from harness.errors import (
    HarnessError,
    InterruptedRunError,
    InvalidRequestError,
    RunFailedError,
    from_status,
)
from harness.inputs import InputData
from harness.processes import Measured
from harness.progress import Progress
from harness.results import Document, Report
from harness.tensors import TensorInfo

# The I/O modes, as the runner's environment says them.
_VARIABLE = "ET_VGF_ZERO_COPY"
_MODES = {COPY: "0", ZERO_COPY: "1"}
# Settings for which the runner's command line has no flag, and what there is instead.
_NO_FLAG = "the runner's command line has no flag for it"
_REFUSED = {
    "processes": "every block is measured by fresh processes already; say --blocks",
    "device": _NO_FLAG,
    "wait": _NO_FLAG,
    "copy_memory": _NO_FLAG,
    "buffers": _NO_FLAG,
    "min_time": "the runner counts inferences; say --iterations",
    "max_time": "the runner counts inferences; say --iterations",
    "pace": _NO_FLAG,
    "end_to_end": _NO_FLAG,
    "library": "the runner has the library's code inside",
}
_FLAGS = {"library": "runner-lib"}
_LEAST_ROUNDS = 2
_POLL_SECONDS = 0.05
# How much of what a runner said last is looked at, in bytes.
_TAIL = 1 << 16
# As gflags says it, and the runner of this project.
_UNKNOWN_FLAG = re.compile(r"unknown (?:command line )?flag '?-{0,2}(\w+)")
# Warnings of the runner that its report alone does not show.
_KEPT = frozenset({"input_changed"})


def check(config: BenchConfig) -> None:
    """Refuses what cannot be measured with the configured runner, before anything runs.

    Raises:
        InvalidRequestError: A setting that the runner's command line does not know, or runner
            or launcher cannot be started; says which and why.
    """
    if config.runner is None:
        raise InvalidRequestError("--launcher starts a runner; name it with --runner")
    for mode in config.modes:
        if mode not in _MODES:
            raise InvalidRequestError(
                f"I/O mode {mode} has no meaning with --runner: the runner's command line knows "
                f"only {_VARIABLE}=0 (copy) and 1 (zero-copy)"
            )
    defaults = {field.name: field.default for field in fields(BenchConfig)}
    for name, why in _REFUSED.items():
        if getattr(config, name) != defaults[name]:
            flag = _FLAGS.get(name, name.replace("_", "-"))
            raise InvalidRequestError(f"--{flag} has no meaning with --runner: {why}")
    _check_files(config.runner, config.launcher)


def _check_files(runner: Path, launcher: Sequence[str]) -> None:
    if launcher and shutil.which(launcher[0]) is None:
        raise InvalidRequestError(f"--launcher: there is no program {launcher[0]}")
    if not runner.exists():
        raise InvalidRequestError(f"--runner: there is no file {runner}")
    # One for another machine may be no program to this one.
    needed = os.R_OK if launcher else os.X_OK
    if not runner.is_file() or not os.access(runner, needed):
        raise InvalidRequestError(f"--runner: {runner} is no executable file")


def measure(model: Path, config: BenchConfig, run_id: str, progress: Progress) -> Measured:
    """Starts the processes in turn; stops at the first that fails or is interrupted.

    Inputs and outputs lie in a temporary folder for that time.

    Returns:
        A report per mode of what was measured; as failed or interrupted where that ended it.
    """
    with tempfile.TemporaryDirectory(prefix="vgfio-runner-") as folder:
        work = _Work(model, config, Path(folder))
        error: HarnessError | None = None
        try:
            work.run(progress)
            work.check_outputs()
        except HarnessError as failure:
            error = failure
        reports = work.reports(run_id, error)
    interrupted = isinstance(error, InterruptedRunError)
    return Measured(reports, None if interrupted else error, interrupted)


@dataclass(frozen=True)
class _Task:
    """What one process does. Counts are inferences."""

    mode: str
    warmup: int
    iterations: int
    profile: int
    inputs: Sequence[str] = ()
    """Files; none for data of the runner's own."""
    outputs: Path | None = None
    """What the names of the outputs' files begin with; None to write none."""


class _Work:
    """The rounds of one model."""

    def __init__(self, model: Path, config: BenchConfig, folder: Path) -> None:
        self._config = config
        self._name = model.stem
        self._folder = folder
        self._runner = _Runner(model, config, folder / "report.json")
        self._data: InputData | None = None
        self._parts: dict[str, list[Report]] = {mode: [] for mode in config.modes}
        self._states: list[host.HostState] = []

    def run(self, progress: Progress) -> None:
        """Runs a short trial, then all rounds.

        Raises:
            HarnessError: Of the process that failed.
            InterruptedRunError: A stop request or the process's own signal ended it.
        """
        blocks = min(self._config.iterations, max(_LEAST_ROUNDS, self._config.blocks))
        sizes = planning.blocks(replace(self._config, blocks=blocks), ())
        total = len(self._config.modes) * sum(sizes)
        progress(f"{self._name}: trial", 0, total)
        trial = self._try()
        files = self._write_inputs(trial)
        profiled = self._config.profile_iterations if trial.device.get("timestamps") else 0
        done = 0
        self._states.append(host.sample())
        for task in self._tasks(sizes, profiled, files):
            progress(f"{self._name}: {task.mode}", done, total)
            report, error = self._runner.run(task)
            self._states.append(host.sample())
            if report is not None and report.document["iterations"]:
                self._parts[task.mode].append(report)
            if error is None and report is not None:
                error = self._contradiction(report, task)
            if error is not None:
                raise error
            done += task.iterations
        progress(f"{self._name}: done", total, total)

    def _tasks(self, sizes: Sequence[int], profiled: int, files: Sequence[str]) -> Iterator[_Task]:
        """Round by round, in random order; the last round writes the outputs."""
        order = random.Random(self._config.seed)
        base, extra = divmod(profiled, len(sizes))
        for number, size in enumerate(sizes):
            last = number == len(sizes) - 1
            for mode in order.sample(list(self._config.modes), len(self._config.modes)):
                yield _Task(
                    mode,
                    warmup=self._config.warmup,
                    iterations=size,
                    profile=base + (number < extra),
                    inputs=files,
                    outputs=self._folder / mode if last else None,
                )

    def _try(self) -> Report:
        """One inference, which tells the model's inputs; with the user's files, unless they
        have to be converted first."""
        named = inputs.split_paths(self._config.inputs)
        raw = [] if any(path.suffix == ".npy" for path in named) else [str(path) for path in named]
        report, error = self._runner.run(_Task(COPY, 0, 1, 0, raw))
        if error is not None:
            raise error
        if report is None or report.document["io"] is None:
            raise RunFailedError(f"the report of {self._runner.name} tells no inputs of the model")
        return report

    def _write_inputs(self, trial: Report) -> list[str]:
        """The same files for all modes and rounds."""
        infos = [_tensor_info(tensor) for tensor in trial.document["io"]["inputs"]]
        self._data = inputs.resolve(self._config.inputs, infos, self._config.seed)
        files = []
        for index, array in enumerate(self._data.arrays):
            file = self._folder / f"input-{index}.bin"
            try:
                bytes_of(array).tofile(file)
            except OSError as error:
                raise RunFailedError(f"cannot write {file}: {error.strerror or error}") from error
            files.append(str(file))
        return files

    def _contradiction(self, report: Report, task: _Task) -> HarnessError | None:
        """What a runner did that it was not asked for; None where all is well."""
        name, count = self._runner.name, len(report.document["iterations"])
        if report.io_mode != task.mode:
            return RunFailedError(
                f"{name} measured {report.io_mode} though {_VARIABLE}={_MODES[task.mode]} asks "
                f"for {task.mode}"
            )
        if count != task.iterations:
            return RunFailedError(f"{name} measured {count} inferences of {task.iterations}")
        tensors = (report.document["io"] or {}).get("inputs", ())
        wanted = self._data.sha256() if self._data is not None else ()
        for index, (tensor, digest) in enumerate(zip(tensors, wanted, strict=False)):
            if tensor.get("sha256") not in (None, digest):
                return RunFailedError(f"{name} did not use the file of input {index} (--inputs)")
        return None

    def check_outputs(self) -> None:
        """Compares what the last processes of the modes have written, bit for bit.

        Raises:
            RunFailedError: An output is missing or differs.
        """
        base, *others = self._config.modes
        for index in range(len(self._parts[base][-1].document["io"]["outputs"])):
            expected = self._output(base, index)
            for mode in others:
                if self._output(mode, index) != expected:
                    raise bench.outputs_differ(index, base, mode)

    def _output(self, mode: str, index: int) -> bytes:
        try:
            return (self._folder / f"{mode}-{index}.bin").read_bytes()
        except OSError as error:
            raise RunFailedError(
                f"{mode}: {self._runner.name} did not write output {index} (--output_file): "
                f"{error.strerror}"
            ) from error

    def reports(self, run_id: str, error: HarnessError | None) -> dict[str, Report]:
        """The joined report of each mode that has measured anything, in the order of modes."""
        found = {}
        for mode, parts in self._parts.items():
            if parts:
                described = [self._described(part, mode) for part in parts]
                found[mode] = _ended(processes.join(described, run_id), parts, error)
        return found

    def _described(self, part: Report, mode: str) -> Report:
        """With what only this process knows."""
        document = dict(part.document)
        document["config"] = {
            **document["config"],
            "requested_io_mode": mode,
            "seed": self._config.seed,
            "profile_iterations": self._config.profile_iterations,
            "runner": self._runner.described,
        }
        document["iterations"] = [{**row, "block": 0} for row in document["iterations"]]
        document["host"] = {**(document["host"] or {}), **self._host()}
        if document["io"] is not None and self._data is not None:
            source = self._data.source
            named = [{**tensor, "source": source} for tensor in document["io"]["inputs"]]
            document["io"] = {**document["io"], "inputs": named}
        return Report(document)

    def _host(self) -> dict[str, Any]:
        clocks = [state.cpu_mhz for state in self._states if state.cpu_mhz is not None]
        return {
            "logging": host.logging_variables(),
            "begin": self._states[0].as_json(),
            "end": self._states[-1].as_json(),
            "slowest_cpu_mhz": min(clocks, default=None),
        }


def _ended(joined: Report, parts: Sequence[Report], error: HarnessError | None) -> Report:
    """With the warnings that only the runner knows, and how the whole work ended."""
    told = (warning for part in parts for warning in part.document["warnings"])
    kept = {warning["code"]: warning for warning in told if warning["code"] in _KEPT}
    document = {**joined.document, "warnings": [*kept.values(), *joined.document["warnings"]]}
    if isinstance(error, InterruptedRunError):
        document.update(status="interrupted", error=None)
    elif error is not None:
        document.update(status="failed", error=error.message)
    return results.validate(document)


def _tensor_info(tensor: Document) -> TensorInfo:
    """An input as the bench's own sessions describe it."""
    values: dict[str, Any] = {}
    for field in fields(TensorInfo):
        value = tensor[field.name]
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return TensorInfo(**values)


class _Runner:
    """The program, its command line and how it ends.

    Attributes:
        name: What messages call it.
        described: What the report says of it.
    """

    def __init__(self, model: Path, config: BenchConfig, report: Path) -> None:
        """Takes the settings; starts nothing.

        Args:
            model: The .pte file.
            config: With a runner.
            report: The file that each process writes its report to.
        """
        assert config.runner is not None
        self._model, self._config, self._report = model, config, report
        # A plain name would be looked for in PATH.
        self._path = config.runner.absolute()
        self.name = str(config.runner)
        self.described = {
            "path": str(self._path),
            "sha256": hashlib.sha256(self._path.read_bytes()).hexdigest(),
            "launcher": list(config.launcher),
        }

    def run(self, task: _Task) -> tuple[Report | None, HarnessError | None]:
        """Runs one process until its end.

        Returns:
            Its report if it wrote one, and what went wrong; never neither.
        """
        if interrupts.stop_requested():
            return None, InterruptedRunError("stopped")
        self._report.unlink(missing_ok=True)
        try:
            code, said = _start(self._command(task), {_VARIABLE: _MODES[task.mode]})
        except OSError as error:
            return None, InvalidRequestError(
                f"cannot start {self.name}: {error.strerror}; one for another machine needs its "
                "--launcher"
            )
        report, problem = self._read()
        if interrupts.stop_requested() and report is None:
            return None, InterruptedRunError("stopped")  # before there was anything to report
        if report is not None and report.status == "interrupted":
            return report, InterruptedRunError("stopped")
        if code != 0:
            return report, self._failure(code, said)
        if report is not None and report.status == "failed":
            problem = RunFailedError(f"{self.name}: {report.error}")
        return report, problem and _with_words(problem, said)

    def _command(self, task: _Task) -> list[str]:
        config = self._config
        flags: dict[str, object] = {
            "model_path": self._model,
            "inputs": ",".join(file.replace(",", r"\,") for file in task.inputs),
            "print_output": "none",
            "vgf_perf_json": self._report,
            "vgf_perf_warmup": task.warmup,
            "vgf_perf_iterations": task.iterations,
            "vgf_perf_profile_iterations": task.profile,
            "vgf_io_alignment": config.io_alignment or "",
            "method_name": config.method,
            "data_path": config.data or "",
            "output_file": task.outputs or "",
        }
        command = [*config.launcher, str(self._path)]
        command += [f"--{flag}={value}" for flag, value in flags.items() if value != ""]
        if config.require_zero_copy and task.mode != COPY:
            command.append("--vgf_require_zero_copy")
        if config.allow_planned_io:
            command.append("--vgf_allow_planned_io")
        return command

    def _read(self) -> tuple[Report | None, HarnessError | None]:
        """The report that was written, or what is wrong with it."""
        if not self._report.exists():
            return None, InvalidRequestError(
                f"{self.name} wrote no report; name an executor_runner with the VGF benchmark mode"
            )
        try:
            document = results.read(self._report)
        except InvalidRequestError:
            return None, InvalidRequestError(f"the report of {self.name} is no JSON")
        try:
            return results.validate(document, f"the report of {self.name}"), None
        except InvalidRequestError as error:
            return None, error

    def _failure(self, code: int, said: str) -> HarnessError:
        """The error for a process that ended with another code than 0."""
        unknown = _UNKNOWN_FLAG.findall(said)
        problem: HarnessError
        if "vgf_perf_json" in unknown:
            problem = InvalidRequestError(
                f"{self.name} has no benchmark mode (--vgf_perf_json): it was built without "
                "EXECUTORCH_VGF_IO_STATS, or it is another program"
            )
        elif unknown:
            problem = InvalidRequestError(f"{self.name} has no flag --{unknown[0]}")
        elif code < 0:
            problem = RunFailedError(f"{self.name} was ended by {_signal_name(-code)}")
        elif code > 128 and code != InterruptedRunError.exit_code:  # a launcher's way to say it
            problem = RunFailedError(
                f"{self.name} ended with {code}, as after {_signal_name(code - 128)}"
            )
        else:
            problem = from_status(code, f"{self.name} ended with {code}")
        return _with_words(problem, said)


def _with_words(problem: HarnessError, said: str) -> HarnessError:
    """With the last line of what the program said."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "it said nothing"
    plain = "".join(char if char.isprintable() else " " for char in last)
    return type(problem)(f"{problem.message}: {plain}", problem.detail)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _start(command: Sequence[str], variables: dict[str, str]) -> tuple[int, str]:
    """Runs a program until its end; a stop request reaches it as SIGINT.

    Returns:
        Its exit code, negative for a signal, and the end of what it wrote to stderr.
    Raises:
        OSError: It cannot be started.
    """
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **variables},
            start_new_session=True,  # only this process passes signals on, once
        )
        try:
            _wait(child)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        return child.returncode, _tail(errors)


def _wait(child: subprocess.Popen[bytes]) -> None:
    told = False
    while True:
        try:
            child.wait(_POLL_SECONDS)
            return
        except subprocess.TimeoutExpired:
            if interrupts.stop_requested() and not told:
                # As a terminal does: a launcher need not pass signals on.
                os.killpg(child.pid, signal.SIGINT)
                told = True


def _tail(file: BinaryIO) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL))
    return file.read().decode(errors="replace")
