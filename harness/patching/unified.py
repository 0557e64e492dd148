"""Unified diffs of bytes, as git writes them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence


def changed(name: str, old: bytes, new: bytes) -> bytes:
    """The diff of a file that exists; empty where nothing changes."""
    if old == new:
        return b""
    path = name.encode()
    head = b"diff --git a/%s b/%s\n" % (path, path)
    return head + _hunks(b"a/" + path, b"b/" + path, old, new)


def added(name: str, new: bytes, executable: bool) -> bytes:
    """The diff that makes a file."""
    path = name.encode()
    mode = b"100755" if executable else b"100644"
    head = b"diff --git a/%s b/%s\nnew file mode %s\n" % (path, path, mode)
    return head + _hunks(b"/dev/null", b"b/" + path, b"", new)


def _hunks(old_name: bytes, new_name: bytes, old: bytes, new: bytes) -> bytes:
    first, second = (name + b"\t" * (b" " in name) for name in (old_name, new_name))
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(old), _lines(new), first, second)
    return b"".join(_ended(lines))


def _lines(content: bytes) -> Sequence[bytes]:
    """Lines with their ends; only "\\n" ends one, unlike for `bytes.splitlines()`."""
    lines = content.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + [lines[-1]] * bool(lines[-1])


def _ended(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"
