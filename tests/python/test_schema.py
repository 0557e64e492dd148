"""The schema of a report, against its own rules and against the C header."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from harness import _ffi, locations, measuring, results
from harness.errors import InvalidRequestError
from tests.python import samples


def header_names(enum: str, prefix: str, *, without: str = "") -> set[str]:
    ffi = _ffi.declarations(locations.find_header())
    return set(_ffi.enumerators(ffi, enum, prefix)) - {without}


def test_the_schema_itself_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(results.schema())


# Fields of a record that the native part does not know.
BY_THE_HARNESS = {"block", "process", "late_ns", "fill_ns", "read_ns", "end_to_end_ns"}


def test_a_record_has_the_fields_of_the_header() -> None:
    names = set(_ffi.record_dtype().names or ())
    record = results.schema()["$defs"]["record"]
    assert set(record["properties"]) == names - {"gpu_ns_valid"} | BY_THE_HARNESS
    assert set(record["required"]) == names - {"gpu_ns_valid"}


def test_a_summary_covers_every_field_but_the_start() -> None:
    without = {"start_ns", *BY_THE_HARNESS} - {"end_to_end_ns"}
    assert set(results.metrics()) == set(results.record_fields()) - without


def test_modes_and_paths_are_those_of_the_header() -> None:
    schema = results.schema()
    modes = schema["properties"]["config"]["properties"]["io_mode"]["enum"]
    assert set(modes) == header_names("vgfio_io_mode", "VGFIO_IO_")
    paths = schema["$defs"]["path"]["properties"]["path"]["enum"]
    assert set(paths) == header_names("vgfio_path", "VGFIO_PATH_")


def test_null_sections_are_a_report_of_a_run_that_never_had_a_device() -> None:
    document = samples.document(
        [], status="failed", error="no device", host=None, device=None, io=None, init=None
    )
    assert results.validate(document).error == "no device"


def remove(*path: str) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return change


def replace(value: Any, *path: str | int) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return change


def remove_last_field(document: Any) -> None:
    del document["iterations"][-1]["imports"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (remove("status"), "status"),
        (remove("device", "emulated"), "emulated"),
        (replace("done", "status"), "status"),
        (replace(1, "surplus"), "surplus"),
        (replace(-1, "iterations", 1, "latency_ns"), "iterations[1].latency_ns"),
        (replace(1.5, "iterations", 0, "imports"), "iterations[0].imports"),
        (replace("fast", "iterations", 0, "gpu_ns"), "iterations[0].gpu_ns"),
        (replace(None, "iterations", 1, "imports"), "iterations[1].imports"),
        (replace(True, "iterations", 1, "imports"), "iterations[1].imports"),
        (replace([], "iterations", 1), "iterations[1]"),
        (remove_last_field, "imports"),
        (replace(1, "iterations", 0, "gpu_ns_valid"), "gpu_ns_valid"),
        (replace("teleported", "io", "tensors", 0, "path"), "tensors[0].path"),
        (replace("dumb", "config", "io_mode"), "config.io_mode"),
        (replace([{"code": "odd"}], "warnings"), "warnings[0]"),
    ],
)
def test_a_document_that_differs_is_refused_with_the_place(
    change: Callable[[Any], None], place: str
) -> None:
    document = copy.deepcopy(samples.document([1000, 1001]))
    change(document)
    with pytest.raises(InvalidRequestError) as raised:
        results.validate(document, "some.json")
    assert raised.value.message.startswith("some.json is no valid report: ")
    assert place in raised.value.message
    assert "\n" not in raised.value.message


@pytest.mark.parametrize("document", [{}, {"schema_version": 2}, [], "text", None, 3])
def test_something_else_is_refused_by_its_version(document: Any) -> None:
    with pytest.raises(InvalidRequestError, match="no benchmark report of version 1"):
        results.validate(document)


def test_percentiles_without_enough_samples_are_null_and_valid() -> None:
    document = samples.document([1000] * 9)
    assert document["summary"]["latency_ns"]["p90"] is None
    assert results.validate(document).status == "complete"
    assert measuring.summary_json([]) is None
