"""The bench on a real device: what is counted, compared and refused."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import bench, locations, results, statistics
from harness.bench import BenchConfig, BenchResult
from harness.compare import IDENTITY, breakdown, compare
from harness.errors import InvalidRequestError, RunFailedError
from harness.results import Report
from tests.python.conftest import MODELS

pytestmark = pytest.mark.device

SMALL = MODELS / "classifier_1x3x32x32.pte"
SHIPPED = sorted(MODELS.glob("*.pte"))


def run_one(model: Path, **changes: Any) -> BenchResult:
    short: dict[str, Any] = {"iterations": 6, "warmup": 1, "blocks": 6, "profile_iterations": 2}
    (result,) = bench.run(BenchConfig(models=[model], **{**short, **changes}))
    return result


def boundary(report: Report, side: str) -> int:
    return sum(tensor["bytes"] for tensor in report.document["io"][side])


@pytest.mark.parametrize("model", SHIPPED, ids=lambda path: path.stem)
def test_every_boundary_byte_is_copied_in_one_mode_and_none_in_the_other(model: Path) -> None:
    result = run_one(model)
    assert result.error is None, result.error
    copy, zero_copy = result.reports["copy"], result.reports["zero_copy"]
    for direction, side in (("in", "inputs"), ("out", "outputs")):
        size = boundary(copy, side)
        assert size > 0
        for report, copied, shared in ((copy, size, 0), (zero_copy, 0, size)):
            assert set(report.column(f"{direction}_copy_bytes")) == {copied}
            assert set(report.column(f"{direction}_zero_copy_bytes")) == {shared}
    assert not zero_copy.column("in_memcpy_ns").any()
    assert not zero_copy.column("imports").any()
    assert zero_copy.column("imports", "warmup").sum() == len(zero_copy.tensors)
    assert {tensor["path"] for tensor in zero_copy.tensors} == {"zero_copy"}
    assert all(tensor["imported"] for tensor in zero_copy.tensors)


def test_times_are_consistent() -> None:
    report = run_one(SMALL).reports["copy"]
    latency, inside = report.column("latency_ns"), report.column("execute_ns")
    assert (latency >= inside).all()
    assert (inside >= report.column("submit_wait_ns")).all()
    starts = report.column("start_ns")
    assert (np.diff(starts) >= latency[:-1]).all()
    assert report.document["init"]["first_run_ns"] > 0
    assert report.document["profile"]["summary"]["gpu_ns"]["min"] > 0


@pytest.mark.parametrize(
    "changes", [{}, {"buffers": 3}, {"end_to_end": True}, {"pace": 200.0, "end_to_end": True}]
)
def test_the_parts_of_every_record_add_up(changes: dict[str, Any]) -> None:
    """No part overlaps another: what they leave of the time is small and never negative."""
    result = run_one(SMALL, modes=["copy", "zero_copy", "staged", "lend"], **changes)
    for report in result.reports.values():
        around = statistics.PARTS_AROUND if report.timed == "end_to_end_ns" else ()
        parts = sum(report.column(part) for part in (*around, *statistics.PARTS))
        assert (parts <= report.column(report.timed)).all(), report.io_mode
        found = breakdown(report)
        assert sum(found.values()) == pytest.approx(report.column(report.timed).mean())
        assert found["rest"] >= 0


def test_the_device_is_named_and_marked() -> None:
    report = run_one(SMALL, modes=["copy"]).reports["copy"]
    device = report.device
    assert device["name"]
    codes = {warning["code"] for warning in report.document["warnings"]}
    assert ("emulated_device" in codes) is device["emulated"]
    assert ("cpu_device" in codes) is (device["type"] == "cpu")


def test_a_fallback_has_its_reason_and_is_an_error_where_zero_copy_is_required() -> None:
    result = run_one(SMALL, modes=["zero_copy"], io_alignment=64)
    report = result.reports["zero_copy"]
    fallen = [tensor for tensor in report.tensors if tensor["path"] == "copy"]
    if not fallen:
        pytest.skip("the device imports memory at any multiple of 64")
    assert all(tensor["reason"] == "misaligned_pointer" for tensor in fallen)
    assert all(tensor["remedy"] for tensor in fallen)
    assert set(report.column("fallback_count")) == {len(fallen)}
    assert "fallback" in {warning["code"] for warning in report.document["warnings"]}
    error = run_one(SMALL, modes=["zero_copy"], io_alignment=64, require_zero_copy=True).error
    assert isinstance(error, RunFailedError)
    assert "misaligned" in error.message


def test_every_mode_computes_the_same() -> None:
    result = run_one(SMALL, modes=["copy", "zero_copy", "staged", "lend"])
    assert result.error is None, result.error
    paths = {mode: {t["path"] for t in r.tensors} for mode, r in result.reports.items()}
    assert paths["copy"] == {"copy"}
    assert paths["lend"] == {"lent"}


def test_a_ring_imports_every_buffer_once() -> None:
    report = run_one(SMALL, modes=["zero_copy"], buffers=3, warmup=3).reports["zero_copy"]
    assert report.column("imports", "warmup").sum() == 3 * len(report.tensors)
    assert not report.column("imports").any()
    assert (np.diff(report.column("start_ns")) > 0).all()


def test_a_text_file_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "notes.pte"
    file.write_text("no model")
    error = run_one(file).error
    assert isinstance(error, InvalidRequestError)
    assert "notes.pte" in error.message


def native_report(model: Path, io_mode: str, file: Path) -> Report:
    runner = locations.find_library().parent / "executor_runner"
    assert runner.is_file(), f"{runner} is not built"
    subprocess.run(
        [
            runner,
            f"--model_path={model}",
            "--print_output=none",
            f"--vgf_perf_json={file}",
            "--vgf_perf_warmup=1",
            "--vgf_perf_iterations=20",
        ],
        env={"ET_VGF_ZERO_COPY": "1" if io_mode == "zero_copy" else "0"},
        check=True,
        capture_output=True,
    )
    return results.load_report(file)


def test_reports_of_the_runner_compare_with_each_other_and_with_the_harness(
    tmp_path: Path,
) -> None:
    base, new = (
        native_report(SMALL, mode, tmp_path / f"{mode}.json") for mode in ("copy", "zero_copy")
    )
    assert (base.io_mode, new.io_mode) == ("copy", "zero_copy")
    assert compare(base, new).differences == ()
    ours = run_one(SMALL, iterations=20).reports["zero_copy"]
    # Both make their own random inputs; nothing else may tell them apart.
    assert set(compare(new, ours, IDENTITY).differences) <= {"inputs"}
    assert new.document["summary"].keys() == ours.document["summary"].keys()
