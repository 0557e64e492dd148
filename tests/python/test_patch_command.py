"""`python -m harness patch`: its lines, its JSON, its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import cli, locations
from tests.python.patch_samples import (
    BACKEND,
    COPIED,
    NOTES,
    contents,
    edit,
    make_project,
    make_tree,
    write_series,
)

Output = pytest.CaptureFixture[str]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(locations, "CHECKOUT", make_project(tmp_path / "project"))
    return make_tree(tmp_path / "tree")


def patch(tree: Path, *arguments: str) -> int:
    return cli.main(["patch", "--executorch", str(tree), *arguments])


def misfit(tree: Path) -> None:
    file = tree / BACKEND
    file.write_text(file.read_text().replace("close();", "finish();"))


def test_apply_twice_and_revert_twice(tree: Path, capsys: Output) -> None:
    before = contents(tree)
    assert patch(tree) == 0
    assert capsys.readouterr().out.splitlines() == [
        "base: applied; 4 lines in 1 file, 3 new files",
        "runner: applied; 1 line in 1 file, 0 new files",
        f"5 files changed in {tree}",
    ]
    assert patch(tree) == 0
    assert capsys.readouterr().out == f"applied already, nothing changed in {tree}\n"
    assert patch(tree, "--revert") == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("base: reverted; 4 lines")
    assert patch(tree, "--revert") == 0
    assert capsys.readouterr().out == f"nothing to revert in {tree}\n"
    assert contents(tree) == before


def test_series_are_named_once_or_often(tree: Path, capsys: Output) -> None:
    assert patch(tree, "--check", "--series", "base", "--series", "runner") == 0
    both = capsys.readouterr().out
    assert patch(tree, "--check", "--series", "runner", "base") == 0
    assert capsys.readouterr().out == both
    assert patch(tree, "--check", "--series", "all") == 0
    assert capsys.readouterr().out == both
    assert patch(tree, "--check", "--series", "base") == 0
    assert "runner" not in capsys.readouterr().out


def test_a_check_says_what_would_be_done(tree: Path, capsys: Output) -> None:
    assert patch(tree, "--check") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        f"ExecuTorch 9.8.7 in {tree}",
        "base: can be applied; 4 lines in 1 file, 3 new files",
        f"  {BACKEND}: absent: Declares it.",
    ]
    patch(tree)
    capsys.readouterr()
    assert patch(tree, "--check") == 0
    assert "base: applied; 4 lines in 1 file, 3 new files" in capsys.readouterr().out


def test_a_check_that_is_refused_exits_with_2(tree: Path, capsys: Output) -> None:
    misfit(tree)
    assert patch(tree, "--check") == 2
    lines = capsys.readouterr().out.splitlines()
    assert f'  refused: {BACKEND}: "shut();" or "close();" found 0 times (moved or gone)' in lines
    assert "  refused: runner: requires base, which is refused" in lines


def test_refusals_are_a_line_each(tree: Path, capsys: Output) -> None:
    misfit(tree)
    assert patch(tree) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f'error: {BACKEND}: "shut();" or "close();" found 0 times (moved or gone); '
        "nothing was changed\n"
    )
    (tree / COPIED).write_text("in the way")
    assert patch(tree) == 2
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == 5
    assert said.err.splitlines()[-1] == f"error: 4 things do not fit {tree}; nothing was changed"


def test_a_diff_is_all_that_is_printed(
    tree: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tree / NOTES).write_bytes(b"\xff one\ntwo\n")
    write_series(locations.CHECKOUT, "odd", edit(NOTES, "two", "ours\n"))
    assert patch(tree, "--diff", "--series", "odd") == 0
    said = capsysbinary.readouterr()
    assert said.out == (
        b"diff --git a/docs/notes.txt b/docs/notes.txt\n"
        b"--- a/docs/notes.txt\n+++ b/docs/notes.txt\n"
        b"@@ -1,2 +1,3 @@\n \xff one\n two\n+ours\n"
    )
    assert said.err == b""
    misfit(tree)
    assert patch(tree, "--diff") == 2
    assert capsysbinary.readouterr().out == b""


def test_the_result_as_json(tree: Path, capsys: Output) -> None:
    assert patch(tree, "--check", "--json") == 0
    checked = json.loads(capsys.readouterr().out)
    assert (checked["action"], checked["version"]) == ("check", "9.8.7")
    assert [one["state"] for one in checked["series"]] == ["applicable"] * 2
    assert checked["series"][0]["edits"][0]["state"] == "absent"
    assert patch(tree, "--json") == 0
    applied = json.loads(capsys.readouterr().out)
    assert [(one["state"], one["changed"]) for one in applied["series"]] == [("applied", True)] * 2
    assert BACKEND in applied["changed_files"]
    assert patch(tree, "--revert", "--json") == 0
    assert json.loads(capsys.readouterr().out)["changed_files"] == applied["changed_files"]
    misfit(tree)
    assert patch(tree, "--json") == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["refusals"] == [
        f'{BACKEND}: "shut();" or "close();" found 0 times (moved or gone)'
    ]
    assert len(said.err.splitlines()) == 1


def test_what_a_tree_has_already_is_told(tree: Path, capsys: Output) -> None:
    write_series(
        locations.CHECKOUT,
        "odd",
        edit(NOTES, "two", "ours\n", unless="three"),
        edit(NOTES, "one", "a\n"),
    )
    assert patch(tree, "--series", "odd") == 0
    assert f'{NOTES}: left alone at "two": the file has it already' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--series", "more"], "there is no series 'more'"),
        (["--diff", "--json"], "leave out --json"),
    ],
)
def test_a_bad_request_is_one_line(
    tree: Path, capsys: Output, arguments: list[str], message: str
) -> None:
    assert patch(tree, *arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_folder_that_is_no_checkout_is_one_line(tmp_path: Path, capsys: Output) -> None:
    assert patch(tmp_path) == 2
    assert capsys.readouterr().err == (
        f"error: {tmp_path} is no ExecuTorch checkout: it has no {BACKEND}\n"
    )


@pytest.mark.parametrize("pair", [["--check", "--revert"], ["--diff", "--check"], []])
def test_arguments_that_exclude_each_other(tmp_path: Path, pair: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["patch", *(["--executorch", str(tmp_path)] if pair else []), *pair])
    assert ended.value.code == 2
