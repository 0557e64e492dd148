"""Patching small trees: what is inserted, found again, taken away, refused."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from harness import patching
from harness.errors import InvalidRequestError, RunFailedError
from harness.patching import series
from tests.python.conftest import ROOT
from tests.python.patch_samples import (
    BACKEND,
    COPIED,
    NOTES,
    RUNNER,
    contents,
    edit,
    make_project,
    make_tree,
    write_series,
)

PATCHED = """\
#include <first.h>
#include <ours.h>
void begin() {
  open();
  step();
}
void end() {
  measure_step();
  step();
  close();
  measure_end();
  report_it();
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "our project")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "a tree")


def states(report: patching.Report) -> dict[str, str]:
    return {one.name: one.state for one in report.series}


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_bytes().decode()
    assert old in text
    file.write_bytes(text.replace(old, new).encode())


def refused(tree: Path, project: Path, *names: str) -> tuple[str, ...]:
    """The refusals of applying, which leaves the tree alone, and of a check."""
    before = contents(tree)
    with pytest.raises(patching.RefusedError) as raised:
        patching.apply(tree, names, project=project)
    assert contents(tree) == before
    assert patching.check(tree, names, project=project).refused
    assert raised.value.exit_code == 2
    return raised.value.refusals


def round_trip(tree: Path, project: Path) -> dict[str, tuple[int, bytes] | None]:
    """Applies, applies again, reverts; returns what the patched tree held."""
    before = contents(tree)
    assert patching.apply(tree, project=project).changed_files
    patched = contents(tree)
    assert patching.apply(tree, project=project).changed_files == ()
    assert contents(tree) == patched
    assert patching.revert(tree, project=project).changed_files
    assert contents(tree) == before
    assert patching.revert(tree, project=project).changed_files == ()
    return patched


def only(project: Path, *edits: dict[str, object]) -> None:
    """Leaves one series of these edits."""
    shutil.rmtree(project / "patches")
    write_series(project, "base", *edits)


def test_lines_stand_where_they_belong_and_go_again(tree: Path, project: Path) -> None:
    (tree / BACKEND).chmod(0o640)
    patched = round_trip(tree, project)
    mode, content = patched[BACKEND] or (0, b"")
    assert content.decode() == PATCHED
    assert mode & 0o777 == 0o640
    assert patched[f"{COPIED}/parts/ours.cpp"] == (0o100644, b"void measure_step() {}")


def test_a_report_says_what_is_added(tree: Path, project: Path) -> None:
    before = contents(tree)
    base, runner = patching.check(tree, project=project).series
    assert contents(tree) == before
    assert (base.lines, base.edited_files, base.new_files) == (4, 1, 3)
    assert (runner.lines, runner.edited_files, runner.new_files) == (1, 1, 0)
    assert base.edits[0].why == "Declares it."
    report = patching.apply(tree, project=project)
    assert report.version == "9.8.7"
    copied = [f"{COPIED}/parts/{name}" for name in ("empty.cpp", "ours.cpp", "ours.h")]
    assert report.changed_files == (BACKEND, *copied, RUNNER)


def test_a_moved_anchor_is_refused_with_everything_else(tree: Path, project: Path) -> None:
    replace(tree / BACKEND, "close();", "finish();")
    (tree / RUNNER).unlink()
    assert refused(tree, project) == (
        f'{BACKEND}: "shut();" or "close();" found 0 times (moved or gone)',
        f"{RUNNER}: there is no such file in this tree",
    )


def test_an_ambiguous_anchor_is_refused(tree: Path, project: Path) -> None:
    replace(tree / BACKEND, "  close();\n", "  close();\n  close();\n")
    assert refused(tree, project) == (f'{BACKEND}: "close();" found 2 times (ambiguous)',)


def test_a_missing_after_text_is_refused(tree: Path, project: Path) -> None:
    replace(tree / BACKEND, "void end", "int end")
    assert refused(tree, project) == (f'{BACKEND}: "void end" found 0 times (moved or gone)',)


