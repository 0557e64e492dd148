"""Suites: one folder with an index, a failed case among others, going on where it stopped."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness import bench, results, suite, suite_file
from harness.bench import BenchResult
from harness.errors import InvalidRequestError, RunFailedError
from tests.python.conftest import MODELS
from tests.python.fake_session import Behaviour, FakeSessions
from tests.python.test_cli import harness
from tests.python.test_report_browser import CHROMIUM, opened

TEN = "".join(
    f'[[case]]\nname = "case{number}"\nmodels = ["m{number}.pte"]\n' for number in range(10)
)
FEW = "[defaults]\niterations = 20\nblocks = 10\nwarmup = 1\nprofile_iterations = 0\n"


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeSessions:
    made = FakeSessions(Behaviour())
    monkeypatch.setattr(bench, "Session", made)
    for number in range(10):
        (tmp_path / f"m{number}.pte").write_bytes(bytes([number]))
    return made


def made_suite(folder: Path, text: str = FEW + TEN) -> suite.Suite:
    (folder / "suite.toml").write_text(text, encoding="utf-8")
    cases = suite_file.load(folder / "suite.toml")
    out = folder / "out"
    out.mkdir(exist_ok=True)
    return suite.Suite("suite.toml", cases, out)


def index(folder: Path) -> dict[str, dict[str, Any]]:
    document = json.loads((folder / "out" / "index.json").read_text("utf-8"))
    return {entry["name"]: entry for entry in document["cases"]}


def states(folder: Path) -> Counter[str]:
    return Counter(entry["state"] for entry in index(folder).values())


def measured(sessions: FakeSessions) -> set[str]:
    return {session.model.name for session in sessions.opened}


def test_one_bad_case_of_ten_is_a_row(sessions: FakeSessions, tmp_path: Path) -> None:
    sessions.behaviour.fail_open["m3.pte"] = RunFailedError("no such model")
    found = suite.run(made_suite(tmp_path))
    assert [result.label for result in found] == [f"case{number}" for number in range(10)]
    assert states(tmp_path) == {"complete": 9, "failed": 1}
    bad = index(tmp_path)["case3"]
    assert (bad["error"], bad["exit_code"], bad["reports"]) == ("no such model", 1, {})
    assert index(tmp_path)["case4"]["verdict"] == "zero-copy is 2.00 times faster than copy"
    for entry in index(tmp_path).values():
        for file in entry["reports"].values():
            assert results.load_report(tmp_path / "out" / file).status == "complete"
    table = (tmp_path / "out" / "index.md").read_text("utf-8")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "case3: failed: no such model" in table
    for text in ("case3", "no such model", "case9"):
        assert text in page


def test_an_interrupted_suite_goes_on_where_it_stopped(
    sessions: FakeSessions, tmp_path: Path
) -> None:
    original = bench.run

    def stops_at_the_fifth(config: bench.BenchConfig) -> list[BenchResult]:
        sessions.behaviour.stop_after = 7 if config.models[0].name == "m4.pte" else None
        return original(config)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "run", stops_at_the_fifth)
        found = suite.run(made_suite(tmp_path))
    assert len(found) == 5
    assert found[-1].interrupted
    assert states(tmp_path) == {"complete": 4, "interrupted": 1, "waiting": 5}
    sessions.behaviour.stop_after = None
    sessions.opened.clear()
    again = suite.run(made_suite(tmp_path))
    assert measured(sessions) == {f"m{number}.pte" for number in range(4, 10)}
    assert states(tmp_path) == {"complete": 10}
    assert len(again) == 10
    assert all(result.comparison is not None for result in again)


def test_the_index_is_whole_after_every_case(
    sessions: FakeSessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Counter[str]] = []
    original = bench.run

    def looks(config: bench.BenchConfig) -> list[BenchResult]:
        seen.append(states(tmp_path))
        return original(config)

    monkeypatch.setattr(bench, "run", looks)
    suite.run(made_suite(tmp_path))
    assert seen == [Counter(complete=done, waiting=10 - done) for done in range(10)]


@pytest.mark.parametrize("how", ["failed", "model", "report", "version"])
def test_what_runs_again(
    how: str, sessions: FakeSessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "failed":
        sessions.behaviour.fail_open["m3.pte"] = RunFailedError("once")
    suite.run(made_suite(tmp_path))
    sessions.behaviour.fail_open.clear()
    sessions.opened.clear()
    if how == "model":
        (tmp_path / "m3.pte").write_bytes(b"another")
    if how == "report":
        (tmp_path / "out" / "case3" / "copy.json").write_text("{")
    if how == "version":
        monkeypatch.setattr(suite, "__version__", "another")
    suite.run(made_suite(tmp_path))
    everything = {f"m{number}.pte" for number in range(10)}
    assert measured(sessions) == (everything if how == "version" else {"m3.pte"})
    assert states(tmp_path) == {"complete": 10}


def test_restart_runs_all(sessions: FakeSessions, tmp_path: Path) -> None:
    suite.run(made_suite(tmp_path))
    sessions.opened.clear()
    suite.run(made_suite(tmp_path, FEW.replace("20", "30") + TEN), restart=True)
    assert len(measured(sessions)) == 10


def test_other_settings_of_a_known_case_are_refused(sessions: FakeSessions, tmp_path: Path) -> None:
    suite.run(made_suite(tmp_path))
    before = index(tmp_path)
    with pytest.raises(InvalidRequestError, match=r"case 'case0' with other settings.*--restart"):
        suite.run(made_suite(tmp_path, FEW.replace("20", "30") + TEN))
    assert index(tmp_path) == before


def test_another_index_is_refused(sessions: FakeSessions, tmp_path: Path) -> None:
    made = made_suite(tmp_path)
    (made.folder / "index.json").write_text('{"version": 99}')
    with pytest.raises(InvalidRequestError, match="is no index of a suite"):
        suite.run(made)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "x.toml"], "name one: --report-dir"),
        (["--config", "x.toml", "--report-dir", "r", "--iterations", "5"], "--iterations: with"),
        (["--config", "x.toml", "--report-dir", "r", "m.pte"], "models: with --config"),
        (["--restart"], "--restart belongs to a suite"),
    ],
)
def test_flags_that_do_not_go_together(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [str(tmp_path / "r") if word == "r" else word for word in arguments]
    done = harness("bench", *arguments)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]


@pytest.mark.device
def test_ten_cases_on_the_device_with_one_bad_model(tmp_path: Path) -> None:
    (tmp_path / "bad.pte").write_text("no model")
    file = tmp_path / "suite.toml"
    file.write_text(
        "[defaults]\niterations = 12\nblocks = 6\nwarmup = 1\nprofile_iterations = 2\n"
        '[[case]]\nname = "small"\nmodels = ["classifier_1x3x32x32"]\nrepeats = 5\n'
        '[[case]]\nname = "bad"\nmodels = ["bad.pte"]\n'
        '[[case]]\nname = "add"\nmodels = ["add_1x4x256x256"]\n'
        'matrix = { buffers = [1, 2], io = ["copy", "zero-copy,staged"] }\n'
    )
    command = ("bench", "--config", str(file), "--report-dir", str(tmp_path / "out"))
    done = harness(*command)
    assert done.returncode == 2, done.stderr
    assert states(tmp_path) == {"complete": 9, "failed": 1}
    assert "bad: failed" in done.stdout
    if CHROMIUM is not None:
        page = (tmp_path / "out" / "index.html").read_text("utf-8")
        assert opened(page, tmp_path)[1] == []
    before = (tmp_path / "out" / "small-run1" / "copy.json").read_bytes()
    assert harness(*command).returncode == 2
    assert (tmp_path / "out" / "small-run1" / "copy.json").read_bytes() == before
    assert (MODELS / "classifier_1x3x32x32.pte").is_file()
