"""Which numbers are doubted, and why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness import validity
from tests.python import samples

STEADY = [100_000 + index % 7 for index in range(60)]


def codes(document: dict[str, Any]) -> list[str]:
    found = validity.check(document)
    assert all(doubt.message and doubt.remedy for doubt in found)
    return [doubt.code for doubt in found]


def state(
    slowest: float | None = None, **values: tuple[float | None, float | None]
) -> dict[str, Any]:
    """A host that said these values of itself before and after the run."""
    begin, end = ({name: pair[i] for name, pair in values.items()} for i in range(2))
    host = {**samples.HOST, "begin": begin, "end": end, "slowest_cpu_mhz": slowest}
    return {"host": host}


def test_a_good_run_is_not_doubted() -> None:
    assert codes(samples.document(STEADY)) == []
    assert codes(samples.document(STEADY, "zero_copy")) == []


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ({"device": {**samples.GPU, "emulated": True}}, ["emulated_device"]),
        ({"device": {**samples.GPU, "type": "cpu"}}, ["cpu_device"]),
        ({"host": {**samples.HOST, "governor": "powersave"}}, ["governor"]),
        ({"host": {**samples.HOST, "governor": None}}, []),
        ({"host": {**samples.HOST, "load_average": [4.1, 0, 0]}}, ["high_load"]),
        ({"host": {**samples.HOST, "load_average": [3.9, 9, 9]}}, []),
        ({"host": {**samples.HOST, "load_average": None}}, []),
        ({"host": None, "device": None, "init": None, "io": None}, []),
        ({"tool": {**samples.TOOL, "build_type": "Debug"}}, ["debug_build"]),
        ({"tool": {**samples.TOOL, "sanitizers": True}}, ["debug_build"]),
        (state(cpu_mhz=(3000, 3000), slowest=2710), []),
        (state(cpu_mhz=(3000, 3000), slowest=2690), ["throttling"]),
        (state(cpu_mhz=(800, 3000), slowest=800), []),
        (state(cpu_mhz=(None, None)), []),
        ({"host": {**samples.HOST, "clock_resolution_ns": 5000}}, []),
        ({"host": {**samples.HOST, "clock_resolution_ns": 6000}}, ["timer_resolution"]),
        (state(throttle_count=(7, 7)), []),
        (state(throttle_count=(7, 8)), ["throttling"]),
        (state(temperature_c=(40, 80)), []),  # hot, and no slower for it
        ({"host": {**samples.HOST, "logging": []}}, []),
        ({"host": {**samples.HOST, "logging": ["VK_LOADER_DEBUG"]}}, ["logging"]),
        ({"init": {**samples.INIT, "first_run_ns": 299_000}}, []),
        ({"init": {**samples.INIT, "first_run_ns": 1_000_000}}, ["slow_first_run"]),
    ],
)
def test_what_the_sections_say(sections: dict[str, Any], expected: list[str]) -> None:
    assert codes(samples.document(STEADY, **sections)) == expected


@pytest.mark.parametrize(
    ("latencies", "expected"),
    [
        ([], []),
        (STEADY[:29], ["few_samples"]),
        ([999] * 60, ["timer_resolution"]),
        ([0] * 60, ["timer_resolution"]),
        ([100_000, 130_000] * 30, ["unstable"]),
        (list(np.linspace(100_000, 120_000, 60)), ["drift"]),
        (list(np.linspace(120_000, 100_000, 60)), ["drift"]),
        ([10_000_000, *STEADY], []),
    ],
)
def test_what_the_samples_say(latencies: list[int], expected: list[str]) -> None:
    assert codes(samples.document(latencies)) == expected


def test_the_direction_of_a_drift_is_said() -> None:
    (slower,) = validity.check(samples.document(list(np.linspace(100_000, 120_000, 60))))
    (faster,) = validity.check(samples.document(list(np.linspace(120_000, 100_000, 60))))
    assert "slower" in slower.message
    assert "faster" in faster.message


def test_heat_that_slows_down_is_throttling() -> None:
    slower = [int(value) for value in np.linspace(100_000, 109_000, 60)]
    hot = state(temperature_c=(40, 80))
    assert codes(samples.document(slower)) == []
    assert codes(samples.document(slower, **hot)) == ["throttling"]


@pytest.mark.parametrize(("late", "expected"), [(1, []), (2, ["missed_deadlines"])])
def test_a_share_of_missed_deadlines(late: int, expected: list[str]) -> None:
    """Above one in a hundred."""
    document = samples.document([100_000 + i % 7 for i in range(100)])
    document["config"]["pace"] = 1000.0
    for number, row in enumerate(document["iterations"]):
        row["end_to_end_ns"] = 1_000_001 if number < late else 999_999
    assert codes(document) == expected


def test_a_fallback_before_the_last_inference_is_told() -> None:
    """The tensors of a report are those of the last inference."""
    document = samples.document(STEADY, "zero_copy")
    assert codes(document) == []
    document["iterations"][7]["fallback_count"] = 1
    assert codes(document) == ["fallback"]
    (doubt,) = validity.check(document)
    assert "1 of 60 inferences" in doubt.message
    copied = samples.path("input", "copy", reason="misaligned_pointer", remedy="Align it.")
    document["io"]["tensors"] = [copied]
    assert codes(document) == ["fallback"]


def test_a_fallback_is_told_with_reason_and_remedy() -> None:
    document = samples.document(STEADY, "zero_copy")
    document["io"]["tensors"][1] = samples.path(
        "output",
        "copy",
        reason="misaligned_pointer",
        detail="address 0x1010 is no multiple of 4096",
        remedy="Allocate at a multiple of the import alignment.",
    )
    (doubt,) = validity.check(document)
    assert doubt.code == "fallback"
    assert doubt.message == (
        "output 0 of delegate 0 was copied: misaligned_pointer "
        "(address 0x1010 is no multiple of 4096)"
    )
    assert doubt.remedy == "Allocate at a multiple of the import alignment."
    document["config"]["io_mode"] = "copy"
    assert codes(document) == []


def test_strict_forgives_information_only() -> None:
    notes = [{"code": code, "message": "m", "remedy": "r"} for code in validity.INFORMATION]
    doubt = {"code": "unstable", "message": "m", "remedy": "r"}
    assert validity.errors({"warnings": [*notes, doubt]}) == [doubt]
    assert validity.errors({"warnings": notes}) == []
