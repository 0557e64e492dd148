"""The bench on stand-in sessions: order, checks, failures, interruption."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import bench, results
from harness.bench import BenchConfig, BenchResult
from harness.compare import compare
from harness.errors import (
    HarnessError,
    InterruptedRunError,
    InvalidRequestError,
    RunFailedError,
    UnsupportedError,
)
from tests.python.fake_session import FakeSessions


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> FakeSessions:
    fake = FakeSessions()
    monkeypatch.setattr(bench, "Session", fake)
    return fake


def config(*models: str, **changes: Any) -> BenchConfig:
    return BenchConfig(models=[Path(name) for name in models or ("add.pte",)], **changes)


def run_one(**changes: Any) -> BenchResult:
    (result,) = bench.run(config(**changes))
    return result


def test_both_modes_are_measured_and_compared(sessions: FakeSessions) -> None:
    result = run_one()
    assert result.error is None
    assert list(result.reports) == ["copy", "zero_copy"]
    for mode, report in result.reports.items():
        document = report.document
        assert (report.status, report.io_mode) == ("complete", mode)
        assert len(document["iterations"]) == 200
        assert len(document["warmup"]) == 20
        assert report.blocks().tolist() == [block for block in range(10) for _ in range(20)]
        assert document["summary"]["latency_ns"]["count"] == 200
        assert document["config"]["seed"] == 0
        assert results.validate(document) == report
    assert result.comparison is not None
    assert result.comparison.ratio is not None
    assert result.comparison.ratio.pairs == 10
    assert result.comparison.verdict == "zero-copy is 2.00 times faster than copy"


def test_both_modes_get_the_same_marked_inputs(sessions: FakeSessions) -> None:
    result = run_one(seed=3)
    left, right = (session.input_arrays[0] for session in sessions.opened)
    assert np.array_equal(left, right)
    assert left.any()
    inputs = [report.document["io"]["inputs"][0] for report in result.reports.values()]
    assert inputs[0] == inputs[1]
    assert inputs[0]["source"] == "synthetic"
    assert len(inputs[0]["sha256"]) == 64


def test_input_files_are_used_and_named(sessions: FakeSessions, tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    np.save(file, np.arange(256, dtype=np.float32))
    result = run_one(inputs=[str(file)])
    assert sessions.opened[0].input_arrays[0].tolist() == list(range(256))
    assert result.reports["copy"].document["io"]["inputs"][0]["source"] == "file"


def measured_order(sessions: FakeSessions) -> list[str]:
    return [mode for mode, count, profiled in sessions.diary if count == 20 and not profiled][2:]


def test_blocks_take_turns_in_an_order_that_the_seed_decides(sessions: FakeSessions) -> None:
    orders = []
    for seed in (0, 0, 1):
        sessions.diary.clear()
        run_one(seed=seed)
        orders.append(measured_order(sessions)[:20])
    assert orders[0] == orders[1] != orders[2]
    pairs = {tuple(orders[0][at : at + 2]) for at in range(0, 20, 2)}
    assert pairs == {("copy", "zero_copy"), ("zero_copy", "copy")}


@pytest.mark.parametrize(
    ("iterations", "blocks", "sizes"), [(7, 3, [3, 2, 2]), (3, 3, [1, 1, 1]), (5, 1, [5])]
)
def test_every_iteration_is_in_a_block(
    sessions: FakeSessions, iterations: int, blocks: int, sizes: list[int]
) -> None:
    report = run_one(iterations=iterations, blocks=blocks, warmup=0).reports["copy"]
    assert np.bincount(report.blocks()).tolist() == sizes


def test_device_time_comes_from_a_pass_of_its_own(sessions: FakeSessions) -> None:
    report = run_one().reports["zero_copy"]
    assert np.isnan(report.column("gpu_ns")).all()
    profile = report.document["profile"]
    assert profile["summary"]["gpu_ns"]["median"] == 500
    assert len(profile["iterations"]) == 20
    profiled = [entry for entry in sessions.diary if entry[2]]
    assert profiled == [("copy", 20, True), ("zero_copy", 20, True)]


def test_no_profile_without_timestamps_or_when_not_wanted(sessions: FakeSessions) -> None:
    assert run_one(profile_iterations=0).reports["copy"].document["profile"] is None
    sessions.behaviour.timestamps = False
    assert run_one().reports["copy"].document["profile"] is None


@pytest.mark.parametrize("mode", ["zero-copy", "zero_copy"])
def test_a_single_mode_has_no_comparison(sessions: FakeSessions, mode: str) -> None:
    result = run_one(modes=[mode])
    assert list(result.reports) == ["zero_copy"]
    assert result.comparison is None


def test_options_reach_the_sessions(sessions: FakeSessions) -> None:
    run_one(require_zero_copy=True, wait="fence", io_alignment=256, method="m", device="llvm")
    copy, zero_copy = (session.options for session in sessions.opened)
    assert (copy["require_zero_copy"], zero_copy["require_zero_copy"]) == (False, True)
    for options in (copy, zero_copy):
        assert options["wait"] == "fence"
        assert options["io_alignment"] == 256
        assert (options["method"], options["device"]) == ("m", "llvm")
    assert all(session.closed for session in sessions.opened)


def never(mode: str, x: Any, y: Any) -> None:
    """Computes nothing."""


def poison(pattern: int) -> Any:
    """A model whose true result is what the outputs are filled with."""
    return lambda mode, x, y: y.view(np.uint8).fill(pattern)


def test_outputs_that_were_never_written_are_a_failure(sessions: FakeSessions) -> None:
    sessions.behaviour.compute = never
    result = run_one()
    assert isinstance(result.error, RunFailedError)
    assert "output 0 was never written" in result.error.message
    assert {report.status for report in result.reports.values()} == {"failed"}
    assert result.comparison is None


@pytest.mark.parametrize("pattern", [0xA5, 0x5A])
def test_a_result_that_looks_like_poison_is_a_result(sessions: FakeSessions, pattern: int) -> None:
    sessions.behaviour.compute = poison(pattern)
    assert run_one().error is None


def test_outputs_that_differ_by_a_bit_are_a_failure(sessions: FakeSessions) -> None:
    def compute(mode: str, x: Any, y: Any) -> None:
        np.copyto(y, 0.0)
        y[7] = -0.0 if mode == "zero_copy" else 0.0

    sessions.behaviour.compute = compute
    result = run_one()
    assert isinstance(result.error, RunFailedError)
    assert "output 0 differs between copy and zero_copy" in result.error.message


def test_equal_nans_do_not_differ(sessions: FakeSessions) -> None:
    sessions.behaviour.compute = lambda mode, x, y: y.fill(np.nan)
    assert run_one().error is None


def test_a_model_that_fails_is_a_row_and_the_others_run(sessions: FakeSessions) -> None:
    sessions.behaviour.fail_open["bad.pte"] = InvalidRequestError("bad.pte is no program")
    results = bench.run(config("a.pte", "bad.pte", "c.pte"))
    assert [result.model.name for result in results] == ["a.pte", "bad.pte", "c.pte"]
    assert [result.error is None for result in results] == [True, False, True]
    assert results[1].error is sessions.behaviour.fail_open["bad.pte"]
    assert results[1].reports == {}


def test_a_device_lost_midway_leaves_what_was_measured(sessions: FakeSessions) -> None:
    sessions.behaviour.fail_after = 20 + 45
    result = run_one()
    assert result.error is sessions.behaviour.error
    assert {report.status for report in result.reports.values()} == {"failed"}
    assert {report.error for report in result.reports.values()} == {"the device is lost"}
    measured = [len(report.document["iterations"]) for report in result.reports.values()]
    assert max(measured) == 40
    assert all(session.closed for session in sessions.opened)


def test_a_broken_program_is_not_a_failed_model(sessions: FakeSessions) -> None:
    def compute(mode: str, x: Any, y: Any) -> None:
        raise ZeroDivisionError

    sessions.behaviour.compute = compute
    with pytest.raises(ZeroDivisionError):
        run_one()


@pytest.mark.parametrize(
    ("stop_after", "warmups", "measured"),
    [(5, 5, 0), (20 + 50, 20, 50), (20 + 200 + 3, 20, 200), (0, 0, 0)],
)
def test_an_interruption_leaves_valid_partial_reports(
    sessions: FakeSessions, stop_after: int, warmups: int, measured: int
) -> None:
    sessions.behaviour.stop_after = stop_after
    results = bench.run(config("a.pte", "b.pte"))
    assert [result.model.name for result in results] == ["a.pte"]
    assert results[0].interrupted
    assert results[0].error is None
    assert results[0].comparison is None
    longest = max(results[0].reports.values(), key=lambda r: len(r.document["iterations"]))
    assert longest.status == "interrupted"
    assert len(longest.document["warmup"]) == warmups
    assert len(longest.document["iterations"]) == measured


def test_an_interruption_while_a_model_loads(sessions: FakeSessions) -> None:
    sessions.behaviour.fail_open["a.pte"] = InterruptedRunError("stopped")
    (result,) = bench.run(config("a.pte", "b.pte"))
    assert result.interrupted
    assert result.reports == {}


def test_a_fallback_is_measured_and_told(sessions: FakeSessions) -> None:
    sessions.behaviour.reason["zero_copy"] = "misaligned_pointer"
    result = run_one()
    assert list(result.reports) == ["copy", "zero_copy"]
    warnings = result.reports["zero_copy"].document["warnings"]
    assert "fallback" in [warning["code"] for warning in warnings]


def test_where_nothing_can_be_imported_memory_is_lent_and_that_is_told(
    sessions: FakeSessions,
) -> None:
    sessions.behaviour.reason["zero_copy"] = "extension_missing"
    sessions.behaviour.latency_ns["lend"] = 1000
    result = run_one()
    assert list(result.reports) == ["copy", "zero_copy"]
    report = result.reports["zero_copy"]
    assert report.io_mode == "lend"
    assert report.document["config"]["requested_io_mode"] == "zero_copy"
    (note,) = [w for w in report.document["warnings"] if w["code"] == "lent_instead"]
    assert "extension_missing" in note["message"]
    assert note["remedy"] == "change it"
    assert result.comparison is not None
    assert result.comparison.verdict == "lend is 2.00 times faster than copy"
    assert all(session.closed for session in sessions.opened)


def test_auto_is_the_fastest_in_a_trial(sessions: FakeSessions) -> None:
    sessions.behaviour.latency_ns["staged"] = 500
    result = run_one(modes=["copy", "auto"])
    assert list(result.reports) == ["copy", "auto"]
    assert result.reports["auto"].io_mode == "staged"
    assert result.reports["auto"].document["config"]["requested_io_mode"] == "auto"
    assert result.comparison is not None
    assert result.comparison.verdict == "staged is 4.00 times faster than copy"
    assert all(session.closed for session in sessions.opened)


def test_auto_may_be_what_it_is_compared_with(sessions: FakeSessions) -> None:
    sessions.behaviour.latency_ns.update(copy=100, staged=500)
    result = run_one(modes=["copy", "auto"])
    assert list(result.reports) == ["copy", "auto"]
    assert result.comparison is not None
    assert result.comparison.verdict == "no difference seen above 0.1 %"


@pytest.mark.parametrize("buffers", [3, 1000])
def test_a_ring_of_buffers_is_bound_in_turn(sessions: FakeSessions, buffers: int) -> None:
    result = run_one(buffers=buffers, iterations=40)
    assert result.error is None
    for session in sessions.opened:
        # 20 warm-up, 40 measured, 20 profiled, and one more for each output in doubt.
        assert session.bound[:80] == [turn % buffers for turn in range(80)]
    starts = result.reports["copy"].column("start_ns")
    assert (np.diff(starts) > 0).all()


def test_a_ring_whose_outputs_are_never_written_is_a_failure(sessions: FakeSessions) -> None:
    sessions.behaviour.compute = never
    error = run_one(buffers=3).error
    assert isinstance(error, RunFailedError)
    assert "output 0 was never written" in error.message


def test_a_device_that_cannot_keeps_its_exit_code(sessions: FakeSessions) -> None:
    sessions.behaviour.fail_open["add.pte"] = UnsupportedError("no device")
    error = run_one().error
    assert isinstance(error, HarnessError)
    assert error.exit_code == 3


def test_wrong_inputs_are_the_models_failure(sessions: FakeSessions, tmp_path: Path) -> None:
    file = tmp_path / "short.bin"
    file.write_bytes(bytes(1023))
    error = run_one(inputs=[str(file)]).error
    assert isinstance(error, InvalidRequestError)
    assert "1023 bytes, expected 1024" in error.message


@pytest.mark.parametrize(
    "changes",
    [
        {"models": []},
        {"iterations": 0},
        {"warmup": -1},
        {"profile_iterations": -1},
        {"blocks": 0},
        {"iterations": 5, "blocks": 6},
        {"iterations": 5000, "blocks": 1001},
        {"modes": []},
        {"modes": ["zero copy"]},
        {"modes": ["copy", "copy"]},
        {"buffers": 0},
        {"buffers": 4097},
        {"modes": ["zero_copy", "zero-copy"]},
    ],
)
def test_a_wrong_configuration_is_refused(sessions: FakeSessions, changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequestError):
        bench.run(BenchConfig(**{"models": [Path("a.pte")], **changes}))
    assert sessions.opened == []


def test_progress_reaches_the_end(sessions: FakeSessions) -> None:
    calls: list[tuple[str, int, int]] = []
    bench.run(config(), lambda label, done, total: calls.append((label, done, total)))
    assert calls[0] == ("add: warm-up", 0, 440)
    assert [done for _, done, _ in calls] == sorted(done for _, done, _ in calls)
    assert calls[-1][1:] == (440, 440)


def test_time_runs_out_at_the_end_of_a_round(sessions: FakeSessions) -> None:
    """Inferences take far longer than the warm-up made believe."""

    def slow(mode: str, x: Any, y: Any) -> None:
        time.sleep(0.005)
        np.copyto(y, x + 1)

    sessions.behaviour.compute = slow
    result = run_one(iterations=100, blocks=10, warmup=1, max_time=0.12)
    for report in result.reports.values():
        assert report.status == "complete"
        assert 10 <= len(report.document["iterations"]) < 100
        assert len(report.document["iterations"]) % 10 == 0
        (warning,) = (w for w in report.document["warnings"] if w["code"] == "stopped_early")
        assert "of 10 blocks" in warning["message"]
    assert len({len(report.document["iterations"]) for report in result.reports.values()}) == 1


@pytest.mark.parametrize(
    ("changes", "fields"),
    [({"end_to_end": True}, {"fill_ns", "read_ns"}), ({"pace": 5000.0}, {"end_to_end_ns"})],
)
def test_what_happens_around_an_inference_is_recorded_and_compared(
    sessions: FakeSessions, changes: dict[str, Any], fields: set[str]
) -> None:
    result = run_one(**changes)
    for report in result.reports.values():
        assert report.timed == "end_to_end_ns"
        for row in (*report.document["iterations"], *report.document["warmup"]):
            assert row["end_to_end_ns"] == sum(
                row[name] for name in ("late_ns", "fill_ns", "latency_ns", "read_ns")
            )
            assert all(row[name] > 0 for name in fields)
        assert report.document["summary"]["end_to_end_ns"]["count"] == len(
            report.document["iterations"]
        )
    assert result.comparison is not None
    assert result.comparison.ratio is not None


def test_a_paced_run_is_not_compared_with_one_that_is_not(sessions: FakeSessions) -> None:
    paced, plain = run_one(pace=5000.0), run_one()
    with pytest.raises(InvalidRequestError, match="differ in timing"):
        compare(paced.reports["copy"], plain.reports["copy"])