def test_the_first_alternative_that_is_found_is_used(tree: Path, project: Path) -> None:
    replace(tree / BACKEND, "  open();\n", "  open();\n  shut();\n")
    round_trip(tree, project)
    patching.apply(tree, project=project)
    assert "  shut();\n  measure_end();\n" in (tree / BACKEND).read_text()


def test_what_a_newer_tree_has_is_not_needed(tree: Path, project: Path) -> None:
    only(project, edit(NOTES, "two", "ours\n", unless="ours"), edit(NOTES, "three", "more\n"))
    round_trip(tree, project)
    (tree / NOTES).write_text("one, ours too\ntwo\nthree\n")
    patched = round_trip(tree, project)
    assert (patched[NOTES] or (0, b""))[1] == b"one, ours too\ntwo\nthree\nmore\n"
    only(project, edit(NOTES, "gone", "ours\n", unless="ours"))
    assert states(patching.check(tree, project=project)) == {"base": "not_needed"}
    assert patching.apply(tree, project=project).changed_files == ()


def test_an_edit_that_names_itself_as_unless_is_applied_once(tree: Path, project: Path) -> None:
    """Also while other edits of the file are missing."""
    only(project, edit(NOTES, "one", "ours a\n", unless="ours"), edit(NOTES, "three", "ours b\n"))
    (tree / NOTES).write_text("one\ntwo\nthree\nours b\n")
    assert states(patching.check(tree, project=project)) == {"base": "partly_applied"}
    patching.apply(tree, project=project)
    assert (tree / NOTES).read_text() == "one\nours a\ntwo\nthree\nours b\n"


def test_a_half_patched_tree_gets_the_rest(tree: Path, project: Path) -> None:
    before = contents(tree)
    patching.apply(tree, project=project)
    patched = contents(tree)
    replace(tree / BACKEND, "#include <ours.h>\n", "")
    (tree / COPIED / "parts" / "ours.h").unlink()
    assert states(patching.check(tree, project=project)) == {
        "base": "partly_applied",
        "runner": "applied",
    }
    report = patching.apply(tree, project=project)
    assert report.changed_files == (BACKEND, f"{COPIED}/parts/ours.h")
    assert [one.name for one in report.series if one.changed] == ["base"]
    assert contents(tree) == patched
    (tree / COPIED / "parts" / "ours.h").unlink()
    patching.revert(tree, project=project)
    assert contents(tree) == before


@pytest.mark.parametrize("changed", ["  measure_end(1);\n  report_it();\n", "  report_it();\n"])
def test_changed_lines_are_never_inserted_twice(tree: Path, project: Path, changed: str) -> None:
    patching.apply(tree, project=project)
    replace(tree / BACKEND, "  measure_end();\n  report_it();\n", changed)
    (line,) = refused(tree, project)
    assert line == (
        f'{BACKEND}: our lines at "shut();" or "close();" were changed '
        '(there still is "report_it();"); remove or restore them'
    )
    before = contents(tree)
    with pytest.raises(patching.RefusedError, match="were changed"):
        patching.revert(tree, project=project)
    assert contents(tree) == before


def test_moved_lines_are_never_inserted_twice(tree: Path, project: Path) -> None:
    patching.apply(tree, project=project)
    replace(tree / BACKEND, "  measure_end();\n  report_it();\n", "")
    replace(tree / BACKEND, "  open();\n", "  open();\n  measure_end();\n  report_it();\n")
    (line,) = refused(tree, project)
    assert "has our lines already" in line
    with pytest.raises(patching.RefusedError, match="has our lines already"):
        patching.revert(tree, project=project)


def test_common_lines_beside_an_anchor_are_no_trace_of_ours(tree: Path, project: Path) -> None:
    """As where a call is opened and closed: the line above the anchor is in the text too."""
    (tree / NOTES).write_text("define_it(\n  FIRST\n)\ndefine_it(\n  SECOND\n)\n")
    only(project, edit(NOTES, "SECOND", "  OUR_OPTION\n)\ndefine_it(\n", "before", unless="OUR_"))
    patched = round_trip(tree, project)
    text = (patched[NOTES] or (0, b""))[1].decode()
    assert text == "define_it(\n  FIRST\n)\ndefine_it(\n  OUR_OPTION\n)\ndefine_it(\n  SECOND\n)\n"


