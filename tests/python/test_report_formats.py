"""What other tools read: google/benchmark's JSON and a trace."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from harness.report import google_benchmark, trace
from harness.results import Report
from tests.python import samples
from tests.python.test_report import bench_result, measured

# What google/benchmark's tools/compare.py looks at.
BENCHMARK_FIELDS = {
    "name": str,
    "run_name": str,
    "run_type": str,
    "iterations": int,
    "real_time": float,
    "cpu_time": float,
    "time_unit": str,
}


def benchmarks(*reports: Report) -> list[dict[str, Any]]:
    document = json.loads(google_benchmark.document(reports))
    found: list[dict[str, Any]] = document["benchmarks"]
    return found


def test_each_block_is_a_repetition() -> None:
    report = measured(1_500_000, "copy", 0)
    found = [entry for entry in benchmarks(report) if entry["run_type"] == "iteration"]
    assert [entry["repetition_index"] for entry in found] == list(range(10))
    latency = report.column("latency_ns")
    for entry in found:
        assert {k: type(entry[k]) for k in BENCHMARK_FIELDS} == BENCHMARK_FIELDS
        assert (entry["name"], entry["time_unit"]) == ("add/copy", "us")
        block = latency[report.blocks() == entry["repetition_index"]]
        assert entry["real_time"] == pytest.approx(np.mean(block) / 1e3)
        assert 0 < entry["cpu_time"] < entry["real_time"]
        assert entry["in_copy_bytes"] == 1 << 20


def test_the_aggregates_are_those_of_the_repetitions() -> None:
    entries = benchmarks(*bench_result().reports.values())
    for name in ("add/copy", "add/zero-copy"):
        mine = [entry for entry in entries if entry["run_name"] == name]
        times = [entry["real_time"] for entry in mine if entry["run_type"] == "iteration"]
        aggregates = {e["aggregate_name"]: e for e in mine if e["run_type"] == "aggregate"}
        assert aggregates["median"]["name"] == f"{name}_median"
        assert aggregates["mean"]["real_time"] == pytest.approx(np.mean(times))
        assert aggregates["median"]["real_time"] == pytest.approx(np.median(times))
        assert aggregates["stddev"]["real_time"] == pytest.approx(np.std(times, ddof=1))
        assert aggregates["cv"]["real_time"] == pytest.approx(
            np.std(times, ddof=1) / np.mean(times)
        )


def test_a_report_without_blocks_has_repetitions_too() -> None:
    document = dict(samples.document([1000] * 25, "copy"))
    found = benchmarks(Report(document))
    repetitions = [entry for entry in found if entry["run_type"] == "iteration"]
    assert len(repetitions) == 10
    assert sum(entry["iterations"] for entry in repetitions) == 25


def test_an_unmeasured_report_is_left_out() -> None:
    assert benchmarks(Report(samples.document([], "copy"))) == []


def events(*reports: Report) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(trace.document(reports))["traceEvents"]
    return found


def test_a_trace_has_a_track_per_mode() -> None:
    found = events(*bench_result().reports.values())
    names = {e["args"]["name"]: e for e in found if e["ph"] == "M"}
    tracks = ("copy", "copy, device profile", "zero-copy", "zero-copy, device profile")
    assert set(names) == {"add", *tracks}
    assert len({names[track]["pid"] for track in tracks}) == 1
    assert {e["tid"] for e in found if e["ph"] == "X"} == {names[t]["tid"] for t in tracks}
    assert len({names[track]["tid"] for track in tracks}) == len(tracks)


def test_inferences_are_where_they_were() -> None:
    report = measured(1_500_000, "copy", 0)
    found = [e for e in events(report) if e.get("cat") == "inference"]
    assert [e["ts"] for e in found] == list(report.column("start_ns") / 1e3)
    assert [e["dur"] for e in found] == list(report.column("latency_ns") / 1e3)
    assert found[7]["name"] == "inference 7"
    assert found[7]["args"]["in_copy_bytes"] == 1 << 20


def test_parts_lie_inside_their_inference() -> None:
    times = {"import_ns": 100, "in_memcpy_ns": 200, "submit_wait_ns": 400, "out_memcpy_ns": 300}
    record = {**samples.record(950), **times, "start_ns": 5000}  # 50 ns too long, as if rounded
    document = {**samples.document([1000], "copy"), "iterations": [record]}
    whole, *parts = [e for e in events(Report(document)) if e["ph"] == "X"]
    assert [e["name"] for e in parts] == ["imports", "memcpy in", "submit and wait", "memcpy out"]
    assert [e["dur"] for e in parts] == [0.1, 0.2, 0.4, 0.25]
    begins = [e["ts"] for e in parts]
    assert begins == pytest.approx([5.0, 5.1, 5.3, 5.7])
    assert parts[-1]["ts"] + parts[-1]["dur"] == pytest.approx(whole["ts"] + whole["dur"])


def test_the_warm_up_is_marked() -> None:
    document = {**samples.document([1000], "copy"), "warmup": [samples.record(3000)]}
    first = next(e for e in events(Report(document)) if e["ph"] == "X")
    assert (first["name"], first["cat"]) == ("warm-up 0", "warm-up")


def nested(found: list[dict[str, Any]]) -> bool:
    """Whether all events of each track lie beside or inside of each other, as viewers need."""
    for track in {e["tid"] for e in found}:
        open_until: list[float] = []
        for event in (e for e in found if e["tid"] == track and e["ph"] == "X"):
            begin, end = event["ts"], event["ts"] + event["dur"]
            while open_until and open_until[-1] <= begin + 1e-6:
                open_until.pop()
            if open_until and end > open_until[-1] + 1e-6:
                return False
            open_until.append(end)
    return True


def test_device_time_lies_inside_the_wait() -> None:
    report = measured(1_500_000, "copy", 0)
    found = events(report)
    whole = next(e for e in found if e.get("cat") == "profiled inference")
    wait, device = (
        next(e for e in found if e["name"] == name and e["tid"] == whole["tid"])
        for name in ("submit and wait", "device")
    )
    assert whole["args"]["gpu_ns"] == 750_000
    assert (device["ts"], device["dur"]) == (wait["ts"], 750)
    assert wait["args"] == device["args"] == {"position": "laid out in order, not measured"}


def following(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One every 2 ms."""
    return [{**row, "start_ns": 2_000_000 * number} for number, row in enumerate(records)]


