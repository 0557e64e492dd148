"""Whether a report's numbers can be trusted: warnings as data, each with a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from harness import results
from harness.records import Column
from harness.results import Document

# Relative spread (MAD over median) and drift (last third over first third) that are too much,
# and how much slower than the median a first run has to be to be worth a word.
_MAX_SPREAD = 0.10
_MAX_DRIFT = 0.10
_MIN_THIRD = 10
_SLOW_FIRST_RUN = 3.0
_MIN_SAMPLES = 30
# A latency of fewer steps of the clock is mostly rounding; the step where the host does not
# say it, as in the runner's reports.
_MIN_CLOCK_STEPS = 20
_CLOCK_STEP_NS = 50
# How far the CPU's clock may fall during a run, and how many degrees it may warm up while the
# latency rises by _MIN_SLOWDOWN.
_MAX_CLOCK_LOSS = 0.10
_MAX_WARMING_C = 10.0
_MIN_SLOWDOWN = 0.05
# Share of scheduled inferences that may end after the next one's start.
_MAX_MISSED = 0.01

# Codes that tell about the run without making its numbers doubtful.
LENT_INSTEAD = "lent_instead"
STOPPED_EARLY = "stopped_early"
INFORMATION = frozenset(
    {"slow_first_run", "emulated_device", "cpu_device", LENT_INSTEAD, STOPPED_EARLY}
)


@dataclass(frozen=True)
class Doubt:
    """What may be wrong with the numbers, and what to do about it."""

    code: str
    message: str
    remedy: str

    def as_json(self) -> dict[str, str]:
        """As a report holds it."""
        return asdict(self)


def check(document: Document) -> list[Doubt]:
    """The warnings for a report's document; its own "warnings" are not looked at."""
    return [
        *_device(document),
        *_host(document),
        *_throttling(document),
        *_logging(document),
        *_build(document),
        *_samples(document),
        *_pace(document),
        *_paths(document),
    ]


def errors(document: Document) -> list[dict[str, str]]:
    """The report's warnings that `--strict` makes errors: all but mere information."""
    return [w for w in document["warnings"] if w["code"] not in INFORMATION]


def _device(document: Document) -> Iterator[Doubt]:
    device = document["device"] or {}
    if device.get("emulated"):
        yield Doubt(
            "emulated_device",
            "VK_ARM_tensors and VK_ARM_data_graph are emulated by layers: times are not those "
            "of hardware with the extensions",
            "compare ratios only, or run on a device with native VK_ARM_* extensions",
        )
    if device.get("type") == "cpu":
        yield Doubt(
            "cpu_device",
            f"{device['name']} runs on the CPU: no time here says anything about a GPU",
            "run on a GPU",
        )


def _host(document: Document) -> Iterator[Doubt]:
    host: dict[str, Any] = document["host"] or {}
    governor = host.get("governor")
    if governor not in (None, "performance"):
        yield Doubt(
            "governor",
            f'the CPU frequency governor is "{governor}"',
            'set it to "performance" for the time of the measurement',
        )
    load, cores = host.get("load_average"), host.get("cores")
    first = load[0] if isinstance(load, list) and load else load
    if isinstance(first, int | float) and cores and first > cores:
        yield Doubt(
            "high_load",
            f"the load average was {first:.1f} on {cores} cores when the run began",
            "stop other work on this machine and run again",
        )


def _throttling(document: Document) -> Iterator[Doubt]:
    host = document["host"] or {}
    seen = []
    if (counts := _begin_and_end(host, "throttle_count")) and counts[1] > counts[0]:
        seen.append(f"cores were throttled {counts[1] - counts[0]:.0f} times")
    clock, slowest = (host.get("begin") or {}).get("cpu_mhz"), host.get("slowest_cpu_mhz")
    if clock and slowest and slowest < (1 - _MAX_CLOCK_LOSS) * clock:
        seen.append(f"the CPU's clock fell from {clock:.0f} to {slowest:.0f} MHz")
    heat = _begin_and_end(host, "temperature_c")
    slower = _slowdown(results.column(document["iterations"], "latency_ns")) or 0.0
    if heat and heat[1] > heat[0] + _MAX_WARMING_C and slower > _MIN_SLOWDOWN:
        seen.append(f"it warmed up from {heat[0]:.0f} to {heat[1]:.0f} C and became slower")
    if seen:
        yield Doubt(
            "throttling",
            f"during the run {' and '.join(seen)}",
            "let the machine cool down, fix the clock frequencies, measure shorter",
        )


