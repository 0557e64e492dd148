"""`report`: every format of every kind of file, and what a bench has no report of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import cli
from harness.commands import documents
from harness.report import html
from tests.python.test_report import FAILED, bench_result
from tests.python.test_report_html import Outline, words

FORMATS = ("text", "markdown", "csv", "html", "google-benchmark", "trace")


@pytest.fixture
def bench_file(tmp_path: Path) -> Path:
    file = tmp_path / "result.json"
    file.write_text(documents.several([bench_result(), FAILED]), encoding="utf-8")
    return file


def rendered(*words: str | Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.main(["report", *map(str, words)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_the_model(
    form: str, bench_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "add" in rendered(bench_file, "--format", form, capsys=capsys)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_model_without_a_report_is_not_forgotten(
    form: str, bench_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = rendered(bench_file, "--format", form, capsys=capsys)
    assert "failed: the device is lost" in said


def test_the_page_is_that_of_the_bench(
    bench_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words(rendered(bench_file, "--format", "html", capsys=capsys)) == words(
        html.page([bench_result(), FAILED])
    )


def test_reports_in_files_of_their_own_stand_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for mode, report in bench_result().reports.items():
        files.append(tmp_path / f"{mode}.json")
        files[-1].write_text(json.dumps(report.document), encoding="utf-8")
    page = rendered(*files, "--format", "html", capsys=capsys)
    assert "zero-copy is 1.50 times faster than copy" in words(page)
    assert "model-1" not in Outline(page).names


@pytest.mark.parametrize("contents", ['{"results": 3}', '{"results": [{"reports": {}}]}', "[]"])
def test_another_file_is_refused_in_one_line(
    contents: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.json"
    file.write_text(contents)
    assert cli.main(["report", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "odd.json is no" in line
