"""The project's own series on trees that hold only what they look for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import harness
from harness import patching
from harness.patching import series
from harness.patching.series import Edit, Series

ROOT = Path(__file__).resolve().parents[2]
BACKEND = "backends/arm/runtime/VGFBackend.cpp"
# What a review of the change in ExecuTorch allows, in lines of files that exist there.
MOST_LINES = {"vgf-backend": 60, "portable-runner": 25, "arm-runner": 10}

Choose = Callable[[Edit], str]


def first(edit: Edit) -> str:
    return edit.anchors[0]


def last(edit: Edit) -> str:
    return edit.anchors[-1]


@pytest.fixture(scope="module")
def known() -> Mapping[str, Series]:
    return series.load(ROOT)


def grow(folder: Path, known: Mapping[str, Series], choose: Choose) -> Path:
    """A tree whose files hold an anchor of each edit, in the order of the series."""
    files: dict[str, list[str]] = {"version.txt": ["9.8.7"]}
    for edit in (edit for one in known.values() for edit in one.edits):
        lines = files.setdefault(edit.file, [])
        lines += [text for text in (edit.after_text, choose(edit)) if text and text not in lines]
    for name, lines in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"  {line}\n" for line in lines))
    return folder


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize("choose", [first, last])
def test_they_come_and_go(tmp_path: Path, known: Mapping[str, Series], choose: Choose) -> None:
    tree = grow(tmp_path, known, choose)
    before = content(tree)
    patching.apply(tree)
    after = content(tree)
    for one in known.values():
        assert all(after[copy.file] == copy.source.read_bytes() for copy in one.copies)
        assert all(edit.text.encode() in after[edit.file] for edit in one.edits)
    patching.revert(tree)
    assert content(tree) == before


def test_each_changes_few_lines(tmp_path: Path, known: Mapping[str, Series]) -> None:
    report = patching.check(grow(tmp_path, known, first))
    lines = {one.name: one.lines for one in report.series}
    assert lines.keys() == MOST_LINES.keys()
    assert all(0 < lines[name] <= most for name, most in MOST_LINES.items()), lines


def test_the_arm_series_leaves_the_generic_runner_alone(
    tmp_path: Path, known: Mapping[str, Series]
) -> None:
    tree = grow(tmp_path, known, first)
    runner = "examples/portable/executor_runner/executor_runner.cpp"
    before = (tree / runner).read_bytes()
    patching.apply(tree, ["arm-runner"])
    assert (tree / runner).read_bytes() == before
    assert "executor_runner" not in "".join(edit.text for edit in known["arm-runner"].edits)


def test_what_a_newer_tree_has_is_left_out(tmp_path: Path, known: Mapping[str, Series]) -> None:
    tree = grow(tmp_path, known, last)
    option = tree / "tools/cmake/preset/default.cmake"
    option.write_text(option.read_text() + 'EXECUTORCH_VGF_IO_STATS "theirs" BOOL OFF\n')
    backend = tree / BACKEND
    backend.write_text(backend.read_text() + "VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME\n")
    before = content(tree)
    patching.apply(tree)
    assert content(tree)[str(option.relative_to(tree))] == option.read_bytes()
    assert option.read_bytes() == before[str(option.relative_to(tree))]
    patched = backend.read_text()
    assert '"VK_EXT_external_memory_host"' not in patched
    assert "DelegateIo::Inference" in patched
    patching.revert(tree)
    assert content(tree) == before


def test_the_hooks_surround_the_copies(tmp_path: Path, known: Mapping[str, Series]) -> None:
    tree = grow(tmp_path, known, last)
    patching.apply(tree, ["vgf-backend"])
    lines = [line.strip() for line in (tree / BACKEND).read_text().splitlines()]
    for direction in ("IN", "OUT"):
        copied = lines.index(f"VGF_STATS_MEMCPY_{direction}(")
        assert "time_copy" in lines[copied - 1]


# Parts of the project's own backend and runner: in an ExecuTorch tree, ExecuTorch's stand there.
OWN_BACKEND = {
    "delegate/delegate_instance.cpp",
    "delegate/delegate_statistics.cpp",
    "delegate/device_cache.cpp",
    "delegate/register.cpp",
    "delegate/vgf_backend.cpp",
    "executor_runner.cpp",
    "vgf/binding_set.cpp",
    "vgf/fixed_resources.cpp",
    "vgf/segment_pipeline.cpp",
    "vgf/vgf_session.cpp",
    "vgf/vgf_session_paths.cpp",
}


def cmake_text(*names: str) -> str:
    return "".join(
        (ROOT / "native/upstream" / name / "CMakeLists.txt").read_text() for name in names
    )


def test_every_source_is_built_there_or_is_of_the_own_backend() -> None:
    built = set(re.findall(r"\b((?:\w+/)?\w+\.cpp)\b", cmake_text(".", "arm_runner")))
    native = ROOT / "native"
    sources = {path.relative_to(native).as_posix() for path in native.rglob("*.cpp")}
    assert sources - built == OWN_BACKEND
    assert built <= sources


def test_the_version_is_that_of_the_project() -> None:
    assert re.findall(r"set\(_vgf_io_version (\S+)\)", cmake_text(".")) == [harness.__version__]
