"""Several processes: how their reports are joined and compared, and that they are started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import bench, processes, results
from harness.bench import BenchConfig
from harness.compare import compare
from harness.errors import HarnessError
from harness.results import Report
from tests.python import samples
from tests.python.conftest import MODELS, ROOT

SMALL = MODELS / "classifier_1x3x32x32.pte"


def one(seed: int, mode: str = "copy", factor: float = 1.0, **changes: Any) -> Report:
    """What a process measures: 8 blocks of 10, with 1 % of noise."""
    noise = np.random.default_rng(seed).normal(1e6 * factor, 1e4, 80)
    document = samples.document([int(value) for value in noise], mode, blocks=8, **changes)
    for number, row in enumerate(document["iterations"]):
        row["start_ns"] = number * 2_000_000
    return results.validate(document)


def test_records_of_all_processes_in_their_order() -> None:
    parts = [one(seed) for seed in range(3)]
    joined = processes.join(parts, "together")
    rows = joined.document["iterations"]
    assert [row["process"] for row in rows] == [0] * 80 + [1] * 80 + [2] * 80
    assert [row["latency_ns"] for row in rows] == [
        row["latency_ns"] for part in parts for row in part.document["iterations"]
    ]
    assert list(np.unique(joined.blocks())) == list(range(24))
    assert np.all(np.diff(joined.column("start_ns")) > 0)
    config = joined.document["config"]
    expected = ("together", 3, 24, 240)
    assert tuple(config[k] for k in ("run_id", "processes", "blocks", "iterations")) == expected
    assert len(joined.document["processes"]) == 3
    assert joined.document["summary"]["latency_ns"]["count"] == 240


def test_profiles_are_joined_and_a_missing_one_is_no_error() -> None:
    profiled = [samples.record(1000, gpu_ns=500)] * 4
    profile = {"iterations": profiled, "summary": one(0).document["summary"]}
    joined = processes.join([one(0, profile=profile), one(1, profile=profile)], "x")
    assert joined.document["profile"]["summary"]["gpu_ns"]["count"] == 8
    assert processes.join([one(0), one(1)], "x").document["profile"] is None


def test_a_later_process_that_fell_back_to_copying_is_told() -> None:
    """The tensors in the joined report are those of the first process."""
    fallen = one(1, "zero_copy")
    for row in fallen.document["iterations"]:
        row["fallback_count"] = 2
    joined = processes.join([one(0, "zero_copy"), fallen], "x")
    (warning,) = (w for w in joined.document["warnings"] if w["code"] == "fallback")
    assert "80 of 160 inferences" in warning["message"]


def test_an_interrupted_last_process_makes_the_whole_interrupted() -> None:
    cut = one(1, status="interrupted")
    assert processes.join([one(0), cut], "x").status == "interrupted"


def pair(factors: list[float]) -> tuple[Report, Report]:
    """Two modes; in each process the second has its own ratio to the first."""
    base = processes.join([one(2 * i) for i in range(len(factors))], "x")
    parts = [one(2 * i + 1, "zero_copy", factor) for i, factor in enumerate(factors)]
    return base, processes.join(parts, "x")


def test_a_few_processes_are_compared_block_by_block() -> None:
    ratio = compare(*pair([0.9, 0.9, 0.9])).ratio
    assert ratio is not None
    assert ratio.pairs == 24
    assert ratio.interval.low < 1 / 0.9 < ratio.interval.high


def test_six_processes_are_compared_process_by_process() -> None:
    """What differs from process to process widens the interval as it must."""
    same = compare(*pair([0.95] * 6)).ratio
    spread = compare(*pair([0.85, 1.05, 0.87, 1.04, 0.86, 1.06])).ratio
    assert same is not None and spread is not None
    assert same.pairs == spread.pairs == 6
    assert same.differs
    assert not spread.differs
    assert spread.interval.low < 0.97 < 1.15 < spread.interval.high


@pytest.mark.parametrize(
    ("factors", "disagree"), [([0.9, 0.9, 0.9], False), ([0.9, 0.8, 0.9], True)]
)
def test_processes_that_exclude_each_other_are_a_warning(
    factors: list[float], disagree: bool
) -> None:
    base, new = pair(factors)
    found = processes._with_disagreement({"copy": base, "zero_copy": new})
    for report in found.values():
        codes = [warning["code"] for warning in report.document["warnings"]]
        assert ("processes_disagree" in codes) == disagree


def test_a_configuration_survives_the_way_to_the_process() -> None:
    config = BenchConfig(
        models=[Path("a b.pte")],
        modes=("copy", "staged"),
        inputs=["x.npy"],
        data=Path("d.ptd"),
        max_time=0.5,
        pace=30.0,
        process=3,
    )
    text = json.dumps(asdict(config), default=str)
    again = BenchConfig(**processes.config_from_json(text))
    assert {**vars(again), "modes": tuple(again.modes)} == vars(config)


def test_a_process_that_dies_is_told_with_its_last_words() -> None:
    with pytest.raises(HarnessError, match=r"ended with -11: Segmentation fault"):
        processes._result(-11, "", "some lines\nSegmentation fault\n")


@pytest.mark.device
def test_three_processes_on_the_device() -> None:
    config = BenchConfig(models=[SMALL], iterations=12, warmup=2, blocks=4, processes=3)
    (result,) = bench.run(config)
    assert result.error is None
    assert set(result.reports) == {"copy", "zero_copy"}
    for report in result.reports.values():
        assert list(np.unique(report.processes())) == [0, 1, 2]
        assert len(report.document["iterations"]) == 36
    assert result.comparison is not None and result.comparison.ratio is not None
    assert result.comparison.ratio.pairs == 12


@pytest.mark.device
def test_a_bad_model_fails_as_in_one_process(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pte"
    bad.write_text("no model")
    alone, several = (
        bench.run(BenchConfig(models=[bad], iterations=10, processes=count))[0].error
        for count in (1, 2)
    )
    assert alone is not None and several is not None
    assert (several.message, type(several)) == (alone.message, type(alone))


@pytest.mark.device
def test_a_signal_ends_all_with_a_partial_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "bench", str(SMALL), "--copy", "--processes", "3"]
    command += ["--iterations", "100000", "--report-dir", str(tmp_path)]
    parent = subprocess.Popen(command, cwd=ROOT, env=os.environ, stderr=subprocess.PIPE)
    child = wait_for_child(parent.pid)
    time.sleep(2)
    parent.send_signal(signal.SIGTERM)
    _, stderr = parent.communicate(timeout=60)
    assert parent.returncode == 130, stderr.decode()
    assert not Path(f"/proc/{child}").exists()
    (file,) = tmp_path.iterdir()
    assert results.load_report(file).status == "interrupted"


def wait_for_child(parent: int) -> int:
    """The measuring process, once it has opened Vulkan."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            if "libvulkan" in Path(f"/proc/{child}/maps").read_text():
                return int(child)
        time.sleep(0.05)
    raise AssertionError("no measuring process opened Vulkan")
