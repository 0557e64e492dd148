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
    try:
        members = records.members_of(text)
        listed = members.pop("results", None)
        bench = {} if listed is None else {"results": _bench_results(listed, form)}
    except (ValueError, KeyError):
        return _decode(text)
    return {**_report(members, form), **bench}


def _bench_results(text: Text, form: RecordFormat) -> list[dict[str, Any]]:
    entries = records.members_of_entries(text)
    reports = [records.members_of_members(entry.pop("reports")) for entry in entries]
    return [
        {**_decoded(entry), "reports": {mode: _report(of, form) for mode, of in by_mode.items()}}
        for entry, by_mode in zip(entries, reports, strict=True)
    ]


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
