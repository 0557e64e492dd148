"""Records of a report's file as arrays, for files with millions of them.

Imports no sibling. A record as a dictionary takes some kilobyte, as a row of arrays 160 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, overload

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.float64]
Text = bytes | memoryview
"""UTF-8; a piece of a file is not copied."""

# Text that is decoded at once.
_PIECE = 4 << 20
# Records that are iterated over at once.
_CHUNK = 10_000
# Above it a float64 does not hold every integer.
_EXACT = 1 << 53


class Records(Sequence[Mapping[str, Any]]):
    """A sequence of records like the list that json makes of them, read-only.

    Attributes:
        columns: Shape (records,) each, by field; NaN for null, and for an optional field that
            a record has not.
    """

    def __init__(self, columns: Mapping[str, Column], nullable: frozenset[str]) -> None:
        """Takes over the columns.

        Args:
            columns: By field, all of the same length.
            nullable: Fields in which NaN is null; in others it means that there is none.
        """
        self.columns = columns
        self._nullable = nullable

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Records: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Records:
        if isinstance(index, slice):
            cut = {name: column[index] for name, column in self.columns.items()}
            return Records(cut, self._nullable)
        return self._record([float(column[index]) for column in self.columns.values()])

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for begin in range(0, len(self), _CHUNK):
            cut = (column[begin : begin + _CHUNK].tolist() for column in self.columns.values())
            yield from map(self._record, zip(*cut, strict=True))

    def _record(self, values: Iterable[float]) -> Mapping[str, Any]:
        return {
            name: int(value) if value == value else None  # but for NaN
            for name, value in zip(self.columns, values, strict=True)
            if value == value or name in self._nullable
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def decode(
    members: Mapping[str, Text], fields: Mapping[str, bool], nullable: frozenset[str]
) -> dict[str, Records] | None:
    """Decodes lists of records.

    Args:
        members: The text of each.
        fields: Of a record, and whether each must be there. Values are integers from 0 on.
        nullable: Fields that may be null.
    Returns:
        None if one is anything else, wrong or merely unusual: then json reads it, and says
        what is wrong.
    """
    try:
        return {
            name: Records(_columns(text, fields, nullable), nullable)
            for name, text in members.items()
        }
    except ValueError:
        return None


def members_of(text: Text) -> dict[str, Text]:
    """The text of each member of a JSON object.

    Raises:
        ValueError: It is none.
    """
    import msgspec

    return _views(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))


def members_of_lists(text: Text) -> dict[str, list[dict[str, Text]]]:
    """The same for an object of lists of objects."""
    import msgspec

    found = msgspec.json.decode(text, type=dict[str, list[dict[str, msgspec.Raw]]])
    return {name: [_views(entry) for entry in entries] for name, entries in found.items()}


def members_of_members(text: Text) -> dict[str, dict[str, Text]]:
    """The same for an object of objects."""
    import msgspec

    found = msgspec.json.decode(text, type=dict[str, dict[str, msgspec.Raw]])
    return {name: _views(entry) for name, entry in found.items()}


def _views(members: Mapping[str, Any]) -> dict[str, Text]:
    return {name: memoryview(text) for name, text in members.items()}


@cache
def _record_type(fields: tuple[tuple[str, bool], ...], nullable: frozenset[str]) -> Any:
    import msgspec

    number = Annotated[int, msgspec.Meta(ge=0, lt=_EXACT)]
    described: list[Any] = []
    for name, required in fields:
        kind: Any = number | None if name in nullable else number
        described.append((name, kind) if required else (name, float | kind, float("nan")))
    described.sort(key=len)  # those with a default come last
    return msgspec.defstruct("Record", described, forbid_unknown_fields=True, gc=False)


def _columns(text: Text, fields: Mapping[str, bool], nullable: frozenset[str]) -> dict[str, Column]:
    import msgspec

    # Nearly always all records have the fields of the first one; knowing them is quicker.
    alike = dict.fromkeys(_first_names(text), True)
    required = {name for name, needed in fields.items() if needed}
    if required <= alike.keys() <= fields.keys():
        try:
            found = _decoded(text, alike, nullable)
        except msgspec.ValidationError:
            pass  # another record has others, or a value is wrong
        else:
            missing = np.broadcast_to(np.nan, len(next(iter(found.values()), ())))
            return {name: found.get(name, missing) for name in fields}
    return _decoded(text, fields, nullable)


def _first_names(text: Text) -> Sequence[str]:
    import msgspec

    start = bytes(text[:_PIECE])
    record = start[1 : start.find(b"}") + 1]
    return list(msgspec.json.decode(record, type=dict[str, Any])) if record else []


def _decoded(text: Text, fields: Mapping[str, bool], nullable: frozenset[str]) -> dict[str, Column]:
    import msgspec

    kind = _record_type(tuple(fields.items()), nullable)
    decoder = msgspec.json.Decoder(list[kind])  # type: ignore[valid-type]
    pieces: dict[str, list[Column]] = {name: [] for name in fields}
    for piece in _pieces(text):
        rows = decoder.decode(piece)
        for name, found in pieces.items():
            values = map(attrgetter(name), rows)
            if name in nullable:  # None becomes NaN
                found.append(np.array(list(values), np.float64))
            else:
                found.append(np.fromiter(values, np.float64, len(rows)))
    return {name: np.concatenate(found) for name, found in pieces.items()}


def _pieces(text: Text) -> Iterator[bytes]:
    """Lists that follow on each other and are the whole list, cut behind a record.

    Raises:
        ValueError: It is no list.
    """
    if bytes(text[:1]) != b"[":
        raise ValueError("no list")
    begin = 1
    while True:
        piece = bytes(text[begin : begin + _PIECE])
        last = begin + _PIECE >= len(text)
        end = len(piece) if last else piece.rfind(b"}") + 1
        if end == 0:
            raise ValueError("no end of a record in sight")
        yield b"[" + piece[:end].lstrip(b" \t\r\n,") + (b"" if last else b"]")
        if last:
            return
        begin += end
