"""Sessions with the real library on the machine's device, on the shipped models."""

from __future__ import annotations

import gc
import mmap
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import harness
from harness import buffers
from harness.session import Session
from tests.python.conftest import MODELS, ROOT

pytestmark = pytest.mark.device

ADD = MODELS / "add_1x4x256x256.pte"
SMALL = MODELS / "classifier_1x3x32x32.pte"
SHIPPED = sorted(MODELS.glob("*.pte"))


def boundary(session: Session) -> tuple[int, int]:
    return sum(t.bytes for t in session.inputs), sum(t.bytes for t in session.outputs)


@pytest.mark.parametrize("model", SHIPPED, ids=lambda path: path.stem)
def test_the_modes_agree_bit_for_bit_and_count_every_byte(model: Path) -> None:
    outputs = {}
    for mode in ("copy", "zero-copy", "staged", "lend"):
        with Session.open(model, io_mode=mode) as session:
            session.allocate(seed=3)
            for array in session.output_arrays:
                buffers.bytes_of(array)[...] = 0xA5
            (record,) = session.run(1, warmup=1).records
            copied = record["in_copy_bytes"], record["out_copy_bytes"]
            in_place = record["in_zero_copy_bytes"], record["out_zero_copy_bytes"]
            expected = (
                (boundary(session), (0, 0)) if mode == "copy" else ((0, 0), boundary(session))
            )
            assert (copied, in_place) == expected, mode
            assert all(path.reason == "none" for path in session.paths()), mode
            outputs[mode] = [buffers.bytes_of(array).tobytes() for array in session.output_arrays]
    assert outputs["copy"] == outputs["zero-copy"] == outputs["staged"] == outputs["lend"]
    assert all(set(output) != {0xA5} for output in outputs["copy"])


