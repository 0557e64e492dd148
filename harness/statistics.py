"""Pure functions on samples: no report, no printing, no device.

Latencies are nanoseconds; any other unit works as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float64]

CONFIDENCE = 0.95
_RESAMPLES = 2000
_PIECES = 10
# Above it the normal approximation of the signed-rank distribution serves.
_EXACT_PAIRS = 50
# Below six pairs no outcome of the signed-rank test is significant.
MINIMUM_PAIRS = 6
# Samples that carry a percentile: a tenth, a twentieth and a hundredth of them at least one.
_PERCENTILE_MINIMUM = {90: 10, 95: 20, 99: 100}

# The parts of a latency, each a record field; what they leave is "rest".
PARTS = ("in_memcpy_ns", "out_memcpy_ns", "import_ns", "binding_refresh_ns", "submit_wait_ns")
# What a run adds to it that measures from end to end.
PARTS_AROUND = ("late_ns", "fill_ns", "read_ns")


@dataclass(frozen=True)
class Summary:
    """Statistics of one metric. A percentile is None where too few samples carry it."""

    count: int
    median: float
    mean: float
    min: float
    max: float
    mad: float
    """Median of the distances from the median."""
    p90: float | None
    p95: float | None
    p99: float | None


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval."""

    estimate: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Whether the value lies outside."""
        return not self.low <= value <= self.high


@dataclass(frozen=True)
class Ratio:
    """How many times faster B is than A: median(A) / median(B)."""

    interval: Interval
    p_value: float
    """Of the hypothesis that the ratio is 1."""
    pairs: int
    """Blocks that were compared in pairs; 0 for two separate runs."""

    @property
    def decides(self) -> bool:
        """Whether there are enough pairs for a difference to be seen at all."""
        return self.pairs == 0 or self.pairs >= MINIMUM_PAIRS

    @property
    def differs(self) -> bool:
        """Whether the interval and the test both say so."""
        return self.interval.excludes(1.0) and self.p_value < 1 - CONFIDENCE


def summarize(samples: Samples) -> Summary | None:
    """None for no samples. Percentiles are interpolated between neighbours."""
    if samples.size == 0:
        return None
    median = float(np.median(samples))
    tails = {
        level: float(np.percentile(samples, level)) if samples.size >= minimum else None
        for level, minimum in _PERCENTILE_MINIMUM.items()
    }
    return Summary(
        count=int(samples.size),
        median=median,
        mean=float(np.mean(samples)),
        min=float(np.min(samples)),
        max=float(np.max(samples)),
        mad=float(np.median(np.abs(samples - median))),
        p90=tails[90],
        p95=tails[95],
        p99=tails[99],
    )


def median_interval(samples: Samples, seed: int = 0) -> Interval | None:
    """Median with a percentile-bootstrap interval; None below two samples."""
    if samples.size < 2:
        return None
    low, high = np.percentile(_bootstrap_medians(samples, seed), _tails())
    return Interval(float(np.median(samples)), float(low), float(high))


def paired_ratio(a_blocks: Sequence[Samples], b_blocks: Sequence[Samples]) -> Ratio | None:
    """Ratio of two modes that ran in interleaved blocks, pair by pair.

    Each pair gives the ratio of its medians: the blocks, not the inferences inside them, are
    what is independent. Wilcoxon's signed-rank test on the logarithms, with the estimate and
    the interval that belong to it (Hodges and Lehmann), so that a few disturbed blocks do not
    decide. Below MINIMUM_PAIRS the interval is the whole range. None below two pairs.
    """
    from scipy import stats

    logs = np.array(
        [
            math.log(float(np.median(a)) / float(np.median(b)))
            for a, b in zip(a_blocks, b_blocks, strict=True)
            if a.size and b.size and np.median(a) > 0 and np.median(b) > 0
        ]
    )
    if logs.size < 2:
        return None
    left, right = np.triu_indices(logs.size)
    means = np.sort((logs[left] + logs[right]) / 2)
    edge = _signed_rank_edge(logs.size)
    interval = _exponential(float(np.median(means)), float(means[edge]), float(means[-1 - edge]))
    p_value = 1.0 if not np.any(logs) else float(stats.wilcoxon(logs).pvalue)
    return Ratio(interval, p_value, int(logs.size))


def unpaired_ratio(a: Samples, b: Samples) -> Ratio | None:
    """Ratio of two separate runs, each in the order in which it was measured.

    Neighbouring inferences resemble each other, so that a test on single ones sees differences
    that are none. Each run is cut into pieces; the logarithms of their medians are compared
    with Welch's interval and test. None below two samples on a side, or for a median of zero.
    """
    from scipy import stats

    left, right = _log_medians(a), _log_medians(b)
    if left.size < 2 or right.size < 2:
        return None
    center = float(np.mean(left) - np.mean(right))
    if np.ptp(left) == np.ptp(right) == 0:  # a clock with few ticks: nothing to test
        return Ratio(_exponential(center, center, center), float(center == 0), 0)
    found = stats.ttest_ind(left, right, equal_var=False)
    reach = found.confidence_interval(CONFIDENCE)
    interval = _exponential(center, float(reach.low), float(reach.high))
    return Ratio(interval, float(found.pvalue), 0)


def breakdown(parts: Mapping[str, Samples], whole: Samples) -> dict[str, float]:
    """Mean time of each part of an inference, and "rest": they add up to the mean of the whole.

    Args:
        parts: By name, each of shape (inferences,).
        whole: How long the inferences took, of the same shape.
    """
    means = {name: float(np.mean(samples)) for name, samples in parts.items()}
    means["rest"] = float(np.mean(whole)) - sum(means.values())
    return means


def break_even(import_ns: float, saved_ns: float) -> int | None:
    """Inferences after which the imports have paid; None if each one saves nothing."""
    return math.ceil(import_ns / saved_ns) if saved_ns > 0 else None


def verdict(ratio: Ratio | None, name: str, baseline: str) -> str:
    """The ratio in words: how much faster or slower `name` is than `baseline`."""
    if ratio is None:
        return "too few inferences to compare"
    if not ratio.decides:
        return f"no verdict from {ratio.pairs} pairs of blocks; {MINIMUM_PAIRS} are needed"
    low, high = ratio.interval.low, ratio.interval.high
    if not ratio.differs:
        bound = max(high - 1, 1 / low - 1)
        return f"no difference seen above {_percent(bound)}"
    if low > 1:
        return f"{name} is {_times(low, high)} times faster than {baseline}"
    return f"{name} is {_times(1 / high, 1 / low)} times slower than {baseline}"


def _times(low: float, high: float) -> str:
    digits = 3 if high < 1.1 else 2
    texts = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"


def _percent(fraction: float) -> str:
    return f"{max(fraction * 100, 0.1):.1f} %" if fraction < 0.1 else f"{fraction * 100:.0f} %"


def _tails() -> tuple[float, float]:
    return 50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)


def _signed_rank_edge(pairs: int) -> int:
    """Which of the sorted means of pairs ends the interval, counted from either side."""
    tail = (1 - CONFIDENCE) / 2
    if pairs > _EXACT_PAIRS:
        center, variance = pairs * (pairs + 1) / 4, pairs * (pairs + 1) * (2 * pairs + 1) / 24
        rank = center - NormalDist().inv_cdf(1 - tail) * math.sqrt(variance)
        return max(0, math.floor(rank) - 1)
    # How many of the 2^pairs choices of signs give each sum of the positive ranks.
    ways = np.zeros(pairs * (pairs + 1) // 2 + 1)
    ways[0] = 1
    for rank in range(1, pairs + 1):
        ways[rank:] += ways[:-rank].copy()
    below = np.cumsum(ways) / 2.0**pairs
    return max(0, int(np.searchsorted(below, tail, side="right")) - 1)


def _exponential(*logs: float) -> Interval:
    return Interval(*(math.exp(log) for log in logs))


def _log_medians(samples: Samples) -> Samples:
    """Logarithms of the medians of consecutive pieces; empty if one is not positive."""
    pieces = np.array_split(samples, min(_PIECES, samples.size)) if samples.size else []
    medians = np.array([float(np.median(piece)) for piece in pieces])
    return np.log(medians) if np.all(medians > 0) else np.array([])


def _bootstrap_medians(samples: Samples, seed: int) -> Samples:
    # No resample is drawn: its median is the sample at the median of uniform random ranks, and
    # that order statistic has a beta distribution. Exact, and as quick for a million samples.
    random = np.random.default_rng(seed)
    size = samples.size
    below = (size + 1) // 2
    lower = random.beta(below, size + 1 - below, _RESAMPLES)
    upper = lower
    if size % 2 == 0:  # the mean of the two in the middle: the next rank, given the lower one
        upper = lower + (1 - lower) * random.beta(1, size - below, _RESAMPLES)
    ordered = np.sort(samples)
    last = size - 1
    ranks = (np.minimum((size * rank).astype(np.int64), last) for rank in (lower, upper))
    left, right = (ordered[rank] for rank in ranks)
    return np.asarray((left + right) / 2, np.float64)
