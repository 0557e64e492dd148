"""The inferences as a trace that Perfetto and chrome://tracing open.

The format: Chrome's Trace Event Format, complete events ("ph": "X"), times in microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness import results
from harness.report.rows import PART_NAMES, mode_name, plain
from harness.results import Report

# In the order of the work. Only durations are recorded: where in the inference a part lay is
# not known, so they are laid out one after the other from its begin.
_ORDER = ("import_ns", "binding_refresh_ns", "in_memcpy_ns", "submit_wait_ns", "out_memcpy_ns")
_NOTE = (
    "parts of an inference are laid out in the order of the work; their durations are measured, "
    "their positions are not. Each track has a clock of its own, which begins with its warm-up."
)
_ARGUMENTS = (
    "in_copy_bytes",
    "out_copy_bytes",
    "in_zero_copy_bytes",
    "out_zero_copy_bytes",
    "imports",
    "fallback_count",
    "rejection_count",
)


def document(reports: Sequence[Report]) -> str:
    """A process per model and in it a track per mode."""
    models: dict[str, int] = {}
    events: list[dict[str, Any]] = []
    for track, report in enumerate(reports):
        model = plain(report.model_name)
        process = models.setdefault(model, len(models))
        place = {"pid": process, "tid": track}
        events.append(_name("process_name", model, place))
        events.append(_name("thread_name", mode_name(report.io_mode), place))
        for section in ("warmup", "iterations"):
            for number, record in enumerate(report.document[section]):
                events += _inference(record, number, section, place)
    return results.to_json(
        {"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"note": _NOTE}}
    )


def _name(kind: str, name: str, place: Mapping[str, int]) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "args": {"name": name}, **place}


def _inference(
    record: Mapping[str, Any], number: int, section: str, place: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    kind = "warm-up" if section == "warmup" else "inference"
    begin, end = record["start_ns"], record["start_ns"] + record["latency_ns"]
    arguments = {name: record[name] for name in _ARGUMENTS}
    if "block" in record:
        arguments["block"] = record["block"]
    yield _event(f"{kind} {number}", kind, begin, end, place, arguments)
    for part in _ORDER:
        duration = min(record[part], end - begin)
        if duration:
            yield _event(PART_NAMES[part], "part", begin, begin + duration, place, {})
            begin += duration


def _event(
    name: str,
    category: str,
    begin_ns: int,
    end_ns: int,
    place: Mapping[str, int],
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "ph": "X",
        "name": name,
        "cat": category,
        "ts": begin_ns / 1e3,
        "dur": (end_ns - begin_ns) / 1e3,
        **place,
        "args": dict(arguments),
    }
