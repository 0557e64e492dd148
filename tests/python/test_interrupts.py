"""Signals become stop requests, and are what they were afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from harness import interrupts
from tests.python.conftest import ROOT


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a registered library was told."""
    told: list[str] = []
    monkeypatch.setattr(interrupts, "_requests", {})
    interrupts.register(lambda: told.append("stop"), lambda: told.append("clear"))
    yield told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_becomes_a_request_that_the_end_takes_back(
    calls: list[str], number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    with interrupts.guard():
        assert not interrupts.stop_requested()
        os.kill(os.getpid(), number)
        _wait_for(interrupts.stop_requested)
        _wait_for(lambda: calls == ["stop"])
    assert calls == ["stop", "clear"]
    assert not interrupts.stop_requested()
    assert signal.getsignal(number) is before


def test_the_outermost_guard_decides(calls: list[str]) -> None:
    with interrupts.guard():
        with interrupts.guard():
            os.kill(os.getpid(), signal.SIGINT)
            _wait_for(interrupts.stop_requested)
        assert interrupts.stop_requested()
        assert "clear" not in calls
    assert calls[-1] == "clear"


def test_a_library_that_comes_later_is_told_too(calls: list[str]) -> None:
    later: list[str] = []
    with interrupts.guard():
        os.kill(os.getpid(), signal.SIGINT)
        _wait_for(interrupts.stop_requested)
        interrupts.register(lambda: later.append("stop"), lambda: later.append("clear"))
        assert later == ["stop"]
    assert later == ["stop", "clear"]


def test_other_threads_have_no_guard(calls: list[str]) -> None:
    def work() -> None:
        with interrupts.guard():
            calls.append("ran")

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert calls == ["ran"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_signal_ends_the_process() -> None:
    code = (
        "import os, signal, time\n"
        "from harness import interrupts\n"
        "with interrupts.guard():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    while not interrupts.stop_requested(): time.sleep(0.001)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(60)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=30, check=False)
    assert done.returncode == 130


def _wait_for(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.001)
