"""Builds of a small project of the same shape: what is found, changed, refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from harness import build, locations, toolchain
from harness.errors import InvalidRequestError, RunFailedError

CMAKE = """\
cmake_minimum_required(VERSION 3.28)
project(small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_executable(program main.cpp)
add_library(vgf_io_bench SHARED main.cpp)
if(VGFIO_BUILD_TESTS)
  add_executable(program_test main.cpp)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/python.txt "${Python3_EXECUTABLE}")
"""
PRESETS = {
    "version": 6,
    "configurePresets": [
        {"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}"}
    ],
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(CMAKE)
    (folder / "CMakePresets.json").write_text(json.dumps(PRESETS))
    (folder / "main.cpp").write_text("int main() { return 0; }\n")
    return folder


def test_a_build_makes_programs_and_the_second_changes_nothing(source: Path) -> None:
    steps: list[tuple[int, int]] = []
    first = build.build(
        source=source, jobs=1, progress=lambda _, done, total: steps.append((done, total))
    )
    assert first.changed
    assert first.library == source / "build/release/bin/libvgf_io_bench.so"
    assert [path.name for path in first.programs] == ["libvgf_io_bench.so", "program"]
    assert steps[-1][0] == steps[-1][1] > 0
    assert not build.build(source=source).changed


def test_what_changed_is_built_again(source: Path) -> None:
    build.build(source=source)
    (source / "main.cpp").write_text("int main() { return 1; }\n")
    assert build.build(source=source).changed
    with_tests = build.build(source=source, tests=True)
    assert with_tests.changed
    assert "program_test" in [path.name for path in with_tests.programs]


def test_another_environment_is_configured_afresh(
    source: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build.build(source=source)
    python = tmp_path / "other python"
    monkeypatch.setattr(sys, "executable", str(python))
    assert build.build(source=source).changed
    assert (source / "build/release/python.txt").read_text() == str(python)


def test_a_compiler_error_is_in_the_message_and_the_output_in_the_detail(source: Path) -> None:
    (source / "main.cpp").write_text("int main() { return nothing; }\n")
    with pytest.raises(RunFailedError, match=r"building failed: .*error: .*nothing") as raised:
        build.build(source=source)
    assert "main.cpp" in raised.value.detail
    (source / "main.cpp").write_text("int main() { return 0; }\n")
    assert build.build(source=source).changed


def test_a_cmake_error_is_in_the_message(source: Path) -> None:
    (source / "CMakeLists.txt").write_text(CMAKE + 'message(FATAL_ERROR "not today")\n')
    with pytest.raises(RunFailedError, match="configuring failed: CMake Error") as raised:
        build.build(source=source)
    assert "not today" in raised.value.detail


def test_everything_missing_is_named_with_its_remedy(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "package_version", lambda name: "")
    monkeypatch.setattr(toolchain, "_include_folders", list)
    with pytest.raises(InvalidRequestError) as raised:
        build.build(source=source)
    for word in ("ExecuTorch C++ SDK", "Vulkan headers", "pip install executorch", "libgflags-dev"):
        assert word in raised.value.message
    assert not (source / "build").exists()


def test_an_old_cmake_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "_first_line", lambda command: "cmake version 3.25.1")
    assert toolchain.cmake().missing
    monkeypatch.setattr(toolchain, "_first_line", lambda command: "cmake version 3.28.0")
    assert not toolchain.cmake().missing


def test_a_folder_that_cannot_be_written_is_named(source: Path) -> None:
    (source / "build").write_text("a file is in the way")
    with pytest.raises(InvalidRequestError, match="cannot build in"):
        build.build(source=source)


def test_an_installed_package_has_no_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(locations, "CHECKOUT", tmp_path)
    with pytest.raises(InvalidRequestError, match="run from a checkout"):
        build.checkout()