def test_edits_of_one_place_stand_in_their_order(tree: Path, project: Path) -> None:
    only(
        project,
        edit(NOTES, "two", "first\n"),
        edit(NOTES, "two", "first\nsecond\n"),
        edit(NOTES, "three", "third\n", "before"),
        edit(NOTES, "two", "\n"),
    )
    patched = round_trip(tree, project)
    assert (patched[NOTES] or (0, b""))[1] == b"one\ntwo\nfirst\nfirst\nsecond\nthird\n\nthree\n"


def test_series_of_one_place_come_and_go_in_any_order(tree: Path, project: Path) -> None:
    shutil.rmtree(project / "patches")
    for name in ("a", "b", "c"):
        write_series(project, name, edit(NOTES, "two", f"line of {name}\n"))
    before = contents(tree)
    for name in ("c", "a", "b"):
        patching.apply(tree, [name], project=project)
    assert (tree / NOTES).read_text() == "one\ntwo\nline of a\nline of b\nline of c\nthree\n"
    for name in ("b", "c", "a"):
        patching.revert(tree, [name], project=project)
    assert contents(tree) == before


def test_anchors_are_not_found_in_lines_of_ours(tree: Path, project: Path) -> None:
    only(
        project,
        edit(NOTES, "two", "not two\n", "before"),
        edit(NOTES, "three", "two and three\n"),
    )
    patched = round_trip(tree, project)
    assert (patched[NOTES] or (0, b""))[1] == b"one\nnot two\ntwo\nthree\ntwo and three\n"


def test_edits_that_could_not_be_taken_away_are_refused(tree: Path, project: Path) -> None:
    only(project, edit(NOTES, "two", "two of three\n"), edit(NOTES, "three", "three of two\n"))
    (line,) = refused(tree, project)
    assert "could not be taken away again" in line


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"one\r\ntwo\r\nlast\r\n", b"zero\r\none\r\ntwo\r\nx\r\n\r\ny\r\nlast\r\na\r\nb\r\n"),
        (b"one\r\ntwo\r\nlast", b"zero\r\none\r\ntwo\r\nx\r\n\r\ny\r\nlast\r\na\r\nb"),
        (b"one\ntwo\nlast", b"zero\none\ntwo\nx\n\ny\nlast\na\nb"),
        (b"one\ntwo\r\nlast\rno\n", b"zero\none\ntwo\r\nx\n\ny\nlast\rno\na\nb\n"),
        (
            b"\xef\xbb\xbfone\ntwo\nlast\n",
            b"\xef\xbb\xbfzero\none\ntwo\nx\n\ny\nlast\na\nb\n",
        ),
        (
            b"one \xff\xfe\x00\ntwo\n\x80last\x0c\xc2\x85\n\n\n",
            b"zero\none \xff\xfe\x00\ntwo\nx\n\ny\n\x80last\x0c\xc2\x85\na\nb\n\n\n",
        ),
    ],
    ids=["crlf", "crlf, open end", "open end", "mixed", "byte-order mark", "odd bytes"],
)
def test_all_other_bytes_survive(
    tree: Path, project: Path, content: bytes, expected: bytes
) -> None:
    only(
        project,
        edit(NOTES, "one", "zero\n", "before"),
        edit(NOTES, "two", "x\n\ny\n"),
        edit(NOTES, "last", "a\n"),
        edit(NOTES, "last", "b\n"),
    )
    (tree / NOTES).write_bytes(content)
    assert round_trip(tree, project)[NOTES] == (0o100644, expected)


def test_anchors_of_several_lines(tree: Path, project: Path) -> None:
    (tree / NOTES).write_bytes(b"one\r\ntwo\r\ntwo\r\nthree\r\n")
    only(project, edit(NOTES, "two\nthr", "after\n"), edit(NOTES, "two\nthr", "upon\n", "before"))
    patched = round_trip(tree, project)
    assert (patched[NOTES] or (0, b""))[1] == (b"one\r\ntwo\r\nupon\r\ntwo\r\nthree\r\nafter\r\n")


