"""Commands from end to end, with the real library on the machine's device."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from harness import results
from tests.python.conftest import MODELS, ROOT
from tests.python.test_cli import harness

pytestmark = pytest.mark.device

SMALL = str(MODELS / "classifier_1x3x32x32.pte")
QUICK = ("--iterations", "20", "--warmup", "1", "--blocks", "2", "--profile-iterations", "2")


def test_both_modes_by_default_with_a_report_each(tmp_path: Path) -> None:
    done = harness("bench", SMALL, *QUICK, "--report-dir", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "zero-copy" in done.stdout
    copy, zero_copy = (
        results.load_report(tmp_path / f"classifier_1x3x32x32-{mode}.json")
        for mode in ("copy", "zero_copy")
    )
    assert set(copy.column("in_copy_bytes")) == {12288}
    assert set(zero_copy.column("in_copy_bytes")) == {0}
    assert set(zero_copy.column("in_zero_copy_bytes")) == {12288}
    compared = harness("compare", *map(str, sorted(tmp_path.iterdir())), "--json")
    assert compared.returncode == 0, compared.stderr
    assert json.loads(compared.stdout)["ratio"]["pairs"] == 2


def test_a_page_with_plots_and_from_the_same_result_the_other_formats(tmp_path: Path) -> None:
    page, result = tmp_path / "page.html", tmp_path / "result.json"
    done = harness("bench", SMALL, *QUICK, "--html", str(page), "--json", str(result))
    assert done.returncode == 0, done.stderr
    for plot in ("latency", "distribution", "parts"):
        assert f'id="{plot}-0"' in page.read_text("utf-8")
    for style, mark in (
        ("html", 'id="latency-0"'),
        ("trace", '"traceEvents"'),
        ("google-benchmark", '"classifier_1x3x32x32/zero-copy_median"'),
    ):
        done = harness("report", str(result), "--format", style)
        assert done.returncode == 0, done.stderr
        assert mark in done.stdout


def test_stdout_is_the_json_and_nothing_else() -> None:
    done = harness("bench", SMALL, "--zero-copy", *QUICK, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = results.validate(json.loads(done.stdout))
    assert (report.status, report.io_mode) == ("complete", "zero_copy")
    assert len(report.document["iterations"]) == 20


def test_input_files_are_used_and_named(tmp_path: Path) -> None:
    values = np.random.default_rng(0).uniform(size=(1, 3, 32, 32)).astype(np.float32)
    np.save(tmp_path / "a.npy", values)
    values.tofile(tmp_path / "a.bin")
    digests = []
    for name in ("a.npy", "a.bin"):
        done = harness(
            "bench", SMALL, "--copy", *QUICK, "--inputs", str(tmp_path / name), "--json", "-"
        )
        assert done.returncode == 0, done.stderr
        (tensor,) = json.loads(done.stdout)["io"]["inputs"]
        assert tensor["source"] == "file"
        digests.append(tensor["sha256"])
    assert digests[0] == digests[1]


def test_an_input_of_another_size_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(bytes(12287))
    done = harness("bench", SMALL, *QUICK, "--inputs", str(tmp_path / "a.bin"))
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "12287 bytes, expected 12288" in line


def test_one_bad_model_of_three_fails_alone(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pte"
    bad.write_text("no model")
    file = tmp_path / "result.json"
    done = harness("bench", SMALL, str(bad), SMALL, "--copy", *QUICK, "--json", str(file))
    assert done.returncode == 2
    first, second, third = json.loads(file.read_text())["results"]
    assert second["error"]
    assert (first["error"], third["error"]) == (None, None)
    assert len(first["reports"]["copy"]["iterations"]) == 20


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_valid_partial_report(number: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "bench", SMALL, "--copy"]
    command += ["--iterations", "200000", "--report-dir", str(tmp_path)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _wait_for_device(process.pid)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr.decode()
    (file,) = tmp_path.iterdir()
    report = results.load_report(file)
    assert report.status == "interrupted"
    assert len(report.document["iterations"]) < 200000


def _wait_for_device(process: int) -> None:
    """Until the process has opened Vulkan: from then on there is something to report."""
    maps = Path(f"/proc/{process}/maps")
    deadline = time.monotonic() + 60
    while "libvulkan" not in maps.read_text():
        assert time.monotonic() < deadline, "it never opened Vulkan"
        time.sleep(0.05)
    time.sleep(1)


def test_build_information_comes_with_the_doctor() -> None:
    done = harness("doctor", "--json")
    assert done.returncode == 0, done.stderr
    diagnosis = json.loads(done.stdout)
    assert any(device["usable"] for device in diagnosis["devices"])
