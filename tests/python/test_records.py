"""Records read from a file: the same as json reads them, whatever the file looks like."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import records, results
from harness.errors import InvalidRequestError
from harness.records import Records
from harness.results import Report
from tests.python import samples


def document(count: int = 50) -> dict[str, Any]:
    made = dict(samples.document([1000 + i for i in range(count)], "copy", blocks=5))
    made["iterations"][3 % count]["gpu_ns"] = 77
    made["warmup"] = [samples.record(5000)] * 3
    return made


def saved(contents: Any, folder: Path, **style: Any) -> Path:
    file = folder / "report.json"
    file.write_text(json.dumps(contents, **style), encoding="utf-8")
    return file


@pytest.mark.parametrize("style", [{}, {"indent": 1}, {"separators": (",", ":")}, {"indent": "\t"}])
@pytest.mark.parametrize("piece", [500, 1000, 4 << 20])
def test_reading_gives_what_json_gives(
    style: dict[str, Any], piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "_PIECE", piece)
    read = results.read(saved(document(), tmp_path, **style))
    assert isinstance(read["iterations"], Records)
    assert read == document()
    assert json.loads(results.to_json(read)) == document()


def bench(count: int = 50) -> dict[str, Any]:
    """What a bench writes: the second model failed."""
    reports = {"copy": document(count), "zero_copy": document(count)}
    failed: dict[str, Any] = {"model": "b.pte", "error": "lost", "comparison": None, "reports": {}}
    return {"results": [{"model": "a.pte", "error": None, "reports": reports}, failed]}


def test_the_reports_of_a_bench_are_read_into_arrays_too(tmp_path: Path) -> None:
    read = results.read(saved(bench(), tmp_path))
    assert read == bench()
    for report in read["results"][0]["reports"].values():
        assert isinstance(report["iterations"], Records)


def test_memory_is_that_of_the_arrays(tmp_path: Path) -> None:
    file = saved(bench(2000), tmp_path)
    results.read(file)  # what is loaded once is not counted
    tracemalloc.start()
    read = results.read(file)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    inferences = 2 * len(read["results"][0]["reports"]["copy"]["iterations"])
    assert held < 1.2 * inferences * 8 * len(results.record_fields()) + 200_000


@pytest.mark.parametrize(
    "contents",
    [
        {"results": None},
        {"results": [1]},
        {"results": [{"model": "a"}]},
        {"results": [{"reports": [1, 2]}, {"reports": {"copy": 3}}]},
        {"results": [{"reports": {"copy": {"iterations": 3}, "b": None}}]},
    ],
)
def test_odd_results_are_left_to_json(contents: Any, tmp_path: Path) -> None:
    assert results.read(saved(contents, tmp_path)) == contents


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize(
    "place", ['"model": "a.pte"', '"status": "complete"', '"in_copy_bytes": 0']
)
def test_no_number_is_refused_wherever_it_stands(number: str, place: str, tmp_path: Path) -> None:
    file = saved(bench(), tmp_path)
    text = file.read_text()
    assert place in text
    file.write_text(text.replace(place, f"{place.partition(':')[0]}: {number}"))
    with pytest.raises(InvalidRequestError, match=f"{number} is not allowed"):
        results.read(file)


def test_columns_and_blocks_are_those_of_the_list(tmp_path: Path) -> None:
    loaded, made = results.load_report(saved(document(), tmp_path)), Report(document())
    for field in ("latency_ns", "gpu_ns", "start_ns"):
        np.testing.assert_array_equal(loaded.column(field), made.column(field))
    assert list(loaded.blocks()) == list(made.blocks())
    assert loaded.column("latency_ns") is loaded.column("latency_ns")
    assert isinstance(loaded.document["iterations"][5:9], Records)
    assert list(loaded.document["iterations"][5:9]) == document()["iterations"][5:9]
    assert loaded.document["iterations"][-1] == document()["iterations"][-1]


@pytest.mark.parametrize("chunk", [1, 7, 50, 51])
def test_iterating_gives_every_record(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = results.read(saved(document(), tmp_path))["iterations"]
    monkeypatch.setattr(records, "_CHUNK", chunk)
    assert list(read) == document()["iterations"] == [read[i] for i in range(50)]


@pytest.mark.parametrize("with_block", [range(50), range(1, 50), range(49), [0], []])
def test_an_optional_field_may_be_in_some(with_block: Sequence[int], tmp_path: Path) -> None:
    mixed = document()
    for number, row in enumerate(mixed["iterations"]):
        if number not in with_block:
            del row["block"]
    read = results.read(saved(mixed, tmp_path))
    assert isinstance(read["iterations"], Records)
    assert read == mixed


def test_no_records_are_an_empty_list(tmp_path: Path) -> None:
    read = results.read(saved({**document(), "iterations": [], "warmup": []}, tmp_path))
    assert read["iterations"] == [] == read["warmup"]
    assert results.validate(read).blocks().size == 0


@pytest.mark.parametrize(
    "change",
    [
        {"latency_ns": -1},
        {"latency_ns": 0.5},
        {"latency_ns": "} fast {"},
        {"latency_ns": None},
        {"}": 1},
        {"another": 1},
        {"latency_ns": 1 << 60},
        {"latency_ns": True},
        {"block": None},
    ],
)
def test_an_unusual_record_is_left_to_json(change: dict[str, Any], tmp_path: Path) -> None:
    unusual = document()
    unusual["iterations"][7] = {**unusual["iterations"][7], **change}
    read = results.read(saved(unusual, tmp_path))
    assert isinstance(read["iterations"], list)
    assert read == unusual


@pytest.mark.parametrize("where", [[7], [0], range(50)])
def test_a_missing_field_is_named(where: Sequence[int], tmp_path: Path) -> None:
    short = document()
    for number in where:
        del short["iterations"][number]["latency_ns"]
    with pytest.raises(InvalidRequestError, match=r"iterations\[\d+\].*latency_ns"):
        results.load_report(saved(short, tmp_path))


@pytest.mark.parametrize("contents", [[], 3, {"iterations": 3}, {"iterations": {}}, {"a": [1]}])
def test_other_documents_are_read_as_they_are(contents: Any, tmp_path: Path) -> None:
    assert results.read(saved(contents, tmp_path)) == contents


@pytest.mark.parametrize("end", [1, 100, 3000, -1, -3])
def test_a_cut_file_is_refused(end: int, tmp_path: Path) -> None:
    file = saved(document(), tmp_path)
    file.write_bytes(file.read_bytes()[:end])
    with pytest.raises(InvalidRequestError, match="is no JSON"):
        results.load_report(file)