def test_a_changed_or_foreign_new_file_is_refused(tree: Path, project: Path) -> None:
    patching.apply(tree, project=project)
    file = tree / COPIED / "parts" / "ours.h"
    file.write_text("changed")
    assert refused(tree, project) == (
        f"{COPIED}/parts/ours.h: exists and is not ours, or was changed; remove it or revert "
        "with the version that made it",
    )
    before = contents(tree)
    with pytest.raises(patching.RefusedError, match=r"parts/ours\.h: was changed"):
        patching.revert(tree, project=project)
    assert contents(tree) == before


def test_files_of_others_stay_in_folders_of_ours(tree: Path, project: Path) -> None:
    patching.apply(tree, project=project)
    (tree / COPIED / "theirs.txt").write_text("theirs")
    patching.revert(tree, project=project)
    assert list((tree / COPIED).iterdir()) == [tree / COPIED / "theirs.txt"]


def test_a_file_where_a_folder_belongs_is_refused(tree: Path, project: Path) -> None:
    (tree / COPIED).write_text("a file")
    assert f"{COPIED} is no folder" in refused(tree, project)[0]


class Failing:
    """Stands in for a method of Path: the Nth call fails as on a full disk, like all later ones
    on the same file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, method: str, number: int) -> None:
        self.calls = 0
        original = getattr(Path, method)

        def call(path: Path, *arguments: object) -> object:
            self.calls += 1
            if self.calls == number:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            return original(path, *arguments)

        monkeypatch.setattr(Path, method, call)


@pytest.mark.parametrize("method", ["replace", "mkdir", "chmod"])
@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_what_fails_on_the_way_is_put_back(
    tree: Path, project: Path, monkeypatch: pytest.MonkeyPatch, method: str, number: int
) -> None:
    if method == "mkdir" and number > 2:
        pytest.skip("two folders are made")
    before = contents(tree)
    with monkeypatch.context() as patch:
        Failing(patch, method, number)
        with pytest.raises(RunFailedError) as raised:
            patching.apply(tree, project=project)
    names = [BACKEND, RUNNER, *(f"{COPIED}/parts/{n}" for n in ("ours.h", "empty.cpp", "ours.cpp"))]
    name = names[number - 1] if method != "mkdir" else names[2]
    assert raised.value.message == (
        f"cannot write {name}: No space left on device; nothing was changed"
    )
    assert contents(tree) == before
    round_trip(tree, project)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_failing_revert_is_put_back(
    tree: Path, project: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    patching.apply(tree, project=project)
    before = contents(tree)
    with monkeypatch.context() as patch:
        original = Path.unlink
        removed: list[Path] = []

        def unlink(path: Path, missing_ok: bool = False) -> None:
            if COPIED in str(path) and not path.name.startswith(".vgfio-"):
                removed.append(path)
                if len(removed) == number:
                    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
            original(path, missing_ok)

        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(RunFailedError, match="Operation not permitted; nothing was changed"):
            patching.revert(tree, project=project)
    assert contents(tree) == before


def test_without_hard_links_old_files_are_copied(
    tree: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(path: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    before = contents(tree)
    with monkeypatch.context() as patch:
        Failing(patch, "replace", 3)
        with pytest.raises(RunFailedError):
            patching.apply(tree, project=project)
    assert contents(tree) == before
    round_trip(tree, project)


def test_what_cannot_be_put_back_is_told_with_its_place(
    tree: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, text = Path.replace, (tree / BACKEND).read_text()
    calls: list[Path] = []

    def replace_once(path: Path, target: Path) -> Path:
        calls.append(path)
        if len(calls) > 1:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return original(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace_once)
        with pytest.raises(RunFailedError, match="not put back: ") as raised:
            patching.apply(tree, project=project)
    kept = raised.value.message.split(f"{tree.resolve() / BACKEND} (it is in ")[1].split(")")[0]
    assert Path(kept).read_text() == text


def test_an_interrupt_is_put_back_too(
    tree: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Path.replace

    def interrupted(path: Path, target: Path) -> Path:
        original(path, target)
        if target.name == Path(RUNNER).name and path.suffix != ".old":
            raise KeyboardInterrupt
        return target

    before = contents(tree)
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        patching.apply(tree, project=project)
    assert contents(tree) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_tree_is_refused(tree: Path, project: Path) -> None:
    folder = tree / Path(BACKEND).parent
    folder.chmod(0o555)
    try:
        with pytest.raises(InvalidRequestError, match="no permission; nothing was changed"):
            patching.apply(tree, project=project)
    finally:
        folder.chmod(0o755)


def test_a_file_that_may_not_be_written_is_refused(
    tree: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file system that is mounted read-only, for root too."""
    before = contents(tree)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(InvalidRequestError) as raised:
        patching.apply(tree, project=project)
    assert raised.value.message == (
        f"cannot write {BACKEND} and 4 more: no permission; nothing was changed"
    )
    assert contents(tree) == before


