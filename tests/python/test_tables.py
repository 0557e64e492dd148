"""Records of many reports as one table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import harness
from harness import results
from harness.results import Report
from tests.python import samples


def paced() -> Report:
    document = samples.document([2000] * 4, "zero_copy", blocks=2)
    for row in document["iterations"]:
        row.update(late_ns=1, fill_ns=0, read_ns=0, end_to_end_ns=2001)
    return results.validate(document)


def test_a_row_per_inference_of_all_reports() -> None:
    table = harness.records_table([samples.report([1000, 1001, 1002]), paced()])
    assert {len(column) for column in table.values()} == {7}
    assert list(table["model"]) == ["add"] * 7
    assert list(table["io_mode"]) == ["copy"] * 3 + ["zero_copy"] * 4
    assert list(table["inference"]) == [0, 1, 2, 0, 1, 2, 3]
    assert list(table["block"]) == [0, 0, 0, 0, 0, 1, 1]
    assert list(table["latency_ns"]) == [1000, 1001, 1002, *[2000] * 4]
    assert np.all(np.isnan(table["gpu_ns"]))
    np.testing.assert_array_equal(table["end_to_end_ns"], [np.nan] * 3 + [2001] * 4)


def test_fields_that_no_report_has_are_no_columns() -> None:
    assert "end_to_end_ns" not in harness.records_table([samples.report([1000])])
    assert harness.records_table([])["model"].size == 0


def test_the_example_with_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    for number, report in enumerate((samples.report([1000, 1002, 1004]), paced())):
        results.save(report, tmp_path / f"{number}.json")
    reports = [harness.load_report(path) for path in tmp_path.glob("*.json")]
    table = pandas.DataFrame(harness.records_table(reports))
    medians = table.groupby(["model", "io_mode"])["latency_ns"].median()
    assert medians["add", "copy"] == 1002
    assert medians["add", "zero_copy"] == 2000
