"""Runners without any report, timed side by side: what an inference costs each of them.

    python docs/benchmarks/plain_runners.py MODEL... --run 'NAME=COMMAND {model}' ... [--json FILE]

A command is a runner with ExecuTorch's flags; `{model}` stands for the name of a model, and
`env NAME=VALUE` may come before it. Each round starts every runner twice, in random order: with
few executions and with many. The difference of their durations, divided by that of the
executions, is one sample: loading and the first inferences fall out of it. Ratios pair the
samples of a round; the first runner is the baseline.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from tabulate import tabulate

from harness import statistics

Samples = dict[str, list[float]]


def seconds(command: str, model: str, executions: int) -> float:
    """Wall time of one process."""
    words = shlex.split(command.replace("{model}", model))
    words += [f"--num_executions={executions}", "--print_output=none"]
    begin = time.monotonic()
    subprocess.run(words, check=True, capture_output=True)
    return time.monotonic() - begin


def measure(model: str, runs: Mapping[str, str], args: argparse.Namespace) -> Samples:
    """Microseconds an inference, by runner; one sample a round."""
    order = random.Random(args.seed)
    first = next(iter(runs.values()))
    few = args.warmup
    once = (seconds(first, model, 2 * few) - seconds(first, model, few)) / few
    many = few + max(args.least, round(args.seconds / max(once, 1e-6)))
    found: Samples = {name: [] for name in runs}
    for number in range(args.rounds):
        print(f"{model}: round {number + 1} of {args.rounds}", file=sys.stderr)
        for name in order.sample(list(runs), len(runs)):
            short, long = (seconds(runs[name], model, count) for count in (few, many))
            found[name].append((long - short) / (many - few) * 1e6)
    return found


def rows(model: str, found: Samples) -> list[Sequence[str]]:
    """One line a runner."""
    (baseline, base), *_ = found.items()
    lines = []
    for name, samples in found.items():
        median = statistics.median_interval(np.array(samples))
        assert median is not None
        cells = [model, name, f"{median.estimate:.1f}", f"{median.low:.1f} to {median.high:.1f}"]
        ratio = statistics.paired_ratio(*([np.array([s]) for s in one] for one in (base, samples)))
        if name == baseline or ratio is None:
            cells += ["", ""]
        else:
            # The table says how long a runner takes against the baseline.
            low, high = 1 / ratio.interval.high, 1 / ratio.interval.low
            cells += [f"{1 / ratio.interval.estimate:.3f}", f"{low:.3f} to {high:.3f}"]
        lines.append(cells)
    return lines


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+")
    parser.add_argument("--run", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=1.0, help="of a long run, about")
    parser.add_argument("--least", type=int, default=10, help="executions of a long run")
    parser.add_argument("--warmup", type=int, default=5, help="executions of a short run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Measures and prints a Markdown table."""
    args = parse()
    runs = dict(run.split("=", 1) for run in args.run)
    found = {model: measure(model, runs, args) for model in args.models}
    header = ["model", "runner", "inference (us)", "95 % interval", "of the first", "95 % interval"]
    lines = [line for model, samples in found.items() for line in rows(model, samples)]
    print(tabulate(lines, header, tablefmt="github", disable_numparse=True))
    if args.json is not None:
        args.json.write_text(json.dumps({"runs": runs, "microseconds": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