def test_requirements_come_along_and_stay(tree: Path, project: Path) -> None:
    before = contents(tree)
    report = patching.apply(tree, ["runner"], project=project)
    assert states(report) == {"base": "applied", "runner": "applied"}
    with pytest.raises(patching.RefusedError) as raised:
        patching.revert(tree, ["base"], project=project)
    assert raised.value.refusals == ("base: runner is applied and requires it; revert that too",)
    assert states(patching.revert(tree, ["runner"], project=project)) == {"runner": "applicable"}
    assert states(patching.check(tree, project=project))["base"] == "applied"
    patching.apply(tree, project=project)
    patching.revert(tree, ["base", "runner"], project=project)
    assert contents(tree) == before


def test_a_series_whose_requirement_is_refused_is_refused(tree: Path, project: Path) -> None:
    replace(tree / BACKEND, "close();", "finish();")
    report = patching.check(tree, ["runner"], project=project)
    assert [one.name for one in report.series if one.refusals] == ["base", "runner"]
    assert report.series[1].refusals == ("runner: requires base, which is refused",)
    assert len(refused(tree, project, "runner")) == 1


@pytest.mark.parametrize("command", [["git", "apply"], ["patch", "-s", "-p1", "--binary", "-i"]])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_a_diff_gives_the_same_tree(
    tree: Path, project: Path, tmp_path: Path, command: list[str], end: bytes
) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    (tree / NOTES).write_bytes(end.join([b"one", b"two \xff", b"three"]))
    spaced = "docs/with a blank.txt"
    (tree / spaced).write_text("alone")
    write_series(
        project,
        "runner",
        edit(NOTES, "two", "ours\n"),
        edit(NOTES, "three", "last\n"),
        edit(spaced, "alone", "not alone\n", "before"),
        requires=("base",),
    )
    copy = shutil.copytree(tree, tmp_path / "copy")
    (project / "native" / "parts" / "ours.cpp").chmod(0o755)
    patch = patching.diff(tree, project=project)
    patching.apply(tree, project=project)
    assert patching.diff(tree, project=project) == patch
    (tmp_path / "series.patch").write_bytes(patch)
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    subprocess.run([*command, "../series.patch"], cwd=copy, env=environment, check=True)
    assert contents(copy) == contents(tree)


def test_a_diff_of_one_series_holds_nothing_else(tree: Path, project: Path) -> None:
    patch = patching.diff(tree, ["base"], project=project).decode()
    assert RUNNER not in patch
    assert "--- /dev/null\n+++ b/" + COPIED in patch
    assert "\\ No newline at end of file\n" in patch
    assert [line for line in patch.splitlines() if line.startswith("-") and line[1:2] != "-"] == []


