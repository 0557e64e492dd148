"""Configures and builds `native/` with the CMake and Ninja of the Python environment."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import locations, toolchain
from harness.errors import InvalidRequestError, RunFailedError
from harness.progress import Progress, silent

_SIGNATURE_NAME = "harness-build.json"
_STEP = re.compile(r"\[(\d+)/(\d+)\] ")
_ERROR = re.compile(r"\berror: |^CMake Error|undefined reference to")
_DETAIL_LINES = 60


@dataclass(frozen=True)
class BuildResult:
    """What a build made.

    Attributes:
        preset: Its name.
        folder: The build folder.
        programs: Programs and libraries in its `bin`.
        library: The shared library; None where the preset builds none.
        requirements: What was found on this machine.
        changed: Whether anything had to be built.
        seconds: Wall time.
    """

    preset: str
    folder: Path
    programs: tuple[Path, ...]
    library: Path | None
    requirements: tuple[toolchain.Requirement, ...]
    changed: bool
    seconds: float


def build(
    preset: str = "release",
    *,
    tests: bool = False,
    jobs: int | None = None,
    source: Path | None = None,
    progress: Progress = silent,
) -> BuildResult:
    """Builds one preset; does next to nothing where nothing changed.

    Args:
        preset: One of `locations.PRESETS`.
        tests: Build the native tests too, also where the preset leaves them out.
        jobs: Compilations at a time; None for one per core.
        source: The checkout; None for the one that this package lies in.
        progress: Told the steps done.
    Raises:
        InvalidRequestError: Something that the build needs is missing.
        RunFailedError: CMake or the compiler failed; the detail has its output.
    """
    begin = time.monotonic()
    source = source or checkout()
    found = tuple(toolchain.requirements())
    _refuse_missing(found)
    folder = source / "build" / preset
    with _locked(folder):
        changed = _configure(source, folder, preset, tests, found)
        changed |= _compile(folder, jobs or _cores(), found, progress)
    programs = _programs(folder / "bin")
    return BuildResult(
        preset=preset,
        folder=folder,
        programs=programs,
        library=next((path for path in programs if path.name == locations.LIBRARY_NAME), None),
        requirements=found,
        changed=changed,
        seconds=time.monotonic() - begin,
    )


def checkout() -> Path:
    """The source tree that this package lies in.

    Raises:
        InvalidRequestError: The package is installed apart from its sources.
    """
    folder = locations.CHECKOUT
    if not (folder / "native" / "CMakeLists.txt").is_file():
        raise InvalidRequestError(
            "the native sources are not beside this package; run from a checkout of the project"
        )
    return folder


def _refuse_missing(found: Sequence[toolchain.Requirement]) -> None:
    missing = [item for item in found if item.missing]
    if missing:
        names = ", ".join(item.name for item in missing)
        remedies = "; ".join(dict.fromkeys(item.remedy for item in missing))
        raise InvalidRequestError(f"cannot build without {names}: {remedies}")


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One build of a folder at a time: Ninja itself does not look."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".harness-lock").open("w")
    except OSError as error:
        raise InvalidRequestError(f"cannot build in {folder}: {error.strerror}") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _configure(
    source: Path,
    folder: Path,
    preset: str,
    tests: bool,
    found: Sequence[toolchain.Requirement],
) -> bool:
    """Runs CMake where the last configuration was made with something else.

    A change of a CMakeLists.txt is Ninja's to notice.
    """
    signature = json.dumps(
        {
            "python": sys.executable,
            "tests": tests,
            "found": {item.name: item.found for item in found},
            "presets": (source / "CMakePresets.json").read_text(encoding="utf-8"),
        }
    )
    note = folder / _SIGNATURE_NAME
    if note.is_file() and note.read_text(encoding="utf-8") == signature:
        return False
    note.unlink(missing_ok=True)
    # A fresh cache: what an earlier one found may lie in an environment that is gone.
    command = [_path(found, "CMake"), "--fresh", "--preset", preset]
    command += ["-S", str(source), "-B", str(folder)]
    command += [f"-DPython3_EXECUTABLE={sys.executable}"]
    command += [f"-DCMAKE_MAKE_PROGRAM={_path(found, 'Ninja')}"]
    if tests:
        command.append("-DVGFIO_BUILD_TESTS=ON")
    _run(command, "configuring", source, silent)
    note.write_text(signature, encoding="utf-8")
    return True


def _compile(
    folder: Path, jobs: int, found: Sequence[toolchain.Requirement], progress: Progress
) -> bool:
    command = [_path(found, "CMake"), "--build", str(folder), "--parallel", str(jobs)]
    return "no work to do" not in _run(command, "building", folder, progress)


def _run(command: Sequence[str], what: str, folder: Path, progress: Progress) -> str:
    """The output of a tool; an error with it where the tool fails."""
    lines: list[str] = []
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "NINJA_STATUS": "[%f/%t] "},
    )
    with process:
        for line in process.stdout or ():
            lines.append(line.rstrip())
            if step := _STEP.match(line):
                progress(what, int(step[1]), int(step[2]))
    if process.returncode != 0:
        raise RunFailedError(
            f"{what} failed: {_first_error(lines)}", "\n".join(lines[-_DETAIL_LINES:])
        )
    return "\n".join(lines)


def _first_error(lines: Sequence[str]) -> str:
    for line in lines:
        if _ERROR.search(line):
            return line.strip()
    return next((line.strip() for line in reversed(lines) if line.strip()), "no output")


def _programs(folder: Path) -> tuple[Path, ...]:
    """Programs and shared libraries of a build, without its tests' data."""
    if not folder.is_dir():
        return ()
    files = (path for path in sorted(folder.iterdir()) if path.is_file())
    return tuple(path for path in files if os.access(path, os.X_OK))


def _path(found: Sequence[toolchain.Requirement], name: str) -> str:
    return str(next(item.path for item in found if item.name == name))


def _cores() -> int:
    return len(os.sched_getaffinity(0))
