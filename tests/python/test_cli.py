"""The command line: help, exit codes, errors on one line."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from harness import cli, locations
from tests.python.conftest import MODELS, ROOT


def harness(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([command, "--help"])
    assert ended.value.code == 0
    assert f"python -m harness {command}" in capsys.readouterr().out.split("example")[1]


def test_help_names_all_commands_and_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom harness import cli\n"
        "try: cli.main(['bench', '--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'cffi', 'torch', 'scipy', 'tqdm') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    top = harness("--help")
    assert all(f"  {command} " in top.stdout for command in cli.COMMANDS)


def test_the_version_is_told() -> None:
    assert harness("--version").stdout.strip().endswith("0.1.0")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["bench", "--iterations", "0"],
        ["bench", "--iterations", "many"],
        ["bench", "--io-alignment", "96"],
        ["bench", "--copy", "--zero-copy"],
        ["bench", "--wait", "never"],
        ["build", "--preset", "fast"],
        ["compare"],
        ["compare", "a", "b", "--fail-above", "x"],
    ],
)
def test_a_bad_request_exits_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.strip().splitlines()[-1].startswith("python -m harness")


def test_a_missing_library_is_one_line(tmp_path: Path) -> None:
    done = harness("bench", **{locations.LIBRARY_VARIABLE: str(tmp_path / "gone.so")})
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "python -m harness build" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--inputs", "a.bin"], "--inputs belongs to one model"),
        (["--json", "/nowhere/at/all.json"], "/nowhere/at does not exist"),
        (["--report-dir", "/dev/null/reports"], "cannot write into"),
        (["--html", "/no/such/folder/page.html"], "cannot write"),
    ],
)
def test_a_request_that_cannot_end_well_fails_before_it_starts(
    fake_library: Path, arguments: list[str], message: str
) -> None:
    models = [str(path) for path in sorted(MODELS.glob("*.pte"))[:2]]
    done = harness("bench", *models, *arguments, "--library", str(fake_library))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert message in line


@pytest.mark.parametrize("status", [1, 2, 3])
def test_the_librarys_status_is_the_exit_code(fake_library: Path, status: int) -> None:
    done = harness("bench", f"status-{status}", "--copy", "--library", str(fake_library))
    assert done.returncode == status
    assert "made to fail" in done.stderr


def test_a_failed_run_leaves_the_old_file_alone(fake_library: Path, tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text("old")
    done = harness(
        "bench", "status-1", "--copy", "--json", str(file), "--library", str(fake_library)
    )
    assert done.returncode == 1
    assert file.read_text() == "old"
    assert f"{file} is not written" in done.stderr


def test_a_closed_pipe_is_no_traceback() -> None:
    command = (
        f"{shlex.quote(sys.executable)} -m harness export --list | true; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 141)
    assert done.stderr == ""
