"""The set-up scripts, with stand-ins for the tools that would change the machine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.python.conftest import ROOT

SCRIPTS = (
    "scripts/bench.sh",
    "scripts/export.sh",
    "scripts/test.sh",
    "scripts/lib/setup.sh",
    ".ci/run",
)
TOOLS = ("bash", "cat", "dirname", "env", "flock", "grep", "mkdir", "mktemp", "rm", "sed",
         "sha256sum", "touch", "basename", "chmod", "ln", "true")  # fmt: skip
# Notes what it is asked; an environment that it makes holds itself.
FAKE_PYTHON = """\
printf '%s\\n' "$*" >>"$LOG"
[[ $1 == -m && $2 == venv ]] && mkdir -p "$3/bin" && ln -s "$0" "$3/bin/python"
exit 0
"""


class Machine:
    """A checkout of the scripts alone and a PATH of stand-ins and harmless tools."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a checkout"
        self.log = folder / "log"
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None, tool
            (self.bin / tool).symlink_to(found)
        self.fake("dpkg-query", "for name; do :; done; [[ $name != missing* ]] && echo installed")
        self.fake("apt-get", 'echo "apt-get $*" >>"$LOG"')
        self.fake("id", "echo 0")
        self.fake("python3", FAKE_PYTHON)

    def fake(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def call(self, command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of setup.sh."""
        text = f'set -euo pipefail; source "{self.root}/scripts/lib/setup.sh"; {command}'
        return self.start("bash", "-c", text, variables=variables)

    def start(
        self, *command: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin), "LOG": str(self.log), **(variables or {})}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def calls(self) -> list[str]:
        """What was asked of the stand-ins since the last time."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines

    def pip_calls(self) -> list[str]:
        return [line for line in self.calls() if line.startswith("-m pip")]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_parse(script: str) -> None:
    subprocess.run(["bash", "-n", ROOT / script], check=True)


def test_ci_runs_the_readmes_command() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands == ['exec "$(dirname "${BASH_SOURCE[0]}")/../scripts/test.sh"']
    assert "\nscripts/test.sh\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_nothing_is_installed_where_nothing_is_missing(machine: Machine) -> None:
    done = machine.call("need_packages one two")
    assert (done.returncode, done.stderr, machine.calls()) == (0, "", [])


def test_root_installs_only_what_is_missing(machine: Machine) -> None:
    done = machine.call("need_packages one missing-a missing-b")
    assert done.returncode == 0
    update, install = machine.calls()
    assert update.startswith("apt-get update")
    assert install.startswith("apt-get install ")
    assert install.endswith(" --no-install-recommends missing-a missing-b")


def test_others_are_told_the_one_command(machine: Machine) -> None:
    machine.fake("id", "echo 1000")
    done = machine.call("need_packages one missing-a missing-b; echo went on")
    assert (done.returncode, done.stdout, machine.calls()) == (2, "", [])
    first = done.stderr.splitlines()[0]
    assert first == "sudo apt-get install --no-install-recommends missing-a missing-b"


def test_a_failing_tool_is_shown_and_ends_the_script(machine: Machine) -> None:
    machine.fake("apt-get", 'echo "no space left"; exit 100')
    done = machine.call("need_packages missing-a; echo went on")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no space left" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: apt-get update failed")


def test_another_distribution_is_no_error(machine: Machine) -> None:
    (machine.bin / "dpkg-query").unlink()
    done = machine.call("need_packages one; echo went on")
    assert (done.returncode, done.stdout, machine.calls()) == (0, "went on\n", [])
    assert "no Debian" in done.stderr


def test_wheels_are_installed_once_for_each_state_of_the_file(machine: Machine) -> None:
    wheels = machine.root / "wheels.txt"
    wheels.write_text("a==1\n", encoding="utf-8")
    command = f'need_wheels "{wheels}"'
    for contents, calls in (("a==1\n", 1), ("a==1\n", 0), ("a==2\n", 1), ("a==2\n", 0)):
        wheels.write_text(contents, encoding="utf-8")
        assert machine.call(command).returncode == 0
        seen = machine.pip_calls()
        assert len(seen) == calls
        assert all(call.endswith(f"--no-deps -r {wheels}") for call in seen)


def test_a_failed_installation_is_tried_again(machine: Machine) -> None:
    wheels = machine.root / "wheels.txt"
    wheels.write_text("a==1\n", encoding="utf-8")
    machine.fake("python3", FAKE_PYTHON.replace("exit 0", "[[ $2 != pip || -v FINE ]]"))
    assert machine.call(f'need_wheels "{wheels}"').returncode == 1
    assert machine.call(f'need_wheels "{wheels}"').returncode == 1
    assert machine.call(f'need_wheels "{wheels}"', FINE="1").returncode == 0
    assert len(machine.pip_calls()) == 3


def test_a_moved_checkout_gets_a_new_environment(machine: Machine) -> None:
    """The programs of an environment hold absolute paths."""
    made = "-m venv "
    assert machine.call("need_environment").returncode == 0
    assert machine.call("need_environment").returncode == 0
    assert sum(line.startswith(made) for line in machine.calls()) == 1
    machine.root = machine.root.rename(machine.root.with_name("moved"))
    assert machine.call("need_environment").returncode == 0
    assert f"{made}{machine.root}/.venv" in machine.calls()


def test_without_a_python_the_message_says_which(machine: Machine) -> None:
    machine.fake("python3", "exit 1")
    done = machine.call("need_environment; echo went on")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Python 3.11, 3.12 or 3.13" in done.stderr


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_comes_before_any_set_up(machine: Machine, flag: str) -> None:
    for script in ("export.sh", "bench.sh", "test.sh"):
        done = machine.start("bash", f"{machine.root}/scripts/{script}", "model.pte", flag)
        assert done.returncode == 0, done.stderr
        assert not (machine.root / ".venv").exists()
        if script == "test.sh":
            assert "scripts/test.sh tests/python/" in done.stdout
    assert machine.calls()[-1] == "-m harness bench --help"
