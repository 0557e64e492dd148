"""How many inferences are measured, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness import planning
from harness.bench import BenchConfig
from harness.errors import InvalidRequestError

MS = 1e6


def config(**changes: Any) -> BenchConfig:
    return BenchConfig(**{"models": [Path("m.pte")], "iterations": 100, "blocks": 10, **changes})


@pytest.mark.parametrize(
    ("changes", "latencies", "total"),
    [
        ({}, [5 * MS], 100),
        ({"min_time": 0.1}, [5 * MS], 100),  # 20 would do
        ({"min_time": 2.0}, [5 * MS, 10 * MS], 400),  # the fastest mode decides
        ({"max_time": 0.2}, [5 * MS, 10 * MS], 20),  # the slowest mode decides
        ({"max_time": 10.0}, [5 * MS], 100),
        ({"max_time": 0.001}, [5 * MS], 1),
        ({"min_time": 1.0, "max_time": 2.0}, [1 * MS, 10 * MS], 200),
        ({"min_time": 1.0, "pace": 200.0}, [1 * MS], 200),  # one starts every 5 ms
        ({"max_time": 0.1, "pace": 100.0}, [1 * MS], 10),
    ],
)
def test_times_and_iterations(changes: dict[str, Any], latencies: list[float], total: int) -> None:
    sizes = planning.blocks(config(**changes), latencies)
    assert sum(sizes) == total
    assert len(sizes) == min(10, total)
    assert max(sizes) - min(sizes) <= 1


def test_running_out_of_time() -> None:
    assert not planning.out_of_time(None, [10**12], 5)
    assert not planning.out_of_time(1.0, [10**12], 0)  # the first round always runs
    assert not planning.out_of_time(1.0, [800_000_000], 5)
    assert planning.out_of_time(1.0, [100, 900_000_000], 5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"iterations": 0}, "--iterations"),
        ({"warmup": -1}, "--warmup"),
        ({"profile_iterations": -1}, "--profile-iterations"),
        ({"blocks": 0}, "--blocks must lie between 1 and 100"),
        ({"blocks": 101}, "--blocks"),
        ({"iterations": 5000, "blocks": 1001}, "between 1 and 1000"),
        ({"buffers": 0}, "--buffers"),
        ({"processes": 0}, "--processes"),
        ({"pace": -1.0}, "--pace"),
        ({"pace": float("nan")}, "--pace"),
        ({"min_time": -1.0}, "--min-time"),
        ({"min_time": float("inf")}, "--min-time"),
        ({"max_time": 0.0}, "--max-time"),
        ({"min_time": 2.0, "max_time": 1.0}, "--max-time is shorter than --min-time"),
        ({"min_time": 2.0, "warmup": 0}, "need --warmup of at least 1"),
    ],
)
def test_numbers_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message):
        planning.check(config(**changes))
