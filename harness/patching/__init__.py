"""Edits an ExecuTorch checkout as `patches/*.toml` say, and takes the edits away again.

`series` reads what is to be done, `source` knows one file, `tree` the whole checkout, `writing`
changes all files or none; this module puts them together. Needs the standard library only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from harness import locations
from harness.patching import series as patch_series
from harness.patching import tree, unified, writing
from harness.patching.report import RefusedError, Report, describe
from harness.patching.series import Edit, Series
from harness.patching.tree import ABSENT, APPLIED, NOT_NEEDED, REFUSED, Survey, TreeFile

__all__ = ["RefusedError", "Report", "apply", "check", "diff", "revert"]


def check(folder: Path, names: Iterable[str] = (), *, project: Path | None = None) -> Report:
    """What `apply()` would do. Writes nothing.

    Args:
        folder: The ExecuTorch checkout.
        names: Series; none for all. What they require comes with them.
        project: Where `patches/` is; None for the checkout that this package lies in.
    Raises:
        InvalidRequestError: No checkout, no such series, or a series is written wrongly.
    """
    survey, chosen = _look(folder, names, project, requirements=True)
    return describe("check", survey, chosen)


def apply(folder: Path, names: Iterable[str] = (), *, project: Path | None = None) -> Report:
    """Applies series, all or none; where they are applied already nothing is written.

    Args:
        folder: The ExecuTorch checkout.
        names: Series; none for all. What they require comes with them.
        project: Where `patches/` is; None for the checkout that this package lies in.
    Raises:
        RefusedError: Something does not fit; the tree is untouched.
        InvalidRequestError: As for `check()`, or files may not be written.
        RunFailedError: Writing failed on the way; the tree is as before.
    """
    with writing.locked(tree.checkout(folder)):
        before, chosen = _look(folder, names, project, requirements=True)
        _refuse("apply", before, chosen, _refusals(before, chosen))
        changes = [
            _change(before, file, file.present.union(new))
            for name, file in before.files.items()
            if (new := _edits(before, name, chosen, ABSENT))
        ]
        changes += [
            writing.Change(
                copy.file,
                tree.target(before.folder, copy),
                copy.source.read_bytes(),
                0o755 if copy.source.stat().st_mode & 0o100 else 0o644,
            )
            for one in chosen
            for copy in one.copies
            if before.copies[copy].kind == ABSENT
        ]
        return _commit("apply", before, chosen, changes)


def revert(folder: Path, names: Iterable[str] = (), *, project: Path | None = None) -> Report:
    """Takes away exactly what series put into a tree; does nothing where nothing is.

    Args:
        folder: The ExecuTorch checkout.
        names: Series; none for all. What they require stays.
        project: Where `patches/` is; None for the checkout that this package lies in.
    Raises:
        RefusedError: Something was changed since, or a series that stays requires one of these.
        InvalidRequestError: As for `check()`, or files may not be written.
        RunFailedError: Writing failed on the way; the tree is as before.
    """
    with writing.locked(tree.checkout(folder)):
        before, chosen = _look(folder, names, project, requirements=False)
        _refuse(
            "revert", before, chosen, [*_still_required(before, chosen), *_rests(before, chosen)]
        )
        changes = [
            _change(before, file, file.present.difference(gone))
            for name, file in before.files.items()
            if (gone := _edits(before, name, chosen, APPLIED))
        ]
        changes += [
            writing.Change(copy.file, tree.target(before.folder, copy), None)
            for one in chosen
            for copy in one.copies
            if before.copies[copy].kind == APPLIED
        ]
        return _commit("revert", before, chosen, changes)


def diff(folder: Path, names: Iterable[str] = (), *, project: Path | None = None) -> bytes:
    """What series do to the tree without any of them, for `git apply` and `patch -p1`.

    Args:
        folder: The ExecuTorch checkout, whether or not it is patched.
        names: Series; none for all. What they require comes with them.
        project: Where `patches/` is; None for the checkout that this package lies in.
    Raises:
        RefusedError: Something does not fit.
        InvalidRequestError: As for `check()`.
    """
    survey, chosen = _look(folder, names, project, requirements=True)
    _refuse("diff", survey, chosen, _refusals(survey, chosen))
    parts: dict[str, bytes] = {}
    for name, file in survey.files.items():
        wanted = _edits(survey, name, chosen, ABSENT, APPLIED)
        parts[name] = unified.changed(name, file.source.holding(()), file.source.holding(wanted))
    for copy in (copy for one in chosen for copy in one.copies):
        executable = bool(copy.source.stat().st_mode & 0o100)
        parts[copy.file] = unified.added(copy.file, copy.source.read_bytes(), executable)
    return b"".join(parts[name] for name in sorted(parts))


def _look(
    folder: Path, names: Iterable[str], project: Path | None, *, requirements: bool
) -> tuple[Survey, tuple[Series, ...]]:
    known = patch_series.load(project or locations.CHECKOUT)
    chosen = patch_series.select(known, names, requirements=requirements)
    return tree.survey(folder, known), chosen


def _edits(survey: Survey, file: str, chosen: Sequence[Series], *kinds: str) -> list[Edit]:
    """The edits of a file that are in one of these states, in their order."""
    return [
        edit
        for one in chosen
        for edit in one.edits
        if edit.file == file and survey.edits[edit].kind in kinds
    ]


def _change(survey: Survey, file: TreeFile, edits: Collection[Edit]) -> writing.Change:
    name = file.path.relative_to(survey.folder).as_posix()
    ordered = [edit for edit in survey.edits if edit in edits]
    return writing.Change(name, file.path, file.source.holding(ordered))


def _refusals(survey: Survey, chosen: Iterable[Series]) -> list[str]:
    return [state.reason for one in chosen for state in survey.states(one) if state.kind == REFUSED]


def _still_required(survey: Survey, chosen: Sequence[Series]) -> list[str]:
    return [
        f"{one.name}: {other.name} is applied and requires it; revert that too"
        for one in chosen
        for other in survey.series.values()
        if other not in chosen
        and one.name in patch_series.required(survey.series, other.name)
        and survey.is_present(one)
        and survey.is_present(other)
    ]


def _rests(survey: Survey, chosen: Iterable[Series]) -> list[str]:
    """What taking the series away would leave behind. Where an edit is not needed, lines like
    ours are the tree's own."""
    return [
        state.rest
        for one in chosen
        for state in survey.states(one)
        if state.rest and state.kind != NOT_NEEDED
    ]


def _refuse(action: str, survey: Survey, chosen: Sequence[Series], lines: Sequence[str]) -> None:
    if lines:
        raise RefusedError(describe(action, survey, chosen), list(dict.fromkeys(lines)))


def _commit(
    action: str, before: Survey, chosen: Sequence[Series], changes: Sequence[writing.Change]
) -> Report:
    if not changes:
        return describe(action, before, chosen)
    writing.commit(changes, before.folder)
    after = tree.survey(before.folder, before.series)
    return describe(action, after, chosen, before, [change.name for change in changes])
