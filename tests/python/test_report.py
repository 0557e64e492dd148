"""Renderings: what a reader must find in them."""

from __future__ import annotations

import csv as csv_module
import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import measuring, results
from harness.bench import BenchResult
from harness.compare import compare
from harness.errors import RunFailedError
from harness.report import csv, markdown, rows, text
from harness.results import Report
from tests.python import samples

EMULATED = {**samples.GPU, "name": "llvmpipe", "type": "cpu", "emulated": True}
FALLBACK = samples.path(
    "input", "copy", reason="misaligned_pointer", detail="0x10 of 4096", remedy="Align it."
)


def measured(center: int, mode: str, seed: int, **changes: Any) -> Report:
    noise = np.random.default_rng(seed).normal(center, center / 200, 200)
    document = samples.document([int(value) for value in noise], mode, blocks=10, **changes)
    moved = "copy" if mode == "copy" else "zero_copy"
    for row in document["iterations"]:
        row[f"in_{moved}_bytes"] = row[f"out_{moved}_bytes"] = 1 << 20
        row["in_memcpy_ns"] = row["out_memcpy_ns"] = center // 8 if mode == "copy" else 0
    document["summary"] = measuring.summary_json(document["iterations"])
    profiled = [samples.record(center, gpu_ns=center // 2)] * 20
    document["profile"] = {"iterations": profiled, "summary": measuring.summary_json(profiled)}
    return results.validate(document)


def bench_result(**changes: Any) -> BenchResult:
    copy = measured(1_500_000, "copy", 0, **changes)
    imports = {**samples.INIT, "import_ns": 2_000_000}
    zero_copy = measured(1_000_000, "zero_copy", 1, init=imports, **changes)
    reports = {"copy": copy, "zero_copy": zero_copy}
    return BenchResult(Path("add.pte"), reports, compare(copy, zero_copy))


FAILED = BenchResult(Path("bad.pte"), error=RunFailedError("the device is lost"))


def line_with(table: str, *words: str) -> str:
    found = [line for line in table.splitlines() if all(word in line for word in words)]
    assert found, f"no line with {words} in:\n{table}"
    return found[0]


def test_the_bench_table_has_a_row_per_model_and_mode() -> None:
    table = text.bench_table([bench_result(), FAILED])
    copy = line_with(table, "add", "copy", "2.0 MiB")
    zero_copy = line_with(table, "add", "zero-copy", "2.0 MiB")
    assert copy.split()[:3] == ["add", "copy", "1500"]
    assert zero_copy.split()[:3] == ["add", "zero-copy", "1000"]
    assert copy.split()[-1] == "1"
    assert zero_copy.split()[-1] == "1.50"
    assert "750" in copy  # device time
    assert "375" in copy  # memcpy
    assert line_with(table, "bad ", "failed", "-")
    assert line_with(table, "bad: failed: the device is lost")
    assert line_with(table, "add: zero-copy is 1.50 times faster than copy")
    assert table.startswith("Test GPU (1.0)\n")


def test_the_bench_table_says_where_the_time_goes() -> None:
    table = text.bench_table([bench_result()])
    _, parts = table.split("mean (us) of")
    copy = line_with(parts, "add", "copy").split()
    assert copy[2:4] == ["188", "188"]
    *cells, total = (float(cell) for cell in copy[2:])
    assert total == pytest.approx(sum(cells), abs=3)


def test_nothing_is_said_of_emulation_on_a_gpu() -> None:
    table = text.bench_table([bench_result()])
    assert "emulat" not in table
    assert "CPU" not in table


@pytest.mark.parametrize(
    ("device", "mark"), [(EMULATED, "emulated"), ({**samples.GPU, "type": "cpu"}, "CPU")]
)
def test_times_that_are_none_of_a_gpu_are_marked(device: dict[str, Any], mark: str) -> None:
    result = bench_result(device=device)
    assert result.comparison is not None
    for table in (text.bench_table([result]), markdown.bench_table([result])):
        assert f"1.50 ({mark})" in table
        assert f"times faster than copy ({mark})" in table
        assert "no verdict on hardware" in table
    assert f"({mark})" in text.comparison(result.comparison).splitlines()[0]
    assert "no verdict on hardware" in text.comparison(result.comparison)
    assert "no verdict on hardware" in markdown.comparison(result.comparison)


def test_a_fallback_is_in_the_row_with_its_reason() -> None:
    report = samples.report(
        [1000] * 40,
        "zero_copy",
        io={
            "inputs": [],
            "outputs": [],
            "tensors": [FALLBACK, samples.path("output", "zero_copy")],
        },
        warnings=[{"code": "fallback", "message": "input 0 was copied", "remedy": "Align it."}],
    )
    table = text.bench_table([BenchResult(Path("add.pte"), {"zero_copy": report})])
    assert line_with(table, "zero-copy (1 of 2 copied: misaligned_pointer)")
    assert line_with(table, "warning (add, zero-copy): input 0 was copied; Align it.")


def test_one_kind_of_warning_is_one_line() -> None:
    def warned(mode: str, load: int) -> Report:
        warnings = [
            {"code": "high_load", "message": f"the load was {load}", "remedy": "stop it"},
            {"code": "slow_first_run", "message": "slow", "remedy": "none"},
        ]
        return samples.report([1000] * 40, mode, warnings=warnings)

    reports = {mode: warned(mode, load) for load, mode in enumerate(("copy", "zero_copy"))}
    table = text.bench_table([BenchResult(Path("add.pte"), reports)])
    lines = [line for line in table.splitlines() if line.startswith("warning")]
    assert lines == ["warning (add, copy and 1 more): the load was 0; stop it"]


def test_an_interrupted_run_without_numbers_is_a_row() -> None:
    report = samples.report([], "copy", status="interrupted")
    table = text.bench_table([BenchResult(Path("add.pte"), {"copy": report}, interrupted=True)])
    assert line_with(table, "add", "copy", "interrupted")
    assert "mean (us) of" not in table


def test_only_failures_make_a_table_too() -> None:
    assert line_with(text.bench_table([FAILED]), "bad", "the device is lost")
    assert line_with(markdown.bench_table([FAILED]), "bad", "the device is lost")


def test_a_comparison_in_text() -> None:
    comparison = bench_result().comparison
    assert comparison is not None
    shown = text.comparison(comparison)
    assert shown.startswith("zero-copy is 1.50 times faster than copy\nratio 1.5")
    assert "10 pairs of blocks" in shown
    assert line_with(shown, "memcpy in", "188", "0.00")
    assert line_with(shown, "sum", "1500", "1000")
    assert "Imports cost 2000 us once, paid back after 4 inferences." in shown


def test_two_runs_of_one_mode_are_baseline_and_new() -> None:
    found = compare(samples.report([1000, 1001] * 50), samples.report([1000, 1001] * 50))
    shown = text.comparison(found)
    assert line_with(shown, "part of the mean", "baseline", "new")
    assert "two separate runs" in shown
    assert "No imports to pay for." in shown


def test_what_was_allowed_to_differ_is_said() -> None:
    other = {**samples.MODEL, "method": "encode"}
    found = compare(
        samples.report([10**5] * 50), samples.report([10**5] * 50, model=other), ["method"]
    )
    assert "The reports differ in: method." in text.comparison(found)
    assert "The reports differ in: method." in markdown.comparison(found)


def test_a_comparison_in_markdown() -> None:
    comparison = bench_result().comparison
    assert comparison is not None
    shown = markdown.comparison(comparison)
    assert shown.startswith("**add: zero-copy is 1.50 times faster than copy**\n")
    header = line_with(shown, "part of the mean latency (us)")
    assert [cell.strip() for cell in header.strip("|").split("|")][1:] == ["copy", "zero-copy"]


def test_a_single_report_shows_tensors_and_statistics() -> None:
    report = samples.report(
        [1000 + index for index in range(100)],
        "zero_copy",
        io={
            "inputs": [],
            "outputs": [],
            "tensors": [FALLBACK, samples.path("output", "zero_copy")],
        },
    )
    for shown in (text.report(report), markdown.report(report)):
        assert "add, zero-copy, complete; on Test GPU (1.0)" in shown
        assert line_with(shown, "input 0", "copy", "misaligned_pointer 0x10 of 4096", "Align it.")
        tensor = line_with(shown, "output 0", "zero-copy", "1.0 KiB")
        assert "caller's, type 0 (host-visible, coherent, cached)" in tensor
        assert line_with(shown, "latency", "1.05", "1.00", "1.10")


def test_a_failed_report_is_shown_with_its_error() -> None:
    report = samples.report(
        [], status="failed", error="no device", device=None, io=None, init=None, host=None
    )
    assert text.report(report) == "add, copy, failed: no device\n"


def test_odd_names_break_no_table() -> None:
    name = os.fsdecode(b"/m/a\nb|\xff\x1b[2J.pte")
    result = BenchResult(Path(name), error=RunFailedError("it\nfailed"))
    for table in (text.bench_table([result]), markdown.bench_table([result])):
        table.encode("utf-8")
        assert "a?b" in table
        assert "it?failed" in table
        assert "\x1b" not in table
    assert r"a?b\|" in markdown.bench_table([result])


def test_csv_has_a_line_per_inference() -> None:
    result = bench_result()
    unblocked = samples.report([5000])
    parsed = list(
        csv_module.DictReader(io.StringIO(csv.records([*result.reports.values(), unblocked])))
    )
    assert len(parsed) == 401
    assert set(parsed[0]) == {"model", "io_mode", "inference", *results.record_fields()}
    first, last = parsed[0], parsed[-1]
    assert (first["model"], first["io_mode"], first["inference"]) == ("add", "copy", "0")
    assert int(first["latency_ns"]) == result.reports["copy"].column("latency_ns")[0]
    assert first["gpu_ns"] == ""
    assert (last["latency_ns"], last["block"]) == ("5000", "")


def test_csv_of_nothing_is_a_header() -> None:
    assert csv.records([]).count("\n") == 1


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [(None, "-"), (float("nan"), "-"), (0, "0.00"), (1234, "1.23"), (12_345, "12.3"),
     (123_456, "123"), (12_345_678, "12346")],
)  # fmt: skip
def test_microseconds(nanoseconds: float | None, shown: str) -> None:
    assert rows.microseconds(nanoseconds) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (33_177_600, "31.6 MiB"),
        (5 << 30, "5.0 GiB"),
    ],
)
def test_byte_sizes(count: int, shown: str) -> None:
    assert rows.byte_size(count) == shown
