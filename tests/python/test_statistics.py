"""Statistics with literals, and how often verdicts are right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from harness import statistics
from harness.statistics import Interval, Ratio, Samples

RUNS = 1000
BLOCKS, BLOCK = 10, 20


def samples(*values: float) -> Samples:
    return np.array(values, np.float64)


def test_summary_of_literals() -> None:
    found = statistics.summarize(samples(1, 2, 3, 4, 100))
    assert found == statistics.Summary(5, 3.0, 22.0, 1.0, 100.0, 1.0, None, None, None)


def test_summary_of_nothing_and_of_one() -> None:
    assert statistics.summarize(samples()) is None
    found = statistics.summarize(samples(7))
    assert found is not None
    assert (found.median, found.mean, found.mad, found.count) == (7, 7, 0, 1)


@pytest.mark.parametrize(
    ("count", "carried"),
    [(9, ""), (10, "p90"), (19, "p90"), (20, "p90 p95"), (99, "p90 p95"), (100, "p90 p95 p99")],
)
def test_percentiles_need_samples(count: int, carried: str) -> None:
    found = statistics.summarize(np.arange(count, dtype=np.float64))
    names = [name for name in ("p90", "p95", "p99") if getattr(found, name) is not None]
    assert names == carried.split()


def test_percentiles_of_literals() -> None:
    found = statistics.summarize(np.arange(101, dtype=np.float64))
    assert found is not None
    assert (found.p90, found.p95, found.p99) == (90, 95, 99)


@pytest.mark.parametrize("size", [2, 5, 10, 11, 200])
def test_bootstrap_medians_are_those_of_resamples(size: int) -> None:
    values = np.random.default_rng(size).lognormal(0, 0.3, size)
    random = np.random.default_rng(1)
    drawn = np.median(values[random.integers(0, size, (20_000, size))], axis=1)
    levels = (5, 25, 50, 75, 95)
    quick = np.concatenate([statistics._bootstrap_medians(values, seed) for seed in range(10)])
    # Compared by rank: the medians of few samples take few values.
    for level in levels:
        value = np.percentile(drawn, level)
        below, upto = np.mean(quick < value) * 100, np.mean(quick <= value) * 100
        assert below - 1.5 <= level <= upto + 1.5


def test_interval_of_the_median() -> None:
    values = np.arange(1, 102, dtype=np.float64)
    found = statistics.median_interval(values)
    assert found is not None
    assert found.estimate == 51
    # The exact binomial interval of this median is 41 to 61.
    assert 39 <= found.low <= 43
    assert 59 <= found.high <= 63
    assert found == statistics.median_interval(values)
    assert statistics.median_interval(samples(1)) is None
    assert statistics.median_interval(samples(3, 3)) == Interval(3, 3, 3)


def test_paired_ratio_of_a_constant_factor() -> None:
    b = [samples(100 + block, 101 + block, 102 + block) for block in range(8)]
    found = statistics.paired_ratio([block * 1.5 for block in b], b)
    assert found is not None
    assert found.pairs == 8
    assert found.differs
    for value in (found.interval.estimate, found.interval.low, found.interval.high):
        assert math.isclose(value, 1.5)


@pytest.mark.parametrize(
    ("pairs", "rank"),  # of the tables of the signed-rank test, two-sided 5 %
    [(2, 1), (5, 1), (6, 1), (7, 3), (8, 4), (10, 9), (20, 53), (50, 435), (51, 454)],
)
def test_ends_of_the_paired_interval(pairs: int, rank: int) -> None:
    assert statistics._signed_rank_edge(pairs) + 1 == pytest.approx(rank, abs=pairs > 50)


def test_one_disturbed_block_does_not_decide() -> None:
    a, b = ([samples(value)] * 10 for value in (110, 100))
    a[3] = samples(5000)
    found = statistics.paired_ratio(a, b)
    assert found is not None
    assert math.isclose(found.interval.estimate, 1.1)
    assert math.isclose(found.interval.low, 1.1)
    assert found.differs


def test_pairing_removes_what_both_share() -> None:
    # The machine gets four times slower over the run; each pair sees the same machine.
    drift = np.geomspace(1, 4, 10)
    a = [samples(110, 111, 112) * factor for factor in drift]
    b = [samples(100, 101, 102) * factor for factor in drift]
    paired = statistics.paired_ratio(a, b)
    unpaired = statistics.unpaired_ratio(np.concatenate(a), np.concatenate(b))
    assert paired is not None
    assert paired.differs
    assert unpaired is not None
    assert not unpaired.differs


def test_equal_runs_do_not_differ() -> None:
    blocks = [samples(100, 101)] * 8
    found = statistics.paired_ratio(blocks, blocks)
    assert found == Ratio(Interval(1, 1, 1), 1.0, 8)


@pytest.mark.parametrize("blocks", [[], [samples(1, 2)], [samples()] * 8, [samples(0, 0)] * 8])
def test_no_ratio_from_too_little(blocks: list[Samples]) -> None:
    assert statistics.paired_ratio(blocks, blocks) is None


@pytest.mark.parametrize("a", [samples(), samples(1), samples(0, 0, 0)])
def test_no_ratio_of_separate_runs_from_too_little(a: Samples) -> None:
    b = samples(1, 2, 3)
    assert statistics.unpaired_ratio(a, b) is None
    assert statistics.unpaired_ratio(b, a) is None


def test_ratio_of_separate_runs() -> None:
    random = np.random.default_rng(0)
    b = random.normal(1000, 10, 200)
    found = statistics.unpaired_ratio(b * 2, b[::-1])
    assert found is not None
    assert found.interval.estimate == pytest.approx(2, rel=1e-3)
    assert 1.98 < found.interval.low < 2 < found.interval.high < 2.02
    assert found.differs
    assert found.pairs == 0


def test_separate_runs_of_constant_latencies() -> None:
    b = samples(1000, 1000, 1000)
    assert statistics.unpaired_ratio(b, b) == Ratio(Interval(1, 1, 1), 1.0, 0)
    found = statistics.unpaired_ratio(b * 2, b)
    assert found is not None
    assert found.differs
    assert math.isclose(found.interval.low, 2)


def simulate(random: np.random.Generator, effect: float) -> Ratio:
    """An interleaved run on a lively machine: inferences spread by 5 % with rare, large spikes,
    a clock that drifts, and blocks that differ by more than their inferences explain."""

    def blocks(factor: float) -> list[Samples]:
        shape = (BLOCKS, BLOCK)
        spikes = (random.random(shape) < 0.03) * random.pareto(1.5, shape)
        own = random.lognormal(0, 0.01, (BLOCKS, 1))
        return list(1e6 * factor * (random.lognormal(0, 0.05, shape) + spikes) * own * machine)

    machine = np.exp(np.cumsum(random.normal(0, 0.02, (BLOCKS, 1)), axis=0))
    found = statistics.paired_ratio(blocks(1 + effect), blocks(1))
    assert found is not None
    return found


def simulate_apart(random: np.random.Generator, effect: float) -> Ratio:
    """Two separate runs, without what only pairing can remove."""
    count = BLOCKS * BLOCK
    a, b = (random.lognormal(0, 0.1, count) for _ in range(2))
    found = statistics.unpaired_ratio(a * (1 + effect), b)
    assert found is not None
    return found


def test_neighbours_that_resemble_each_other_are_no_difference() -> None:
    random = np.random.default_rng(20261201)

    def waves() -> Samples:
        steps = random.normal(0, 0.05, BLOCKS * BLOCK + 8)
        return np.exp(np.convolve(steps, np.ones(9) / 3, "valid"))

    found = [statistics.unpaired_ratio(waves(), waves()) for _ in range(RUNS)]
    assert sum(ratio is not None and ratio.differs for ratio in found) <= 0.09 * RUNS


@pytest.mark.parametrize("simulation", [simulate, simulate_apart])
def test_few_verdicts_of_a_difference_where_there_is_none(simulation: Any) -> None:
    random = np.random.default_rng(20261201)
    found = [simulation(random, 0.0) for _ in range(RUNS)]
    assert sum(ratio.differs for ratio in found) <= 0.06 * RUNS
    covered = sum(not ratio.interval.excludes(1.0) for ratio in found)
    assert covered >= 0.93 * RUNS


@pytest.mark.parametrize("simulation", [simulate, simulate_apart])
def test_most_differences_of_five_percent_are_seen(simulation: Any) -> None:
    random = np.random.default_rng(20261201)
    found = [simulation(random, 0.05) for _ in range(RUNS)]
    assert sum(ratio.differs and ratio.interval.low > 1 for ratio in found) >= 0.90 * RUNS


def ratio(low: float, high: float, p_value: float = 0.001, pairs: int = 10) -> Ratio:
    return Ratio(Interval(math.sqrt(low * high), low, high), p_value, pairs)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (ratio(1.421, 1.438), "zero-copy is 1.42 to 1.44 times faster than copy"),
        (ratio(1.4211, 1.4212), "zero-copy is 1.42 times faster than copy"),
        (ratio(1.0412, 1.0608), "zero-copy is 1.041 to 1.061 times faster than copy"),
        (ratio(0.5, 0.625), "zero-copy is 1.60 to 2.00 times slower than copy"),
        (ratio(0.995, 1.01), "no difference seen above 1.0 %"),
        (ratio(0.99, 1.005), "no difference seen above 1.0 %"),
        (ratio(1.002, 1.01, p_value=0.2), "no difference seen above 1.0 %"),
        (ratio(0.8, 1.3), "no difference seen above 30 %"),
        (ratio(1, 1, p_value=1), "no difference seen above 0.1 %"),
        (ratio(1.9, 2.1, pairs=5), "no verdict from 5 pairs of blocks; 6 are needed"),
        (None, "too few inferences to compare"),
    ],
)
def test_verdicts_in_words(found: Ratio | None, words: str) -> None:
    assert statistics.verdict(found, "zero-copy", "copy") == words


def test_six_pairs_can_decide_and_five_cannot() -> None:
    blocks = [samples(100, 101)] * statistics.MINIMUM_PAIRS
    faster = statistics.paired_ratio([block * 2 for block in blocks], blocks)
    assert faster is not None
    assert faster.differs
    too_few = statistics.paired_ratio([block * 2 for block in blocks[1:]], blocks[1:])
    assert too_few is not None
    assert not too_few.differs
    assert not too_few.decides


def test_the_breakdown_adds_up() -> None:
    random = np.random.default_rng(0)
    columns = {name: random.uniform(0, 100, 50) for name in statistics.PARTS}
    latency = sum(columns.values()) + random.uniform(0, 10, 50)
    parts = statistics.breakdown(columns, latency)
    assert list(parts) == [*statistics.PARTS, "rest"]
    assert math.isclose(sum(parts.values()), float(np.mean(latency)))
    assert 0 < parts["rest"] < 10


@pytest.mark.parametrize(
    ("cost", "saved", "inferences"),
    [(1000, 100, 10), (1001, 100, 11), (0, 100, 0), (1000, 0, None), (1000, -5, None)],
)
def test_break_even(cost: float, saved: float, inferences: int | None) -> None:
    assert statistics.break_even(cost, saved) == inferences
