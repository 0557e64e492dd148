"""A model measured by several processes, one after the other, and their reports joined.

What varies from process to process and not inside one (where memory lies, how shaders were
compiled) shows only so. This process never opens the device.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import interrupts, locations, measuring, results, statistics, validity
from harness.errors import HarnessError, from_status
from harness.progress import Progress
from harness.results import Document, Report
from harness.validity import Doubt

if TYPE_CHECKING:
    from harness.bench import BenchConfig

_POLL_SECONDS = 0.05
# Warnings of a process that its document alone does not show.
_KEPT = frozenset({validity.LENT_INSTEAD, validity.STOPPED_EARLY})


@dataclass(frozen=True)
class Measured:
    """What all processes found.

    Attributes:
        reports: By the mode that was asked for, joined over the processes that have one.
        error: Of the first process that failed; the ones after it were not started.
        interrupted: Whether a stop request ended the work.
    """

    reports: dict[str, Report]
    error: HarnessError | None
    interrupted: bool


def measure(model: Path, config: BenchConfig, run_id: str, progress: Progress) -> Measured:
    """Starts the processes in turn, each with all modes; stops at the first that fails."""
    found: dict[str, list[Report]] = {}
    error, interrupted = None, False
    for number in range(config.processes):
        progress(f"{model.stem}: process {number + 1}", number, config.processes)
        single = replace(config, models=(model,), processes=1, process=number)
        try:
            result = _start(single)
        except HarnessError as failure:
            error = failure
            break
        for mode, document in result["reports"].items():
            found.setdefault(mode, []).append(results.validate(document))
        interrupted = bool(result["interrupted"])
        if result["error"] is not None:
            error = from_status(result["exit_code"], result["error"])
        if error or interrupted:
            break
    progress(f"{model.stem}: done", config.processes, config.processes)
    joined = {mode: join(reports, run_id) for mode, reports in found.items()}
    return Measured(_with_disagreement(joined), error, interrupted)


def join(reports: Sequence[Report], run_id: str) -> Report:
    """One report of one mode from those of several processes.

    Records get the number of their process, blocks stay different from each other, and a later
    process begins where the one before it ended.
    """
    first = reports[0].document
    document: dict[str, Any] = {
        **first,
        "config": {**first["config"], "run_id": run_id, "processes": len(reports)},
        "processes": [{"init": r.document["init"], "host": r.document["host"]} for r in reports],
    }
    document["config"]["blocks"] = sum(len(np.unique(report.blocks())) for report in reports)
    for section in ("warmup", "iterations"):
        document[section] = _joined_rows([report.document[section] for report in reports])
    document["config"]["iterations"] = len(document["iterations"])
    document["summary"] = measuring.summary_json(document["iterations"])
    document["profile"] = _joined_profile([report.document["profile"] for report in reports])
    if "delegates" in first:
        document["delegates"] = [row for r in reports for row in r.document["delegates"]]
    last = reports[-1].document
    document["status"], document["error"] = last["status"], last["error"]
    warnings = (warning for report in reports for warning in report.document["warnings"])
    kept = {warning["code"]: warning for warning in warnings if warning["code"] in _KEPT}
    document["warnings"] = [
        *kept.values(),
        *(doubt.as_json() for doubt in validity.check(document)),
    ]
    return results.validate(document)


def _joined_rows(parts: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    begin, block = 0, 0
    for process, part in enumerate(parts):
        for record in part:
            row = {**record, "process": process, "start_ns": record["start_ns"] + begin}
            if "block" in record:
                row["block"] = record["block"] + block
            rows.append(row)
        if part:
            begin = rows[-1]["start_ns"] + rows[-1]["latency_ns"]
            block = rows[-1].get("block", -1) + 1
    return rows


def _joined_profile(profiles: Sequence[Document | None]) -> dict[str, Any] | None:
    rows = [row for profile in profiles if profile for row in profile["iterations"]]
    return {"iterations": rows, "summary": measuring.summary_json(rows)} if rows else None


def _with_disagreement(reports: dict[str, Report]) -> dict[str, Report]:
    """With a warning where two processes exclude each other's ratio of the first two modes."""
    if len(reports) < 2:
        return reports
    base, new = list(reports.values())[:2]
    ratios = [
        statistics.paired_ratio(a, b)
        for a, b in zip(base.blocks_by_process(), new.blocks_by_process(), strict=False)
    ]
    intervals = [ratio.interval for ratio in ratios if ratio is not None and ratio.decides]
    if not intervals or max(i.low for i in intervals) <= min(i.high for i in intervals):
        return reports
    estimates = sorted(interval.estimate for interval in intervals)
    doubt = Doubt(
        "processes_disagree",
        f"single processes found ratios from {estimates[0]:.3f} to {estimates[-1]:.3f}, and their "
        "intervals exclude each other",
        f"measure with at least {statistics.MINIMUM_PAIRS} --processes: the verdict then rests on "
        "the differences between them",
    )
    return {mode: _with_warning(report, doubt) for mode, report in reports.items()}


def _with_warning(report: Report, doubt: Doubt) -> Report:
    warnings = [*report.document["warnings"], doubt.as_json()]
    return results.validate({**report.document, "warnings": warnings})


def _start(config: BenchConfig) -> dict[str, Any]:
    """The result of one process, as the bench command writes it."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "harness.worker"],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=errors,
            text=True,
            env=locations.child_environment(),
            start_new_session=True,  # only this process passes signals on, once
        )
        assert child.stdin is not None
        # A child that failed at once reads nothing.
        with contextlib.suppress(BrokenPipeError), child.stdin:
            child.stdin.write(json.dumps(asdict(config), default=str))
        _wait(child)
        output.seek(0)
        errors.seek(0)
        return _result(child.returncode, output.read(), errors.read())


def _wait(child: subprocess.Popen[str]) -> None:
    told = False
    while True:
        try:
            child.wait(_POLL_SECONDS)
            return
        except subprocess.TimeoutExpired:
            if interrupts.stop_requested() and not told:
                child.terminate()
                told = True


def _result(code: int, output: str, errors: str) -> dict[str, Any]:
    try:
        (result,) = json.loads(output)["results"]
    except (ValueError, KeyError, TypeError):
        if interrupts.stop_requested():  # before the child could tell anything
            return {"reports": {}, "error": None, "exit_code": 0, "interrupted": True}
        lines = errors.strip().splitlines()
        last = lines[-1] if lines else "it said nothing"
        raise from_status(code, f"a measuring process ended with {code}: {last}") from None
    found: dict[str, Any] = result
    return found


def config_from_json(text: str) -> dict[str, Any]:
    """The arguments of the BenchConfig that `_start()` passes on."""
    values: dict[str, Any] = json.loads(text)
    values["models"] = [Path(model) for model in values["models"]]
    for name in ("data", "library"):
        if values[name] is not None:
            values[name] = Path(values[name])
    values["launcher"] = tuple(values["launcher"])
    return values
