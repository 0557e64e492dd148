"""Inferences one by one: paced, from end to end, in a ring; times from a clock of the test."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.session import Session
from harness.stepping import Around, Stepper
from tests.python.fake_session import Behaviour, FakeSession

MS = 1_000_000


class Clock:
    """Moves on when somebody sleeps, runs or looks at it."""

    def __init__(self, inference_ns: int) -> None:
        self.now = 0
        self.inference_ns = inference_ns
        self.slow: dict[int, int] = {}
        self.inferences = 0

    def infer(self) -> None:
        self.now += self.slow.get(self.inferences, self.inference_ns)
        self.inferences += 1

    def monotonic_ns(self) -> int:
        self.now += 1000
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += round(seconds * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock(3 * MS)
    monkeypatch.setattr(time, "monotonic_ns", made.monotonic_ns)
    monkeypatch.setattr(time, "sleep", made.sleep)
    return made


def stepper(around: Around, clock: Clock, **behaviour: Any) -> Stepper:
    def compute(mode: str, x: Any, y: Any) -> None:
        clock.infer()
        np.copyto(y, x + 1)

    latency = {"copy": clock.inference_ns}
    made = Behaviour(latency_ns=latency, compute=compute, **behaviour)
    session = FakeSession(Path("m.pte"), {"io_mode": "copy"}, made, [])
    session.allocate([np.zeros(256, np.float32)])
    fake: Any = session
    assert {"run", "bind_set", "input_arrays", "output_arrays"} <= {*dir(Session), *vars(session)}
    return Stepper(fake, around)


def test_a_pace_that_is_kept_starts_on_time(clock: Clock) -> None:
    run, around = stepper(Around(fps=100), clock).run(10)
    starts = run.records["start_ns"].astype(np.int64)
    assert np.all(np.abs(np.diff(starts) - 10 * MS) < MS // 10)
    for times in around:
        assert 0 <= times["late_ns"] < MS // 10
        assert times["end_to_end_ns"] == times["late_ns"] + 3 * MS
        assert (times["fill_ns"], times["read_ns"]) == (0, 0)


def test_a_pace_that_is_missed_counts_the_waiting(clock: Clock) -> None:
    """At 1000 per second an inference of 3 ms starts 2 ms later each time."""
    _, around = stepper(Around(fps=1000), clock).run(20)
    late = np.array([times["late_ns"] for times in around])
    assert np.all(np.abs(np.diff(late) - 2 * MS) < MS // 10)
    assert around[-1]["end_to_end_ns"] > 40 * MS


def test_one_late_inference_does_not_shift_the_schedule(clock: Clock) -> None:
    tested = stepper(Around(fps=100), clock)
    clock.slow = {1: 25 * MS}
    run, around = tested.run(6)
    starts = [round(int(start) / MS) for start in run.records["start_ns"]]
    assert starts == [0, 10, 35, 38, 41, 50]
    assert [round(times["late_ns"] / MS) for times in around] == [0, 0, 15, 8, 1, 0]


def test_end_to_end_fills_and_reads_each_time(clock: Clock) -> None:
    tested = stepper(Around(end_to_end=True), clock)
    session: Any = tested.session
    source = session.input_arrays[0].copy()
    _, first = tested.run(1)
    session.input_arrays[0][...] = 9  # what an application left there
    run, around = tested.run(3)
    assert np.array_equal(session.input_arrays[0], source)
    assert np.array_equal(tested._sink[0], source + 1)
    for times in (*first, *around):
        assert times["fill_ns"] > 0 < times["read_ns"]
        whole = times["fill_ns"] + 3 * MS + times["read_ns"]
        assert (times["end_to_end_ns"], times["late_ns"]) == (whole, 0)
    assert len(run.records) == 3


def test_a_ring_alone_measures_nothing_around(clock: Clock) -> None:
    plain = stepper(Around(), clock)
    session: Any = plain.session
    tested = Stepper(session, Around(ring=session.make_ring(3)))
    run, around = tested.run(7)
    assert session.bound == [0, 1, 2, 0, 1, 2, 0]
    assert (len(run.records), around) == (7, [])


def test_an_interruption_ends_it_with_what_was_measured(clock: Clock) -> None:
    run, around = stepper(Around(fps=100), clock, stop_after=4).run(10)
    assert run.interrupted
    assert len(run.records) == len(around) == 4


def test_nothing_around_is_false() -> None:
    assert not Around()
    assert Around(fps=1)
    assert Around(end_to_end=True)
