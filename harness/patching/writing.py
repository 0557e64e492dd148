"""Writes many files of a tree, or none: what fails on the way is put back."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import InvalidRequestError, RunFailedError

_PREFIX = ".vgfio-"


@dataclass(frozen=True)
class Change:
    """A file that is written, replaced or removed.

    Attributes:
        name: What messages call it.
        path: Where it really lies.
        content: The whole file; None to remove it.
        mode: Permissions of a new file; a file that exists keeps its own.
    """

    name: str
    path: Path
    content: bytes | None
    mode: int = 0o644


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One program at a time in a tree; leaves no file behind.

    Raises:
        InvalidRequestError: There is no such folder, or it may not be read.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise InvalidRequestError(f"cannot open {folder}: {error.strerror}") from error
    try:
        with contextlib.suppress(OSError):  # not every file system can
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def commit(changes: Sequence[Change], root: Path) -> None:
    """Makes all changes, or leaves the tree as it is.

    Folders are made as needed; those that removing files leaves empty go, up to `root`.

    Raises:
        InvalidRequestError: A file may not be written; nothing was tried.
        RunFailedError: The system refused on the way; names the file. The tree is as before,
            or the message names what could not be put back and where its content lies.
    """
    _check(changes)
    work = _Transaction()
    name = ""
    try:
        for change in changes:
            name = change.name
            work.prepare(change)
        for change in changes:
            name = change.name
            work.perform(change)
    except OSError as error:
        lost = work.roll_back()
        outcome = f"; not put back: {', '.join(lost)}" if lost else "; nothing was changed"
        raise RunFailedError(f"cannot write {name}: {error.strerror}{outcome}") from error
    except BaseException:
        work.roll_back()
        raise
    work.finish()
    for change in changes:
        if change.content is None:
            _remove_empty(change.path.parent, root)


def _check(changes: Sequence[Change]) -> None:
    blocked = [change.name for change in changes if not _may_write(change.path)]
    if blocked:
        more = f" and {len(blocked) - 1} more" if len(blocked) > 1 else ""
        raise InvalidRequestError(
            f"cannot write {blocked[0]}{more}: no permission; nothing was changed"
        )


def _may_write(path: Path) -> bool:
    if path.exists() and not os.access(path, os.W_OK):
        return False
    folder = next(one for one in path.parents if one.exists())
    return os.access(folder, os.W_OK | os.X_OK)


def _remove_empty(folder: Path, root: Path) -> None:
    with contextlib.suppress(OSError):  # not empty
        while folder != root and folder.is_relative_to(root):
            folder.rmdir()
            folder = folder.parent


class _Transaction:
    """New contents beside their files, old ones kept until the end. Owns both."""

    def __init__(self) -> None:
        self._folders: list[Path] = []
        self._new: dict[Path, Path] = {}
        self._old: dict[Path, Path] = {}
        self._done: list[Path] = []

    def prepare(self, change: Change) -> None:
        """All that needs space on the disk."""
        path = change.path
        if change.content is not None:
            self._make_folder(path.parent)
            descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=_PREFIX)
            self._new[path] = Path(name)
            with os.fdopen(descriptor, "wb") as file:
                file.write(change.content)
            _set_mode(Path(name), path, change.mode)
        if path.exists():
            self._keep(path)

    def perform(self, change: Change) -> None:
        """Renames or removes; a later `roll_back()` undoes it."""
        path = change.path
        self._done.append(path)  # before, for an interrupt right behind it
        if change.content is None:
            path.unlink()
        else:
            self._new[path].replace(path)

    def roll_back(self) -> list[str]:
        """Puts everything back.

        Returns:
            What could not be, and where its content lies.
        """
        lost = []
        for path in reversed(self._done):
            old = self._old.get(path)
            try:
                if old is None:
                    path.unlink(missing_ok=True)
                else:
                    old.replace(path)  # does nothing where both are one file still
            except OSError:
                lost.append(str(path) if old is None else f"{path} (it is in {old})")
                self._old.pop(path, None)  # finish() must not remove the only copy
        self.finish()
        for folder in reversed(self._folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
        return lost

    def finish(self) -> None:
        """Removes what lies beside the files."""
        for path in (*self._new.values(), *self._old.values()):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def _make_folder(self, folder: Path) -> None:
        missing = [folder, *folder.parents]
        missing = missing[: next(i for i, one in enumerate(missing) if one.exists())]
        for one in reversed(missing):
            one.mkdir()
            self._folders.append(one)

    def _keep(self, path: Path) -> None:
        """A second name for the old file, so that putting it back needs no space."""
        folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=_PREFIX))
        old = folder.with_name(folder.name + ".old")
        folder.rmdir()
        self._old[path] = old
        try:
            old.hardlink_to(path)
        except OSError:  # not every file system can
            shutil.copy2(path, old)


def _set_mode(new: Path, old: Path, mode: int) -> None:
    if not old.exists():
        new.chmod(mode)
        return
    status = old.stat()
    with contextlib.suppress(OSError):  # only root can give files away
        os.chown(new, status.st_uid, status.st_gid)
    new.chmod(stat.S_IMODE(status.st_mode))
