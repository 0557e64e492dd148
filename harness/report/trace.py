"""The inferences as a trace that Perfetto and chrome://tracing open.

The format: Chrome's Trace Event Format, complete events ("ph": "X"), times in microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from harness.report.rows import COUNTERS, PART_NAMES, mode_name, plain
from harness.results import Report

# In the order of the work. Only durations are recorded, so they are laid out one after the
# other from the begin of the inference; reading the outputs ends it.
_ORDER = (
    "fill_ns",
    "import_ns",
    "binding_refresh_ns",
    "in_memcpy_ns",
    "submit_wait_ns",
    "out_memcpy_ns",
    "read_ns",
)
_NOTE = (
    "Parts of an inference are laid out in the order of the work; their durations are measured, "
    "their positions are not. Each track has a clock of its own: that of a mode begins with its "
    "warm-up, that of a profile with the pass."
)
_LAID_OUT = {"position": "laid out in order, not measured"}
_ARGUMENTS = (*COUNTERS, "rejection_count")
# Only some records have them.
_OPTIONAL_ARGUMENTS = ("block", "late_ns", "gpu_ns")

Place = Mapping[str, int]
"""The process (a model) and the thread (a track) of an event."""
Event = dict[str, Any]
Record = Mapping[str, Any]


def document(reports: Sequence[Report]) -> str:
    """A process per model; in it a track per mode and one for its pass with device timestamps,
    each once per process that measured."""
    head = {"displayTimeUnit": "ms", "otherData": {"note": _NOTE}}
    # Event by event: as text they take a tenth of the memory.
    events = ",\n".join(json.dumps(event, allow_nan=False) for event in _events(reports))
    return f'{json.dumps(head)[:-1]}, "traceEvents": [\n{events}\n]}}\n'


def _events(reports: Sequence[Report]) -> Iterator[Event]:
    models: dict[str, int] = {}
    track = count()
    for report in reports:
        model = plain(report.model_name)
        if model not in models:
            models[model] = len(models)
            yield _name("process_name", model, {"pid": models[model], "tid": 0})
        mode = mode_name(report.io_mode)
        profile = report.document["profile"] or {"iterations": ()}
        measured = {
            "warm-up": report.document["warmup"],
            "inference": report.document["iterations"],
        }
        profiled = {"profiled inference": profile["iterations"]}
        for title, sections in ((mode, measured), (f"{mode}, device profile", profiled)):
            yield from _tracks(title, sections, models[model], track)


def _tracks(
    title: str, sections: Mapping[str, Sequence[Record]], model: int, track: Iterator[int]
) -> Iterator[Event]:
    places: dict[int, Place] = {}
    for kind, records in sections.items():
        for number, record in enumerate(records):
            process = record.get("process", 0)
            if process not in places:
                places[process] = {"pid": model, "tid": next(track)}
                of = f", process {process}" if process else ""
                yield _name("thread_name", title + of, places[process])
            yield from _inference(record, f"{kind} {number}", kind, places[process])


def _name(kind: str, name: str, place: Place) -> Event:
    return {"ph": "M", "name": kind, "args": {"name": name}, **place}


def _inference(record: Record, name: str, kind: str, place: Place) -> Iterator[Event]:
    begin = record["start_ns"]
    duration = record["latency_ns"] + record.get("fill_ns", 0) + record.get("read_ns", 0)
    end = begin + duration
    arguments = {field: record[field] for field in _ARGUMENTS}
    for field in _OPTIONAL_ARGUMENTS:
        if record.get(field) is not None:
            arguments[field] = record[field]
    yield _event(name, kind, begin, end, place, arguments)
    for part in _ORDER:
        duration = min(record.get(part, 0), end - begin)
        if not duration:
            continue
        if part == "read_ns":
            begin = end - duration
        yield _event(PART_NAMES[part], "part", begin, begin + duration, place, _LAID_OUT)
        if part == "submit_wait_ns" and record["gpu_ns"]:
            device_end = begin + min(record["gpu_ns"], duration)
            yield _event("device", "part", begin, device_end, place, _LAID_OUT)
        begin += duration


def _event(
    name: str, category: str, begin_ns: int, end_ns: int, place: Place, arguments: Record
) -> Event:
    return {
        "ph": "X",
        "name": name,
        "cat": category,
        "ts": begin_ns / 1e3,
        "dur": (end_ns - begin_ns) / 1e3,
        **place,
        "args": dict(arguments),
    }
