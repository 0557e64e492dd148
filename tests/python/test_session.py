"""Sessions on the stand-in library: errors, bindings, kept references."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

import harness
from harness import buffers
from harness.session import Session
from tests.python.conftest import CompileFake


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (1, harness.RunFailedError),
        (2, harness.InvalidRequestError),
        (3, harness.UnsupportedError),
    ],
)
def test_a_failed_open_has_the_librarys_detail_and_exit_code(
    fake_library: Path, status: int, kind: type[harness.HarnessError]
) -> None:
    with pytest.raises(kind, match="made to fail") as raised:
        Session.open(f"status-{status}", library=fake_library)
    assert raised.value.exit_code == status


def test_tensors_are_described(fake_library: Path) -> None:
    with Session.open("model", library=fake_library) as session:
        (info,) = session.inputs
    assert (info.name, info.dtype, info.shape, info.strides) == (
        "input 0",
        "float32",
        (2, 3),
        (3, 1),
    )
    assert (info.bytes, info.required_alignment, info.required_capacity) == (24, 256, 256)
    assert info.dim_order == (0, 1)
    assert not info.memory_planned


def test_a_model_may_be_bytes(fake_library: Path) -> None:
    with Session.open(b"model", library=fake_library) as session:
        assert len(session.outputs) == 1
    with pytest.raises(harness.UnsupportedError):
        Session.open(b"status-3", library=fake_library)


def test_allocated_buffers_are_aligned_padded_and_run(fake_library: Path) -> None:
    with Session.open("model", library=fake_library) as session:
        values = np.arange(6, dtype=np.float32).reshape(2, 3)
        session.allocate([values])
        run = session.run(3)
        assert session.input_buffers[0].address % 256 == 0
        np.testing.assert_array_equal(session.output_arrays[0], values + 1)
        np.testing.assert_array_equal(session.input_arrays[0], values)
    assert list(run.records["latency_ns"]) == [100, 101, 102]
    assert run.delegate_records.shape == (3, 2)
    assert set(run.delegate_records["in_copy_bytes"][:, 0]) == {256}
    assert not run.interrupted


def test_a_bound_array_is_read_and_written_in_place(fake_library: Path) -> None:
    source, result = np.full((2, 3), 4, np.float32), np.zeros((2, 3), np.float32)
    with Session.open("model", library=fake_library) as session:
        session.bind_input(0, source)
        session.bind_output(0, result)
        run = session.run(1)
    np.testing.assert_array_equal(result, 5)
    assert run.delegate_records["in_copy_bytes"][0, 0] == 24  # no more than the array has


def test_a_bound_array_lives_as_long_as_it_is_bound(fake_library: Path) -> None:
    session = Session.open("model", library=fake_library)
    buffer = buffers.allocate(session.inputs[0])
    memory = weakref.ref(buffer.memory)
    session.bind_input(0, buffer)
    del buffer
    gc.collect()
    assert memory() is not None
    session.bind_input(0, buffers.allocate(session.inputs[0]))
    gc.collect()
    assert memory() is None


def test_closing_lets_the_arrays_go_and_ends_the_session(fake_library: Path) -> None:
    session = Session.open("model", library=fake_library)
    session.allocate()
    memory = weakref.ref(session.input_buffers[0].memory)
    session.close()
    session.close()
    gc.collect()
    assert memory() is None
    with pytest.raises(harness.InvalidRequestError, match="session is closed"):
        session.run(1)
    with pytest.raises(harness.InvalidRequestError, match="session is closed"):
        session.report()


def test_an_unbound_tensor_is_named(fake_library: Path) -> None:
    with Session.open("model", library=fake_library) as session:
        with pytest.raises(harness.InvalidRequestError, match="input 0 is not bound"):
            _ = session.input_arrays
        with pytest.raises(harness.InvalidRequestError, match="a tensor is not bound"):
            session.run(1)


def test_an_index_out_of_range_is_refused(fake_library: Path) -> None:
    with (
        Session.open("model", library=fake_library) as session,
        pytest.raises(harness.InvalidRequestError, match="no output 1; the model has 1"),
    ):
        session.bind_output(1, np.zeros((2, 3), np.float32))


def test_a_failed_run_keeps_its_reason(fake_library: Path) -> None:
    with Session.open("run-1", library=fake_library) as session:
        session.allocate()
        with pytest.raises(harness.RunFailedError, match="made to fail"):
            session.run(1)


def test_where_nothing_is_lent_buffers_are_allocated(fake_library: Path) -> None:
    with Session.open("model", io_mode="lend", library=fake_library) as session:
        session.allocate()
        session.run(1)
        assert session.output_buffers[0].capacity == 256


def test_paths_have_names_instead_of_numbers(fake_library: Path) -> None:
    with Session.open("model", library=fake_library) as session:
        (path,) = session.paths()
    assert (path.direction, path.path, path.reason) == ("output", "copy", "other")
    assert (path.detail, path.remedy) == ("pointer is off by 4", "change it")
    assert (path.memory_type, path.imported, path.bytes) == (-1, False, 24)


@pytest.mark.parametrize("text", ["", "nonsense", "[1]"])
def test_a_report_that_is_no_object_is_a_failure(compile_fake: CompileFake, text: str) -> None:
    library = compile_fake(FAKE_REPORT=f'"{text}"')
    with (
        Session.open("model", library=library) as session,
        pytest.raises(harness.RunFailedError, match="not a JSON object"),
    ):
        session.report()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"io_mode": "fast"}, "unknown io mode 'fast'; known are copy, lend, staged, zero_copy"),
        ({"wait": "never"}, "unknown wait 'never'"),
        ({"io_alignment": -1}, "alignment -1 is out of range"),
        ({"method": "a\0b"}, "zero byte"),
    ],
)
def test_bad_options_are_refused(
    fake_library: Path, options: dict[str, str | int], message: str
) -> None:
    with pytest.raises(harness.InvalidRequestError, match=message):
        Session.open("model", library=fake_library, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("iterations", "warmup", "seconds"), [(-1, 0, None), (1, -1, None), (1, 0, 0.0), (1, 0, -2.0)]
)
def test_impossible_runs_are_refused(
    fake_library: Path, iterations: int, warmup: int, seconds: float | None
) -> None:
    with Session.open("model", library=fake_library) as session:
        session.allocate()
        with pytest.raises(harness.InvalidRequestError, match="not possible"):
            session.run(iterations, warmup=warmup, max_seconds=seconds)


def test_importing_the_package_loads_no_numpy() -> None:
    import subprocess
    import sys

    code = "import sys, harness, harness.cli; print('numpy' in sys.modules, 'cffi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    assert harness.Session is Session
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = harness.Nothing