def test_what_surrounds_an_inference_is_in_its_event() -> None:
    document = samples.document([1_000_000] * 3, "copy")
    around = {"late_ns": 5_000_000, "fill_ns": 200_000, "read_ns": 300_000}
    around["end_to_end_ns"] = 6_500_000
    document["iterations"] = following([{**row, **around} for row in document["iterations"]])
    found = [e for e in events(Report(document)) if e["ph"] == "X"]
    assert nested(found)
    whole, *parts = found[:4]
    assert (whole["dur"], whole["args"]["late_ns"]) == (1500, 5_000_000)
    assert [e["name"] for e in parts] == ["fill inputs", "submit and wait", "read outputs"]
    assert [e["ts"] for e in parts] == [0, 200, 1200]


def test_each_process_has_a_track() -> None:
    document = samples.document([1_000_000] * 6, "copy", blocks=3)
    for number, row in enumerate(document["iterations"]):
        row["process"] = number // 3
        row["start_ns"] = 2_000_000 * (number % 3)
    found = events(Report(document))
    names = [e["args"]["name"] for e in found if e["name"] == "thread_name"]
    assert names == ["copy", "copy, process 1"]
    assert nested(found)


def test_blocks_of_processes_are_repetitions_of_their_own() -> None:
    document = samples.document([1000 + i for i in range(40)], "copy", blocks=4)
    for number, row in enumerate(document["iterations"]):
        row["process"], row["block"] = number // 20, number // 10 % 2
    found = [e for e in benchmarks(Report(document)) if e["run_type"] == "iteration"]
    assert [entry["iterations"] for entry in found] == [10] * 4
    assert found[3]["real_time"] == pytest.approx(1.0345)


def test_a_run_from_end_to_end_has_its_whole_time() -> None:
    document = samples.document([1_000_000] * 10, "copy")
    around = {
        "late_ns": 100_000,
        "fill_ns": 200_000,
        "read_ns": 300_000,
        "end_to_end_ns": 1_600_000,
    }
    document["iterations"] = [{**row, **around} for row in document["iterations"]]
    entry = benchmarks(Report(document))[0]
    assert entry["real_time"] == pytest.approx(1600)
    assert entry["cpu_time"] == pytest.approx(1000)  # half of the latency is waiting


def test_both_are_strict_json() -> None:
    reports = list(bench_result().reports.values())

    def refuse(name: str) -> None:
        raise AssertionError(name)

    for text in (google_benchmark.document(reports), trace.document(reports)):
        assert json.loads(text, parse_constant=refuse)
    assert json.loads(trace.document([]))["traceEvents"] == []