def _begin_and_end(host: dict[str, Any], name: str) -> tuple[float, float] | None:
    """What the host said of itself before and after; None where it does not say."""
    values = [(host.get(when) or {}).get(name) for when in ("begin", "end")]
    begin, end = values
    return None if begin is None or end is None else (float(begin), float(end))


def _logging(document: Document) -> Iterator[Doubt]:
    variables = (document["host"] or {}).get("logging") or ()
    if variables:
        yield Doubt(
            "logging",
            f"{', '.join(variables)} makes calls log or be checked while they are measured",
            f"unset {' '.join(variables)}",
        )


def _pace(document: Document) -> Iterator[Doubt]:
    pace = document["config"].get("pace")
    if not pace or not document["iterations"]:
        return
    times = results.column(document["iterations"], "end_to_end_ns")
    missed = float(np.mean(times > 1e9 / pace))
    if missed > _MAX_MISSED:
        latency = results.column(document["iterations"], "latency_ns")
        yield Doubt(
            "missed_deadlines",
            f"{missed:.0%} of the inferences ended after the next one's start at {pace:g} per "
            f"second; one takes {np.median(latency) / 1e6:.2f} ms",
            "lower --pace, or take it as the answer: the device does not keep that rate",
        )


def _build(document: Document) -> Iterator[Doubt]:
    build = str(document["tool"].get("build_type", ""))
    if build.lower() == "debug" or document["tool"].get("sanitizers"):
        yield Doubt(
            "debug_build",
            "the native library is not an optimised build",
            "measure with `python -m harness build --preset release`",
        )


def _samples(document: Document) -> Iterator[Doubt]:
    latency = results.column(document["iterations"], "latency_ns")
    if latency.size == 0:
        return
    median = float(np.median(latency))
    if latency.size < _MIN_SAMPLES:
        yield Doubt(
            "few_samples",
            f"{latency.size} measured inferences are few",
            f"measure at least {_MIN_SAMPLES} (--iterations)",
        )
    step = (document["host"] or {}).get("clock_resolution_ns") or _CLOCK_STEP_NS
    if median < _MIN_CLOCK_STEPS * step:
        yield Doubt(
            "timer_resolution",
            f"the median latency of {median:.0f} ns is close to a step of the clock, {step} ns",
            "measure a larger model",
        )
    spread = float(np.median(np.abs(latency - median))) / median if median else 0.0
    if spread > _MAX_SPREAD:
        yield Doubt(
            "unstable",
            f"latencies are spread by {spread:.0%} around the median (MAD)",
            "stop other work on this machine, fix the clock frequencies, measure longer",
        )
    yield from _drift(latency)
    first = (document["init"] or {}).get("first_run_ns")
    if first and median and first > _SLOW_FIRST_RUN * median:
        yield Doubt(
            "slow_first_run",
            f"the first inference took {first / median:.0f} times the median",
            "it is reported apart; count it where start-up time matters",
        )


def _slowdown(latency: Column) -> float | None:
    """How much slower the last third is than the first; None for too few."""
    third = latency.size // 3
    if third < _MIN_THIRD:
        return None
    begin, end = np.median(latency[:third]), np.median(latency[-third:])
    return None if begin == 0 else float(end / begin) - 1


def _drift(latency: Column) -> Iterator[Doubt]:
    drift = _slowdown(latency)
    if drift is not None and abs(drift) > _MAX_DRIFT:
        yield Doubt(
            "drift",
            f"the last third of the inferences is {abs(drift):.0%} "
            f"{'slower' if drift > 0 else 'faster'} than the first",
            "warm up longer (--warmup), or let the device cool down",
        )


def _paths(document: Document) -> Iterator[Doubt]:
    if document["config"]["io_mode"] == "copy":
        return
    copied = [t for t in (document["io"] or {}).get("tensors", ()) if t["path"] == "copy"]
    # The tensors are those of the last inference; earlier ones, or those of other processes,
    # may have fared worse.
    fallen = int(np.count_nonzero(results.column(document["iterations"], "fallback_count")))
    if fallen and not copied:
        yield Doubt(
            "fallback",
            f"{fallen} of {len(document['iterations'])} inferences copied a tensor that was to be "
            "zero-copy, though not the last one",
            "say --require-zero-copy: the run then ends there, with tensor and reason",
        )
    for tensor in copied:
        yield Doubt(
            "fallback",
            f"{tensor['direction']} {tensor['index']} of delegate {tensor['delegate']} was "
            f"copied: {tensor['reason']}" + (f" ({tensor['detail']})" if tensor["detail"] else ""),
            tensor["remedy"] or "see the reason",
        )
