"""Records read from a file: the same as json reads them, whatever the file looks like."""

from __future__ import annotations

import json
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


def test_columns_and_blocks_are_those_of_the_list(tmp_path: Path) -> None:
    loaded, made = results.load_report(saved(document(), tmp_path)), Report(document())
    for field in ("latency_ns", "gpu_ns", "start_ns"):
        np.testing.assert_array_equal(loaded.column(field), made.column(field))
    assert list(loaded.blocks()) == list(made.blocks())
    assert loaded.column("latency_ns") is loaded.column("latency_ns")
    assert isinstance(loaded.document["iterations"][5:9], Records)
    assert list(loaded.document["iterations"][5:9]) == document()["iterations"][5:9]
    assert loaded.document["iterations"][-1] == document()["iterations"][-1]


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


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    short = document()
    del short["iterations"][7]["latency_ns"]
    with pytest.raises(InvalidRequestError, match=r"iterations\[7\].*latency_ns"):
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
