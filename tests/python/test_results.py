"""Reports on disk and as arrays."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from harness import _ffi, results
from harness.errors import InvalidRequestError, RunFailedError
from tests.python import samples


def test_a_saved_report_loads_as_it_was(tmp_path: Path) -> None:
    report = samples.report([1000, 1001, 1002], "zero_copy", blocks=3)
    results.save(report, tmp_path / "a b.json")
    assert results.load_report(tmp_path / "a b.json") == report
    assert [file.name for file in tmp_path.iterdir()] == ["a b.json"]


def test_records_become_columns() -> None:
    report = samples.report([1000, 1001, 1002, 1003], blocks=2)
    assert report.column("latency_ns").tolist() == [1000, 1001, 1002, 1003]
    assert np.isnan(report.column("gpu_ns")).all()
    assert report.column("latency_ns", "warmup").shape == (0,)
    assert report.blocks().tolist() == [0, 0, 1, 1]


def test_native_records_become_rows() -> None:
    records = np.zeros(2, _ffi.record_dtype())
    records["latency_ns"] = 2**63  # a float would lose it
    records["latency_ns"] += np.uint64(1)
    records["gpu_ns"] = 7
    records["gpu_ns_valid"] = [0, 1]
    unmeasured, measured = results.record_rows(records, block=4)
    assert unmeasured["latency_ns"] == 2**63 + 1
    assert (unmeasured["gpu_ns"], measured["gpu_ns"]) == (None, 7)
    assert measured["block"] == 4
    assert "gpu_ns_valid" not in measured
    assert "block" not in results.record_rows(records)[0]


def test_what_a_report_says_about_itself() -> None:
    report = samples.report([1000], "zero_copy")
    assert (report.model_name, report.io_mode, report.status) == ("add", "zero_copy", "complete")
    assert report.error is None
    assert [tensor["path"] for tensor in report.tensors] == ["zero_copy", "zero_copy"]
    nameless = samples.report([1000], model={"path": None})
    assert nameless.model_name == "model"


@pytest.mark.parametrize(
    ("device", "measures"),
    [
        (samples.GPU, True),
        ({**samples.GPU, "emulated": True}, False),
        ({**samples.GPU, "type": "cpu"}, False),
        (None, False),
    ],
)
def test_only_a_gpu_without_emulation_measures_hardware(
    device: dict[str, object] | None, measures: bool
) -> None:
    assert samples.report([1000], device=device).measures_hardware is measures


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_json_lacks_are_never_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        results.to_json({"value": number})


@pytest.mark.parametrize("text", ["", "no json", '{"a": NaN}', "[" * 100_000, '{"a": Infinity}'])
def test_a_file_that_is_no_strict_json_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "report.json"
    file.write_text(text)
    with pytest.raises(InvalidRequestError, match="is no JSON") as raised:
        results.load_report(file)
    assert str(file) in raised.value.message


def test_a_binary_file_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "model.pte"
    binary.write_bytes(b"\xff\xfe\x00ET12")
    with pytest.raises(InvalidRequestError, match="is no JSON"):
        results.load_report(binary)
    with pytest.raises(InvalidRequestError, match="Is a directory"):
        results.load_report(tmp_path)
    with pytest.raises(InvalidRequestError, match="No such file"):
        results.load_report(tmp_path / "missing.json")


def test_a_path_that_is_no_text_is_written_as_question_marks() -> None:
    name = os.fsdecode(b"/models/\xff.pte")
    written = results.to_json({"path": name, "plain": "ü"})
    assert json.loads(written) == {"path": "/models/?.pte", "plain": "ü"}
    assert written.encode("utf-8")


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.json"
    file.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunFailedError, match="No space left on device"):
        results.write_text(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_full_device_is_an_error() -> None:
    with pytest.raises(RunFailedError, match="/dev/full: No space left"):
        results.write_text(Path("/dev/full"), "text")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    results.write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_path_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    results.check_writable(tmp_path / "new.json")
    results.check_writable(Path("/dev/null"))
    with pytest.raises(InvalidRequestError, match="does not exist"):
        results.check_writable(tmp_path / "missing" / "report.json")
    with pytest.raises(InvalidRequestError, match="it is a folder"):
        results.check_writable(tmp_path)


def test_a_read_only_folder_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root may write anywhere, so the answer of the system is made up.
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    with pytest.raises(InvalidRequestError, match="no permission"):
        results.check_writable(tmp_path / "report.json")
