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
    assert set(names) == {"add", "copy", "zero-copy"}
    assert names["copy"]["pid"] == names["zero-copy"]["pid"]
    assert names["copy"]["tid"] != names["zero-copy"]["tid"]
    assert {e["tid"] for e in found if e["ph"] == "X"} == {
        names["copy"]["tid"],
        names["zero-copy"]["tid"],
    }


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
