"""Reports as JSON, and lists of them as a bench writes, with their records as arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness import records
from harness.records import Text


@dataclass(frozen=True)
class RecordFormat:
    """What the schema says of records."""

    sections: Sequence[str]
    """Members of a report that are lists of records."""
    fields: Mapping[str, bool]
    """Of a record, and whether each must be there."""
    nullable: frozenset[str]
    """Fields that may be null."""


def parse(text: bytes, form: RecordFormat) -> Any:
    """A strict JSON document; where it holds reports, their records are `Records`.

    Raises:
        ValueError: It is no JSON, or has NaN or infinities.
        RecursionError: It is nested too deeply.
    """
    for read in (_bench, _report_document):  # the first gives up at once on a report
        try:
            return read(text, form)
        except (ValueError, KeyError):
            pass
    return _decode(text)


def _bench(text: Text, form: RecordFormat) -> dict[str, Any]:
    found = records.members_of_lists(text)
    entries = found.pop("results")
    if found:
        raise ValueError("more than results")
    reports = [records.members_of_members(entry.pop("reports")) for entry in entries]
    return {
        "results": [
            {**_decoded(entry), "reports": {mode: _report(of, form) for mode, of in modes.items()}}
            for entry, modes in zip(entries, reports, strict=True)
        ]
    }


def _report_document(text: Text, form: RecordFormat) -> dict[str, Any]:
    return _report(records.members_of(text), form)


def _report(members: Mapping[str, Text], form: RecordFormat) -> dict[str, Any]:
    sections = {name: members[name] for name in form.sections if name in members}
    found = records.decode(sections, form.fields, form.nullable)
    if found is None:
        return _decoded(members)
    others = {name: text for name, text in members.items() if name not in found}
    return {**_decoded(others), **found}


def _decoded(members: Mapping[str, Text]) -> dict[str, Any]:
    return {name: _decode(text) for name, text in members.items()}


def _decode(text: Text) -> Any:
    return json.loads(str(text, "utf-8"), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not allowed")