def test_addition_adds() -> None:
    with Session.open(ADD, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        session.run(1)
        left, right = session.input_arrays
        np.testing.assert_allclose(session.output_arrays[0], left + right, rtol=1e-6, atol=1e-6)
        left[...] = 2  # filled in place: the next run sees it without any call
        session.run(1)
        np.testing.assert_allclose(session.output_arrays[0], 2 + right, rtol=1e-6, atol=1e-6)


def test_inputs_are_never_written() -> None:
    for mode in ("copy", "zero-copy"):
        with Session.open(ADD, io_mode=mode) as session:
            session.allocate(seed=1)
            before = [array.copy() for array in session.input_arrays]
            session.run(2)
            for old, new in zip(before, session.input_arrays, strict=True):
                np.testing.assert_array_equal(old, new)


def test_a_plain_array_that_cannot_be_imported_is_copied_with_the_reason() -> None:
    with Session.open(SMALL, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        whole = buffers.aligned_bytes(2 * 12288, 4096)
        array = whole[64 : 64 + 12288].view(np.float32).reshape(1, 3, 32, 32)
        array[...] = session.input_arrays[0]
        session.bind_input(0, array)
        (record,) = session.run(1).records
        assert (record["in_copy_bytes"], record["in_zero_copy_bytes"]) == (12288, 0)
        assert record["fallback_count"] == 1
        (path,) = [p for p in session.paths() if p.direction == "input"]
    assert (path.path, path.reason, path.imported) == ("copy", "misaligned_pointer", False)
    assert path.alignment == 64
    assert path.detail
    assert path.remedy


def test_what_has_to_be_zero_copy_and_cannot_be_fails_the_run() -> None:
    with Session.open(SMALL, io_mode="zero-copy", require_zero_copy=True) as session:
        session.allocate(seed=1)
        session.run(1)
        array = buffers.aligned_bytes(2 * 12288, 4096)[64 : 64 + 12288]
        session.bind_input(0, array.view(np.float32).reshape(1, 3, 32, 32))
        with pytest.raises(harness.HarnessError, match="aligned"):
            session.run(1)


def test_another_buffer_is_imported_once_and_read() -> None:
    with Session.open(ADD, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        session.run(1)
        other = buffers.copy_of(np.full((1, 4, 256, 256), 7, np.float32), session.inputs[0])
        session.bind_input(0, other)
        first, second = session.run(2).records
        assert (first["imports"], first["binding_refreshes"] > 0) == (1, True)
        assert (second["imports"], second["binding_refreshes"]) == (0, 0)
        np.testing.assert_allclose(
            session.output_arrays[0], 7 + session.input_arrays[1], rtol=1e-6, atol=1e-6
        )


def test_a_ring_of_buffers_gives_each_its_own_result() -> None:
    with Session.open(SMALL, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        ring = [buffers.copy_of(session.input_arrays[0] * k, session.inputs[0]) for k in range(5)]
        expected: list[bytes] = []
        for turn in range(15):
            session.bind_input(0, ring[turn % 5])
            session.run(1)
            result = session.output_arrays[0].tobytes()
            if turn < 5:
                expected.append(result)
            assert result == expected[turn % 5]
        assert len(set(expected)) == 5


def test_one_array_may_be_two_inputs_and_belong_to_two_sessions() -> None:
    with Session.open(ADD, io_mode="zero-copy") as one, Session.open(ADD, io_mode="copy") as two:
        shared = buffers.allocate(one.inputs[0])
        shared.array[...] = 1.5
        for session in (one, two):
            session.allocate()
            session.bind_input(0, shared)
            session.bind_input(1, shared)
        one.run(1)
        two.run(1)
        np.testing.assert_array_equal(one.output_arrays[0], 3)
        np.testing.assert_array_equal(two.output_arrays[0], 3)


def test_a_bound_array_that_the_caller_forgot_is_still_there() -> None:
    with Session.open(ADD, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        session.bind_input(
            0, buffers.copy_of(np.ones((1, 4, 256, 256), np.float32), session.inputs[0])
        )
        gc.collect()
        [np.full((1, 4, 256, 256), 9, np.float32) for _ in range(8)]  # would take its place
        session.run(1)
        np.testing.assert_allclose(session.output_arrays[0], 1 + session.input_arrays[1], rtol=1e-6)


def test_device_time_is_measured_only_when_asked_for() -> None:
    with Session.open(SMALL) as session:
        session.allocate()
        assert not session.run(2).records["gpu_ns_valid"].any()
        profile = session.run(2, profile_device=True).records
        if session.report()["device"]["timestamps"]:
            assert profile["gpu_ns_valid"].all()
            assert (profile["gpu_ns"] > 0).all()
            assert (profile["gpu_ns"] <= profile["latency_ns"]).all()


def test_parts_of_delegates_add_up_to_the_whole() -> None:
    with Session.open(SMALL) as session:
        session.allocate()
        run = session.run(5)
        for field in ("in_copy_bytes", "out_copy_bytes", "execute_ns", "submit_wait_ns"):
            np.testing.assert_array_equal(
                run.delegate_records[field].sum(axis=1), run.records[field]
            )
        starts = run.records["start_ns"].astype(np.int64)
        assert starts[0] == 0
        assert (np.diff(starts) >= run.records["latency_ns"][:-1].astype(np.int64)).all()
        assert (run.records["execute_ns"] <= run.records["latency_ns"]).all()


def test_a_time_limit_ends_the_run_early() -> None:
    with Session.open(SMALL) as session:
        session.allocate()
        run = session.run(100_000, max_seconds=0.05)
        assert 0 < len(run.records) < 100_000
        assert not run.interrupted


def test_a_signal_ends_the_run_with_what_was_measured() -> None:
    with Session.open(SMALL) as session:
        session.allocate()
        session.run(1)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        run = session.run(100_000)
        timer.join()
        assert run.interrupted
        assert 0 < len(run.records) < 100_000
        assert (run.records["latency_ns"] > 0).all()
        assert not session.run(2).interrupted  # the request was for that run


def test_a_model_in_memory_runs_like_the_file() -> None:
    results = []
    for model in (SMALL, SMALL.read_bytes()):
        with Session.open(model) as session:
            session.allocate(seed=2)
            session.run(1)
            results.append(session.output_arrays[0].tobytes())
    assert results[0] == results[1]


def test_the_report_names_model_and_device() -> None:
    with Session.open(SMALL) as session:
        session.allocate()
        session.run(1)
        report = session.report()
    assert set(report) == {"tool", "host", "device", "model", "io", "init"}
    assert report["model"]["path"] == str(SMALL)
    assert report["device"]["name"]


def test_a_process_that_closes_nothing_ends_cleanly() -> None:
    code = (
        "import sys, harness\n"
        "session = harness.Session.open(sys.argv[1], io_mode='zero-copy')\n"
        "session.allocate()\n"
        "print(len(session.run(3).records))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(SMALL)], cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "3", "")


@pytest.mark.parametrize("share", [0, 25, 50, 99])
def test_a_cut_model_is_refused(tmp_path: Path, share: int) -> None:
    whole = SMALL.read_bytes()
    cut = tmp_path / "cut.pte"
    cut.write_bytes(whole[: len(whole) * share // 100])
    with pytest.raises(harness.InvalidRequestError):
        Session.open(cut)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.pte"
    text.write_text("just text " * 100)
    for path in (text, tmp_path, tmp_path / "gone.pte"):
        with pytest.raises(harness.InvalidRequestError, match=path.name):
            Session.open(path)


def test_unknown_devices_and_methods_are_refused() -> None:
    with pytest.raises(harness.HarnessError, match="No Such Card") as raised:
        Session.open(SMALL, device="No Such Card").allocate()
    assert raised.value.exit_code in (2, 3)
    with pytest.raises(harness.InvalidRequestError, match="backward"):
        Session.open(SMALL, method="backward")


def test_a_path_may_have_odd_characters(tmp_path: Path) -> None:
    for name in (b"with space.pte", b"quote'\".pte", b"line\nbreak.pte", b"byte\xff.pte"):
        path = tmp_path / os.fsdecode(name)
        path.write_bytes(SMALL.read_bytes())
        with Session.open(path) as session:
            session.allocate()
            assert len(session.run(1).records) == 1
            assert session.report()["model"]["bytes"] == path.stat().st_size


def memory_of(kind: str, folder: Path, count: int) -> buffers.Array:
    """Page-aligned memory of a kind that is not the ordinary heap."""
    if kind == "memfd":
        descriptor = os.memfd_create("vgfio-test")
        os.ftruncate(descriptor, count)
        return np.frombuffer(mmap.mmap(descriptor, count), np.uint8)
    if kind == "anonymous":
        return np.frombuffer(mmap.mmap(-1, count), np.uint8)
    file = folder / "memory.bin"
    file.write_bytes(bytes(count))
    access = mmap.ACCESS_WRITE if kind == "shared file" else mmap.ACCESS_COPY
    with file.open("r+b") as opened:
        return np.frombuffer(mmap.mmap(opened.fileno(), count, access=access), np.uint8)


@pytest.mark.parametrize("kind", ["memfd", "anonymous", "shared file", "private file"])
def test_memory_of_any_kind_is_imported_or_copied_with_a_reason(kind: str, tmp_path: Path) -> None:
    with Session.open(ADD, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        session.run(1)
        expected = session.output_arrays[0].copy()
        for index, (bind, array) in enumerate(
            [(session.bind_input, session.input_arrays[0]),
             (session.bind_output, session.output_arrays[0])]
        ):  # fmt: skip
            folder = tmp_path / str(index)
            folder.mkdir()
            other = memory_of(kind, folder, array.nbytes).view(np.float32).reshape(array.shape)
            other[...] = array
            bind(0, other)
        session.output_arrays[0][...] = np.nan
        session.run(2)
        np.testing.assert_array_equal(session.output_arrays[0], expected)
        for path in session.paths():
            assert path.path == "zero_copy" or path.detail, path


def test_two_halves_of_one_arena_are_two_inputs() -> None:
    with Session.open(ADD, io_mode="zero-copy") as session:
        session.allocate(seed=1)
        arena = buffers.aligned_bytes(2 << 20, 4096).view(np.float32)
        arena[...] = np.arange(arena.size) % 100
        left, right = (half.reshape(1, 4, 256, 256) for half in np.split(arena, 2))
        session.bind_input(0, left)
        session.bind_input(1, right)
        session.run(1)
        np.testing.assert_array_equal(session.output_arrays[0], left + right)
        assert [p.path for p in session.paths()] == ["zero_copy"] * 3


def test_the_tail_behind_a_tensor_stays_the_callers() -> None:
    for mode in ("copy", "zero-copy", "staged"):
        with Session.open(SMALL, io_mode=mode) as session:
            session.allocate(seed=1)
            buffer = session.output_buffers[0]
            tail = buffer.memory[session.outputs[0].bytes :]
            assert mode == "copy" or tail.size > 0
            tail[...] = 0xC3
            session.run(2)
            assert (tail == 0xC3).all(), mode
