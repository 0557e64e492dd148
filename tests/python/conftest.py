"""Fixtures and the rule that a session in which every device test was skipped fails."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import doctor, locations
from harness.errors import InvalidRequestError

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "harness" / "models"
_DEVICE_OUTCOMES = pytest.StashKey[list[str]]()

CompileFake = Callable[..., Path]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "device: needs the built library and a Vulkan device")
    config.stash[_DEVICE_OUTCOMES] = []


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("device") is not None and (reason := _no_device()):
        pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:  # type: ignore[misc]
    report = yield
    if item.get_closest_marker("device") is not None and (call.when == "call" or report.skipped):
        item.config.stash[_DEVICE_OUTCOMES].append(report.outcome)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    outcomes = session.config.stash[_DEVICE_OUTCOMES]
    if outcomes and set(outcomes) == {"skipped"} and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    outcomes = config.stash[_DEVICE_OUTCOMES]
    if outcomes and set(outcomes) == {"skipped"}:
        terminalreporter.write_line(
            f"FAILED: all {len(outcomes)} device tests were skipped: {_no_device()}", red=True
        )


@functools.cache
def _no_device() -> str:
    """Why no device test can run; empty if they can."""
    try:
        locations.find_library()
    except InvalidRequestError as error:
        return error.message
    diagnosis = doctor.diagnose()
    if diagnosis.can_run:
        return ""
    broken = [check for check in diagnosis.checks if check.group == "device"]
    return "no usable device: " + "; ".join(f"{c.name} {c.found}" for c in broken)


@pytest.fixture(scope="session")
def compile_fake(tmp_path_factory: pytest.TempPathFactory) -> CompileFake:
    """Compiles the stand-in for the native library; keywords become its macros."""
    compiler = shutil.which("cc")
    assert compiler is not None, "a C compiler is needed: install the Debian package gcc"

    def compile_library(**macros: str | int) -> Path:
        library = tmp_path_factory.mktemp("fake") / "libfake.so"
        command = [compiler, "-shared", "-fPIC", "-std=c99", "-o", str(library)]
        command += [f"-D{name}={value}" for name, value in macros.items()]
        command += [
            f"-I{ROOT / 'native' / 'include'}",
            str(Path(__file__).parent / "fake_library.c"),
        ]
        subprocess.run(command, check=True)
        return library

    return compile_library


@pytest.fixture(scope="session")
def fake_library(compile_fake: CompileFake) -> Path:
    """The stand-in without any macro."""
    return compile_fake()
