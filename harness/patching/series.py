"""Patch series: what `patches/*.toml` say, checked. Reads this project only, never a tree."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from harness.errors import InvalidRequestError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ALL = "all"
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True)
class Edit:
    """Whole lines that a series inserts into a file that exists.

    Attributes:
        series: Name of the series.
        number: Place in that series, from 0.
        file: Path in the tree, with slashes.
        anchors: Alternatives; the first that is found is used.
        place: `BEFORE` the line where the anchor begins, or `AFTER` the line where it ends.
        text: The lines, each with "\\n".
        after_text: The anchor is searched only behind this; may be empty.
        unless: Where the file has one of these already, the edit is not needed; may be empty.
        why: One sentence.
    """

    series: str
    number: int
    file: str
    anchors: tuple[str, ...]
    place: str
    text: str
    after_text: str
    unless: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Copy:
    """A file of this project that a series adds to the tree.

    Attributes:
        series: Name of the series.
        source: The file of this project.
        file: Path in the tree, with slashes.
    """

    series: str
    source: Path
    file: str


@dataclass(frozen=True)
class Series:
    """Edits and new files that belong together.

    Attributes:
        name: Stem of its TOML file.
        summary: One line.
        requires: Names of the series that it builds on, direct ones only.
        edits: In the order of the file.
        copies: New files, each path once.
    """

    name: str
    summary: str
    requires: tuple[str, ...]
    edits: tuple[Edit, ...]
    copies: tuple[Copy, ...]


def load(project: Path) -> dict[str, Series]:
    """All series of a project by name, requirements first.

    Args:
        project: The folder with `patches/` and what the series copy.
    Raises:
        InvalidRequestError: There are none, or one of them is wrong; names file and key.
    """
    files = sorted((project / "patches").glob("*.toml"))
    if not files:
        raise InvalidRequestError(
            "the patch series are not beside this package; run from a checkout of the project"
        )
    found = {file.stem: _read(file, project) for file in files}
    for one in found.values():
        for name in one.requires:
            if name not in found:
                raise InvalidRequestError(f"patches/{one.name}.toml requires {name}: unknown")
    owners: dict[str, str] = {}
    for copy in (copy for one in found.values() for copy in one.copies):
        if copy.file in owners:
            raise InvalidRequestError(
                f"patches/{copy.series}.toml and patches/{owners[copy.file]}.toml both make "
                f"{copy.file}"
            )
        owners[copy.file] = copy.series
    for edit in (edit for one in found.values() for edit in one.edits):
        if edit.file in owners:
            raise InvalidRequestError(
                f"patches/{edit.series}.toml edits {edit.file}, which is copied; change the source"
            )
    return _ordered(found)


def select(
    known: Mapping[str, Series], names: Iterable[str], *, requirements: bool
) -> tuple[Series, ...]:
    """The series of these names in their order.

    Args:
        known: From `load()`.
        names: Names, or `ALL`; none at all means all.
        requirements: Whether what they require comes with them.
    Raises:
        InvalidRequestError: There is no series of that name.
    """
    wanted = set(names) or {ALL}
    for name in wanted:
        if name != ALL and name not in known:
            raise InvalidRequestError(
                f"there is no series {name!r}; there are {', '.join(sorted(known))} and {ALL}"
            )
    if ALL in wanted:
        return tuple(known.values())
    if requirements:
        wanted |= {need for name in wanted for need in required(known, name)}
    return tuple(one for one in known.values() if one.name in wanted)


def required(known: Mapping[str, Series], name: str) -> set[str]:
    """Names of the series that this one needs, directly or not."""
    needs: set[str] = set()
    for need in known[name].requires:
        needs |= {need} | required(known, need)
    return needs


def _ordered(found: Mapping[str, Series]) -> dict[str, Series]:
    ordered: dict[str, Series] = {}
    while len(ordered) < len(found):
        ready = [
            one
            for one in found.values()
            if one.name not in ordered and all(need in ordered for need in one.requires)
        ]
        if not ready:
            rest = ", ".join(name for name in found if name not in ordered)
            raise InvalidRequestError(f"patches: {rest} require each other in a circle")
        ordered.update((one.name, one) for one in ready)
    return ordered


def _read(file: Path, project: Path) -> Series:
    name, place = file.stem, f"patches/{file.name}"
    if name == ALL:
        raise InvalidRequestError(f"{place}: the name {ALL} means all series; rename the file")
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidRequestError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidRequestError(f"{place} is no TOML: {error}") from error
    table = _Table(document, place, {"summary", "requires", "copy", "edit"})
    edits = tuple(
        _edit(one, name, number, f"{place}: edit {number + 1}")
        for number, one in enumerate(table.tables("edit"))
    )
    copies = [
        copy
        for number, one in enumerate(table.tables("copy"))
        for copy in _copies(one, name, project, f"{place}: copy {number + 1}")
    ]
    return Series(
        name,
        table.text("summary"),
        table.texts("requires", ()),
        edits,
        tuple(dict.fromkeys(copies)),
    )


def _edit(document: Any, series: str, number: int, place: str) -> Edit:
    known = {"file", "anchor", "after_text", "place", "text", "unless", "why"}
    table = _Table(document, place, known)
    text = table.text("text")
    where = table.text("place")
    if where not in (BEFORE, AFTER):
        raise InvalidRequestError(f"{place}: place must be {BEFORE!r} or {AFTER!r}")
    return Edit(
        series=series,
        number=number,
        file=table.path("file"),
        anchors=table.texts("anchor"),
        place=where,
        # TOML itself drops the line end right behind the opening quotes.
        text=text if text.endswith("\n") else text + "\n",
        after_text=table.text("after_text", ""),
        unless=table.texts("unless", ()),
        why=table.text("why", ""),
    )


def _copies(document: Any, series: str, project: Path, place: str) -> list[Copy]:
    table = _Table(document, place, {"from", "to", "files"})
    source, target = table.path("from"), table.path("to")
    if not (project / source).is_dir():
        raise InvalidRequestError(
            f"{place}: there is no folder {project / source}; run from a checkout of the project"
        )
    found: list[Copy] = []
    for pattern in table.texts("files"):
        try:
            files = [file for file in sorted((project / source).glob(pattern)) if file.is_file()]
        except (ValueError, NotImplementedError) as error:
            raise InvalidRequestError(f"{place}: files: {pattern!r}: {error}") from error
        if not files:
            raise InvalidRequestError(f"{place}: files: nothing in {source} matches {pattern!r}")
        for file in files:
            below = file.relative_to(project / source)
            found.append(Copy(series, file, (PurePosixPath(target) / below).as_posix()))
    return found


class _Table:
    """A table of TOML whose values are read with their types checked."""

    def __init__(self, document: Any, place: str, known: Collection[str]) -> None:
        if not isinstance(document, dict):
            raise InvalidRequestError(f"{place} must be a table")
        for key in document:
            if key not in known:
                raise InvalidRequestError(
                    f"{place}: there is no key {key!r}; there are {', '.join(sorted(known))}"
                )
        self._document: Mapping[str, Any] = document
        self._place = place

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty; the default where there is none."""
        value = self._document.get(key, default)
        if not isinstance(value, str) or (value == "" and value != default):
            raise InvalidRequestError(f"{self._place}: {key} must be a text that is not empty")
        return value

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """One text or a list of them; may be empty where there is a default."""
        value = self._document.get(key, default)
        listed = [value] if isinstance(value, str) else value
        right = isinstance(listed, (list, tuple)) and all(
            isinstance(text, str) and text for text in listed
        )
        if not right or (not listed and default is None):
            raise InvalidRequestError(f"{self._place}: {key} must be a text or a list of texts")
        return tuple(listed)

    def path(self, key: str) -> str:
        """A relative path that stays below where it begins."""
        path = PurePosixPath(self.text(key))
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise InvalidRequestError(f"{self._place}: {key} must be a path below the folder")
        return path.as_posix()

    def tables(self, key: str) -> Sequence[Any]:
        """An array of tables; may be missing."""
        value = self._document.get(key, [])
        if not isinstance(value, list):
            raise InvalidRequestError(f"{self._place}: write [[{key}]], with two brackets")
        return value
