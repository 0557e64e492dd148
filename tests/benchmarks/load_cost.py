"""What loading a model costs the host, beside Arm's scenario-runner on the same .vgf.

    python -m tests.benchmarks.load_cost MODEL.pte [--rounds 10] [--once]

Each round starts both programs one after the other, in random order: arm_vgf_runner with no
inference, scenario-runner with --dry-run, which stops before the inference. With --once both
also run one. Times and memory are those that the kernel counts for the process (wait4): CPU
seconds, user and system together, which other work on the machine disturbs least, and the
peak of the resident memory. The model's one VGF delegate has to be its whole method.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tabulate import tabulate

import harness
from harness import locations
from tests.python import scenario

OURS, THEIRS = "arm_vgf_runner", "scenario-runner"


@dataclass(frozen=True)
class Program:
    """How one of the two is started."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]


@dataclass(frozen=True)
class Cost:
    """Of one process."""

    cpu_seconds: float
    peak_mib: float


# Starts the program from a small process: the kernel counts what a process was before exec
# to its peak memory, and this one has grown large.
_LAUNCHER = """
import json, os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
cost = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
print(json.dumps([child.returncode, *cost]))
"""


def measure(program: Program) -> Cost:
    """Starts it and waits for its end.

    Raises:
        SystemExit: It failed.
    """
    launcher = [sys.executable, "-S", "-c", _LAUNCHER, *program.command]
    done = subprocess.run(
        launcher, env=program.environment, capture_output=True, text=True, check=True
    )
    code, cpu_seconds, peak_mib = json.loads(done.stdout)
    if code != 0:
        sys.exit(f"{program.name} ended with {code}: {done.stderr}")
    return Cost(cpu_seconds, peak_mib)


def programs(model: Path, once: bool, folder: Path) -> list[Program]:
    """Ours and theirs, with the same random inputs."""
    runner = locations.library_of("release").parent / OURS
    with harness.Session.open(model) as session:
        session.allocate()
        inputs = [array.copy() for array in session.input_arrays]
        outputs = len(session.outputs)
    files = [folder / f"input{index}.bin" for index in range(len(inputs))]
    for file, array in zip(files, inputs, strict=True):
        file.write_bytes(array.tobytes())
    ours = [
        str(runner),
        f"--model_path={model}",
        f"--inputs={','.join(map(str, files))}",
        "--print_output=none",
        f"--num_executions={int(once)}",
    ]
    (vgf,) = scenario.delegate_blobs(model)
    theirs, environment = scenario.prepare(vgf, inputs, outputs, folder)
    dry = [] if once else ["--dry-run"]
    return [
        Program(OURS, ours, dict(os.environ)),
        Program(THEIRS, [*theirs, *dry], environment),
    ]


def rows(model: Path, once: bool, rounds: int) -> list[tuple[str, ...]]:
    """A line per program and one of the ratios, medians over the rounds."""
    order = random.Random(0)
    costs: dict[str, list[Cost]] = {OURS: [], THEIRS: []}
    with tempfile.TemporaryDirectory() as folder:
        both = programs(model, once, Path(folder))
        for _ in range(rounds):
            for program in order.sample(both, len(both)):
                costs[program.name].append(measure(program))
    work = "load and one inference" if once else "load"
    cpu = {name: np.array([cost.cpu_seconds for cost in found]) for name, found in costs.items()}
    peak = {name: np.array([cost.peak_mib for cost in found]) for name, found in costs.items()}
    lines = [
        (work, name, f"{np.median(cpu[name]):.2f}", f"{np.median(peak[name]):.0f}")
        for name in costs
    ]
    times, sizes = np.median(cpu[OURS] / cpu[THEIRS]), np.median(peak[OURS] / peak[THEIRS])
    return [*lines, (work, "ratio", f"{times:.2f}", f"{sizes:.2f}")]


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="Host cost of loading, beside scenario-runner.")
    parser.add_argument("model", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--once", action="store_true", help="also with one inference")
    args = parser.parse_args()
    lines = rows(args.model, False, args.rounds)
    if args.once:
        lines += rows(args.model, True, args.rounds)
    print(tabulate(lines, ("work", "program", "CPU (s)", "peak memory (MiB)")))


if __name__ == "__main__":
    main()
