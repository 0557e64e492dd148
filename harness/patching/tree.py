"""What stands in a tree of each series. Reads only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import InvalidRequestError
from harness.patching.series import Copy, Edit, Series
from harness.patching.source import Source, left_over, take_apart

ABSENT, APPLIED, NOT_NEEDED, REFUSED = "absent", "applied", "not_needed", "refused"
APPLICABLE, PARTLY_APPLIED = "applicable", "partly_applied"

_LANDMARK = "backends/arm/runtime/VGFBackend.cpp"


@dataclass(frozen=True)
class State:
    """Of an edit or of a file that is copied.

    Attributes:
        kind: `ABSENT`, `APPLIED`, `NOT_NEEDED` or `REFUSED`.
        reason: Why it is refused; one line that names the file.
        rest: Why taking it away would leave something of ours behind; mostly empty.
    """

    kind: str
    reason: str = ""
    rest: str = ""


@dataclass(frozen=True)
class TreeFile:
    """A file that series edit.

    Attributes:
        path: Where it really lies, links resolved.
        content: Its bytes.
        source: What it is without our edits.
        present: The edits that stand in it.
    """

    path: Path
    content: bytes
    source: Source
    present: frozenset[Edit]


@dataclass(frozen=True)
class Survey:
    """A tree, seen by all series.

    Attributes:
        folder: The tree, links resolved.
        version: What it says of itself.
        series: All that the project knows, requirements first.
        edits: The state of every edit, in the order of series and of their files.
        copies: The state of every file that is copied.
        files: The files that edits name and that can be read, by that name.
    """

    folder: Path
    version: str
    series: Mapping[str, Series]
    edits: Mapping[Edit, State]
    copies: Mapping[Copy, State]
    files: Mapping[str, TreeFile]

    def states(self, one: Series) -> list[State]:
        """Of everything in a series."""
        return [
            *(self.edits[edit] for edit in one.edits),
            *(self.copies[copy] for copy in one.copies),
        ]

    def is_present(self, one: Series) -> bool:
        """Whether anything of a series stands in the tree."""
        return any(state.kind == APPLIED for state in self.states(one))

    def kind(self, one: Series) -> str:
        """`APPLICABLE`, `PARTLY_APPLIED`, `APPLIED`, `NOT_NEEDED` or `REFUSED`."""
        kinds = {state.kind for state in self.states(one)}
        if REFUSED in kinds or any(
            self.kind(self.series[need]) == REFUSED for need in one.requires
        ):
            return REFUSED
        if ABSENT in kinds:
            return PARTLY_APPLIED if APPLIED in kinds else APPLICABLE
        return APPLIED if APPLIED in kinds else NOT_NEEDED

    def reasons(self, one: Series) -> list[str]:
        """Why a series is refused, one line each; empty where it is not."""
        own = [state.reason for state in self.states(one) if state.kind == REFUSED]
        needs = [need for need in one.requires if self.kind(self.series[need]) == REFUSED]
        return [*own, *(f"{one.name}: requires {need}, which is refused" for need in needs)]


def survey(folder: Path, series: Mapping[str, Series]) -> Survey:
    """Looks at a tree.

    Args:
        folder: An ExecuTorch checkout.
        series: All of the project, from `load()`.
    Raises:
        InvalidRequestError: The folder is none.
    """
    root = checkout(folder)
    files: dict[str, TreeFile] = {}
    found: dict[Edit, State] = {}
    for name, wanted in _by_file(series.values()).items():
        try:
            file = _read(root, name, wanted)
            _refuse_second_name(name, file, files)
        except InvalidRequestError as error:
            found.update((edit, State(REFUSED, error.message)) for edit in wanted)
        else:
            files[name] = file
            found.update(_states(file, wanted))
    edits = {edit: found[edit] for one in series.values() for edit in one.edits}
    copies = {copy: _copy(root, copy) for one in series.values() for copy in one.copies}
    return Survey(root, _version(root), series, edits, copies, files)


def checkout(folder: Path) -> Path:
    """The folder with its links resolved.

    Raises:
        InvalidRequestError: It is no ExecuTorch checkout.
    """
    try:
        found = (folder / _LANDMARK).is_file()
    except OSError:  # may not be looked into
        found = False
    if not found:
        raise InvalidRequestError(f"{folder} is no ExecuTorch checkout: it has no {_LANDMARK}")
    return folder.resolve()


def target(root: Path, copy: Copy) -> Path:
    """Where a file that is copied really lies.

    Raises:
        InvalidRequestError: A link leads out of the tree.
    """
    path = Path(copy.file)
    return inside(root, str(path.parent)) / path.name


def _by_file(series: Iterable[Series]) -> dict[str, list[Edit]]:
    found: dict[str, list[Edit]] = {}
    for edit in (edit for one in series for edit in one.edits):
        found.setdefault(edit.file, []).append(edit)
    return found


def _version(root: Path) -> str:
    try:
        text = (root / "version.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    return text.strip() or "unknown"


def inside(root: Path, name: str) -> Path:
    """Where a path of the tree really lies.

    Raises:
        InvalidRequestError: Somewhere else, by a link.
    """
    try:
        path = (root / name).resolve()
    except (OSError, RuntimeError) as error:  # a link that leads to itself
        raise InvalidRequestError(f"{name}: cannot follow the link: {error}") from error
    if not path.is_relative_to(root):
        raise InvalidRequestError(f"{name}: a link leads out of the tree, to {path}")
    return path


def _read(root: Path, name: str, edits: Collection[Edit]) -> TreeFile:
    path = inside(root, name)
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise InvalidRequestError(f"{name}: there is no such file in this tree") from error
    except OSError as error:
        raise InvalidRequestError(f"{name}: cannot be read: {error.strerror}") from error
    source, present = take_apart(content, edits)
    return TreeFile(path, content, source, present)


def _refuse_second_name(name: str, file: TreeFile, known: Mapping[str, TreeFile]) -> None:
    """Two names of one file would be written one over the other."""
    for other, one in known.items():
        if one.path == file.path:
            raise InvalidRequestError(f"{name}: is the same file as {other}, by a link")


def _states(file: TreeFile, edits: Sequence[Edit]) -> dict[Edit, State]:
    missing = [edit for edit in edits if edit not in file.present]
    states = {
        edit: State(APPLIED) if edit in file.present else _state(file.source, edit, missing)
        for edit in edits
    }
    possible = [edit for edit in edits if states[edit].kind in (ABSENT, APPLIED)]
    if take_apart(file.source.holding(possible), edits) != (file.source, frozenset(possible)):
        reason = f"{edits[0].file}: these edits could not be taken away again; rewrite the series"
        states.update((edit, State(REFUSED, reason)) for edit in missing if edit in possible)
    return states


def _state(source: Source, edit: Edit, missing: Sequence[Edit]) -> State:
    rest = left_over(source, edit, missing)
    if any(source.has(text) for text in edit.unless):
        return State(NOT_NEEDED, rest=rest)
    try:
        source.position(edit)
    except InvalidRequestError as error:
        return State(REFUSED, error.message, rest)
    return State(REFUSED, rest, rest) if rest else State(ABSENT)


def _copy(root: Path, copy: Copy) -> State:
    try:
        path = target(root, copy)
        blocked = next(one for one in path.parents if one.exists())
        if not blocked.is_dir():
            return State(REFUSED, f"{copy.file}: {blocked.relative_to(root)} is no folder")
        if not path.exists() and not path.is_symlink():
            return State(ABSENT)
    except InvalidRequestError as error:
        return State(REFUSED, error.message)
    except OSError as error:
        return State(REFUSED, f"{copy.file}: cannot be read: {error.strerror}")
    if path.is_file() and not path.is_symlink() and _same(path, copy.source):
        return State(APPLIED)
    return State(
        REFUSED,
        f"{copy.file}: exists and is not ours, or was changed; remove it or revert with the "
        "version that made it",
        f"{copy.file}: was changed or is not ours; remove it or revert with the version that "
        "made it",
    )


def _same(path: Path, source: Path) -> bool:
    try:
        return path.read_bytes() == source.read_bytes()
    except OSError:
        return False
