"""One source file as bytes: where edits belong, which stand in it, what it is without them.

Every anchor is looked up in the file without any of our lines. So the result does not depend on
the order in which series were applied, and taking an edit away never moves another.
"""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from harness.errors import InvalidRequestError
from harness.patching.series import BEFORE, Edit

# A shorter line, such as "#endif", says nothing about whose it is.
_TELLING = 8
# Lines around a changed edit that are looked through for the rest of it.
_MARGIN = 2


@dataclass(frozen=True)
class Source:
    """What a file is without our edits.

    Attributes:
        own: The bytes without byte-order mark; a missing last line end is added.
        line_end: What ends most lines.
        mark: The byte-order mark; mostly empty.
        open_end: The last line of the file has no line end.
    """

    own: bytes
    line_end: bytes
    mark: bytes
    open_end: bool

    def encode(self, text: str) -> bytes:
        """A text of a series as this file writes it."""
        return text.encode().replace(b"\n", self.line_end)

    def has(self, text: str) -> bool:
        """Whether the text stands in the file, our edits left out."""
        return self.encode(text) in self.own

    def position(self, edit: Edit) -> int:
        """Where the lines of an edit belong in `own`: the start of a line.

        Raises:
            InvalidRequestError: The anchor is missing or not the only one; names file and anchor.
        """
        begin = 0
        if edit.after_text:
            prefix = self.encode(edit.after_text)
            begin = self.own.find(prefix)
            if begin < 0:
                raise InvalidRequestError(_not_once(edit.file, [edit.after_text], 0))
            begin += len(prefix)
        for text in edit.anchors:
            anchor = self.encode(text)
            count = self.own.count(anchor, begin)
            if count > 1:
                raise InvalidRequestError(_not_once(edit.file, [text], count))
            if count == 1:
                return self._line(self.own.find(anchor, begin), len(anchor), edit.place)
        raise InvalidRequestError(_not_once(edit.file, edit.anchors, 0))

    def _line(self, found: int, length: int, place: str) -> int:
        if place == BEFORE:
            return self.own.rfind(b"\n", 0, found) + 1
        return self.own.find(b"\n", found + length - 1) + 1

    def holding(self, edits: Iterable[Edit]) -> bytes:
        """The whole file with these edits in it, those of one place in the given order.

        Raises:
            InvalidRequestError: An anchor does not fit.
        """
        placed = sorted(
            ((self.position(edit), order, edit) for order, edit in enumerate(edits)),
            key=lambda item: item[:2],
        )
        parts, done = [self.mark], 0
        for position, _, edit in placed:
            parts += [self.own[done:position], self.encode(edit.text)]
            done = position
        whole = b"".join([*parts, self.own[done:]])
        return whole.removesuffix(self.line_end) if self.open_end else whole


def take_apart(content: bytes, edits: Collection[Edit]) -> tuple[Source, frozenset[Edit]]:
    """Separates a file from those of the edits that stand exactly where they belong.

    Args:
        content: The whole file.
        edits: All that any series knows for this file.
    Returns:
        The file without them, and those that were found.
    """
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    own = content[len(mark) :]
    pairs = own.count(b"\r\n")
    line_end = b"\r\n" if pairs > own.count(b"\n") - pairs else b"\n"
    open_end = not own.endswith(b"\n")
    source = Source(own + line_end if open_end else own, line_end, mark, open_end)
    # The longest first: a short one may be the beginning of another.
    missing = sorted(edits, key=lambda edit: -len(edit.text))
    present: set[Edit] = set()
    while without := _without_one(source, missing):
        source, edit = without
        missing.remove(edit)
        present.add(edit)
    return source, frozenset(present)


def _without_one(source: Source, edits: Sequence[Edit]) -> tuple[Source, Edit] | None:
    """The source without the first edit that is found; None where none is."""
    for edit in edits:
        text = source.encode(edit.text)
        others = [source.encode(other.text) for other in edits if other is not edit]
        for found in _line_starts(source.own, text):
            own = source.own[:found] + source.own[found + len(text) :]
            without = Source(own, source.line_end, source.mark, source.open_end)
            try:
                position = without.position(edit)
            except InvalidRequestError:
                continue
            # Lines of others may stand between an edit and its anchor.
            low, high = sorted((found, position))
            if _made_of(own[low:high], others):
                return without, edit
    return None


def _line_starts(own: bytes, text: bytes) -> Iterator[int]:
    found = own.find(text)
    while found >= 0:
        if found == 0 or own[found - 1 : found] == b"\n":
            yield found
        found = own.find(text, found + 1)


def _made_of(between: bytes, texts: Sequence[bytes]) -> bool:
    if not between:
        return True
    return any(between.startswith(text) and _made_of(between[len(text) :], texts) for text in texts)


def left_over(source: Source, edit: Edit, edits: Iterable[Edit]) -> str:
    """Why an edit that does not stand in the file as it should must not be inserted or forgotten.

    Args:
        source: From `take_apart()`.
        edit: One that was not found.
        edits: All that were not found, this one included.
    Returns:
        One line that names the file; empty where nothing is left of the edit.
    """
    lines = edit.text.splitlines()
    if any(map(_telling, lines)) and any(_line_starts(source.own, source.encode(edit.text))):
        return f"{edit.file}: has our lines already, but not at {_quoted(edit.anchors)}"
    own = [line.decode(errors="surrogateescape").strip() for line in source.own.split(b"\n")]
    # What stands there more often than in our edits is not a sign of one.
    known = Counter(line.strip() for other in edits for line in other.text.splitlines())
    ours = {line.strip() for line in lines if _telling(line)}
    for line in _window(source, edit, own):
        if line in ours and own.count(line) <= known[line]:
            return (
                f"{edit.file}: our lines at {_quoted(edit.anchors)} were changed "
                f"(there still is {_quoted([line])}); remove or restore them"
            )
    return ""


def _window(source: Source, edit: Edit, lines: Sequence[str]) -> Sequence[str]:
    """The lines where an edit would stand if somebody had changed it."""
    try:
        position = source.position(edit)
    except InvalidRequestError:
        return ()
    begin = source.own.count(b"\n", 0, position)
    size = edit.text.count("\n") + _MARGIN
    return lines[max(0, begin - size) : begin] if edit.place == BEFORE else lines[begin:][:size]


def _telling(line: str) -> bool:
    return len(line.strip()) >= _TELLING


def _quoted(anchors: Sequence[str]) -> str:
    return " or ".join(json.dumps(anchor, ensure_ascii=False) for anchor in anchors)


def _not_once(file: str, anchors: Sequence[str], count: int) -> str:
    why = "ambiguous" if count else "moved or gone"
    return f"{file}: {_quoted(anchors)} found {count} times ({why})"