def test_links_that_lead_out_of_the_tree_are_refused(
    tree: Path, project: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.cpp"
    (tree / RUNNER).rename(outside)
    (tree / RUNNER).symlink_to(outside)
    (tree / COPIED).symlink_to(tmp_path, target_is_directory=True)
    lines = refused(tree, project)
    assert len(lines) == 2
    assert all("a link leads out of the tree" in line for line in lines)
    assert not (tmp_path / "parts").exists()


def test_links_inside_the_tree_stay_links(tree: Path, project: Path) -> None:
    (tree / RUNNER).rename(tree / "real.cpp")
    (tree / RUNNER).symlink_to("../real.cpp")
    round_trip(tree, project)
    patching.apply(tree, project=project)
    assert (tree / RUNNER).is_symlink()
    assert "measured()" in (tree / "real.cpp").read_text()


def test_a_link_where_a_new_file_belongs_is_refused(tree: Path, project: Path) -> None:
    (tree / COPIED / "parts").mkdir(parents=True)
    (tree / COPIED / "parts" / "ours.h").symlink_to(project / "native" / "parts" / "ours.h")
    assert "exists and is not ours" in refused(tree, project)[0]


def test_two_names_of_one_file_are_refused(tree: Path, project: Path) -> None:
    (tree / "link.txt").symlink_to(NOTES)
    only(project, edit(NOTES, "one", "ours a\n"), edit("link.txt", "two", "ours b\n"))
    assert refused(tree, project) == (f"link.txt: is the same file as {NOTES}, by a link",)


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path, project: Path) -> None:
    for function in (patching.check, patching.apply, patching.revert, patching.diff):
        with pytest.raises(InvalidRequestError, match="is no ExecuTorch checkout: it has no"):
            function(tmp_path, project=project)


def test_an_installed_package_has_no_series(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError, match="run from a checkout of the project"):
        patching.check(tree, project=tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("summary = 1", "summary must be a text"),
        ("summary = 'x'\nmore = 1", "no key 'more'"),
        ("summary = 'x", "is no TOML"),
        ("summary = 'x'\nrequires = ['gone']", "requires gone: unknown"),
        ("summary = 'x'\nrequires = ['odd']", "require each other in a circle"),
        ("summary = 'x'\n[edit]", "two brackets"),
        ("summary = 'x'\n[[edit]]\nfile = '../x'\ntext = 'x'\nplace = 'after'", "below the folder"),
        ("summary = 'x'\n[[edit]]\nfile = 'x'\ntext = 'x'\nplace = 'upon'", "place must be"),
        ("summary = 'x'\n[[edit]]\nfile = 'x'\ntext = 'x'\nplace = 'after'", "anchor must be"),
        ("summary = 'x'\n[[copy]]\nfrom = 'native'\nto = 'x'\nfiles = '*.rs'", "matches '\\*.rs'"),
        ("summary = 'x'\n[[copy]]\nfrom = 'gone'\nto = 'x'\nfiles = '*'", "there is no folder"),
        (
            f"summary = 'x'\n[[copy]]\nfrom = 'native'\nto = '{COPIED}'\nfiles = 'parts/*.h'",
            "both make",
        ),
    ],
)  # fmt: skip
def test_a_series_that_is_written_wrongly_is_refused(
    tree: Path, project: Path, text: str, message: str
) -> None:
    (project / "patches" / "odd.toml").write_text(text)
    with pytest.raises(InvalidRequestError, match=message):
        patching.check(tree, project=project)


def test_an_unknown_series_is_refused(tree: Path, project: Path) -> None:
    with pytest.raises(InvalidRequestError, match="'more'; there are base, runner and all"):
        patching.check(tree, ["more"], project=project)


def test_a_line_end_is_added_to_a_text_without_one(tree: Path, project: Path) -> None:
    only(project, edit(NOTES, "two", "ours"))
    patched = round_trip(tree, project)
    assert (patched[NOTES] or (0, b""))[1] == b"one\ntwo\nours\nthree\n"


def test_the_projects_own_series_are_written_rightly() -> None:
    if not (ROOT / "patches").is_dir():
        pytest.skip("this checkout has no patches/ yet")
    for one in series.load(ROOT).values():
        assert one.edits or one.copies
        assert all(edit.why for edit in one.edits)
