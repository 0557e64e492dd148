"""Which reports may be compared, and what the comparison says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness import compare
from harness.errors import InvalidRequestError
from harness.results import Report
from tests.python import samples


def noisy(center: float, count: int = 200, seed: int = 0) -> list[int]:
    return [int(value) for value in np.random.default_rng(seed).normal(center, center / 100, count)]


def two_runs(base_ns: float, new_ns: float) -> compare.Comparison:
    return compare.compare(
        samples.report(noisy(base_ns)), samples.report(noisy(new_ns, seed=1), "zero_copy")
    )


def test_an_interleaved_run_is_compared_block_by_block() -> None:
    drift = np.repeat(np.geomspace(1, 3, 10), 20)
    base, new = (
        samples.report([int(x) for x in noisy(center, seed=seed) * drift], mode, blocks=10)
        for center, seed, mode in ((150_000, 0, "copy"), (100_000, 1, "zero_copy"))
    )
    found = compare.compare(base, new)
    assert found.ratio is not None
    assert found.ratio.pairs == 10
    assert 1.48 < found.ratio.interval.low < 1.5 < found.ratio.interval.high < 1.52
    assert found.verdict == "zero-copy is 1.50 times faster than copy"


def test_separate_runs_are_compared_as_a_whole() -> None:
    found = two_runs(150_000, 100_000)
    assert found.ratio is not None
    assert found.ratio.pairs == 0
    assert found.verdict.startswith("zero-copy is 1.")
    assert found.measures_hardware


def test_two_interleaved_runs_are_separate_from_each_other() -> None:
    base = samples.report(noisy(1e5), blocks=10)
    new = samples.document(noisy(1e5, seed=1), blocks=10)
    new["config"] = {**new["config"], "run_id": "another"}
    found = compare.compare(base, Report(new))
    assert found.ratio is not None
    assert found.ratio.pairs == 0


def test_runs_of_one_mode_are_called_baseline_and_new() -> None:
    slow, fast = samples.report(noisy(2e5)), samples.report(noisy(1e5, seed=1))
    assert compare.compare(fast, slow).verdict.startswith("the new run is ")
    assert compare.compare(fast, slow).verdict.endswith(" times slower than the baseline")
    same = compare.compare(fast, samples.report(noisy(1e5, seed=2)))
    assert same.verdict.startswith("no difference seen above ")


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("device", {"device": {**samples.GPU, "name": "Other GPU"}}),
        ("device", {"device": {**samples.GPU, "emulated": True}}),
        ("device", {"device": None}),
        ("driver", {"device": {**samples.GPU, "driver_info": "1.1"}}),
        ("model", {"model": {**samples.MODEL, "sha256": "c" * 64}}),
        ("method", {"model": {**samples.MODEL, "method": "encode"}}),
        (
            "inputs",
            {"io": {"inputs": [{**samples.tensor(), "sha256": "d"}], "outputs": [], "tensors": []}},
        ),
        ("inputs", {"io": None}),
    ],
)
def test_other_work_is_refused_unless_allowed(key: str, changes: dict[str, Any]) -> None:
    base, new = samples.report(noisy(1e5)), samples.report(noisy(1e5), **changes)
    with pytest.raises(InvalidRequestError, match=key) as raised:
        compare.compare(base, new)
    assert f"--allow-different {key}" in raised.value.message
    found = compare.compare(base, new, compare.IDENTITY)
    assert key in found.differences


def test_another_path_to_the_same_model_is_the_same_work() -> None:
    other = {**samples.MODEL, "path": "/elsewhere/copy.pte"}
    found = compare.compare(samples.report(noisy(1e5)), samples.report(noisy(1e5), model=other))
    assert found.differences == ()


def test_nothing_measured_and_failed_runs_are_refused() -> None:
    good = samples.report(noisy(1e5))
    empty = samples.report([], status="interrupted")
    with pytest.raises(InvalidRequestError, match="no measured inferences; its status is interr"):
        compare.compare(good, empty)
    failed = samples.report(noisy(1e5), status="failed", error="the device is lost")
    with pytest.raises(InvalidRequestError, match="failed run: the device is lost"):
        compare.compare(failed, good)


def test_an_interrupted_run_is_compared() -> None:
    found = compare.compare(
        samples.report(noisy(1e5)), samples.report(noisy(1e5)[:50], status="interrupted")
    )
    assert found.ratio is not None


@pytest.mark.parametrize(
    ("base_ns", "new_ns", "limit", "fails"),
    [
        (100_000, 110_000, 0.03, True),
        (100_000, 110_000, 0.15, False),
        (100_000, 103_000, 0.03, False),
        (100_000, 100_000, 0.0, False),
        (100_000, 50_000, 0.03, False),
    ],
)
def test_a_limit_is_exceeded_by_the_whole_interval(
    base_ns: float, new_ns: float, limit: float, fails: bool
) -> None:
    assert two_runs(base_ns, new_ns).slower_than(limit) is fails


def test_a_limit_needs_enough_samples() -> None:
    single = compare.compare(samples.report([1000]), samples.report([5000]))
    with pytest.raises(InvalidRequestError, match="too little was measured"):
        single.slower_than(0.03)
    few_blocks = compare.compare(
        samples.report(noisy(1e5), blocks=3), samples.report(noisy(2e5), "zero_copy", blocks=3)
    )
    with pytest.raises(InvalidRequestError, match="no verdict from 3 pairs"):
        few_blocks.slower_than(0.03)


def test_the_breakdowns_add_up_to_the_mean_latencies() -> None:
    found = two_runs(150_000, 100_000)
    for report, parts in (
        (found.base, found.base_breakdown),
        (found.new, found.new_breakdown),
    ):
        assert sum(parts.values()) == pytest.approx(np.mean(report.column("latency_ns")))
        assert parts["submit_wait_ns"] == pytest.approx(sum(parts.values()) / 2, rel=1e-4)


def test_imports_are_paid_back_by_what_is_saved() -> None:
    imports = {**samples.INIT, "import_ns": 1_000_000}
    base = samples.report([150_000] * 200)
    faster = compare.compare(base, samples.report([100_000] * 200, "zero_copy", init=imports))
    assert faster.break_even == 20
    equal = compare.compare(base, samples.report([150_000] * 200, "zero_copy", init=imports))
    assert equal.break_even is None
    slower = compare.compare(base, samples.report([160_000] * 200, "zero_copy", init=imports))
    assert slower.break_even is None
