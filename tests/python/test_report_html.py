"""The HTML page: what it says, that it is whole, and that hostile text stays text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import results
from harness.bench import BenchResult
from harness.errors import RunFailedError
from harness.report import figures as figures_of_page
from harness.report import html, thinning
from harness.results import Report
from tests.python.test_report import FAILED, FALLBACK, bench_result, measured

JSON = "application/json"
HOSTILE = "</script><script>alert(1)</script>"


class Outline(HTMLParser):
    """Which tags a page opens and closes, and the text outside of scripts and styles."""

    VOID = frozenset({"meta", "link", "img", "br", "input", "hr"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self._data = ""
        self.open: list[str] = []
        self.text: list[str] = []
        self.scripts = 0
        self.sources: list[str] = []
        self.names: set[str] = set()
        self.data: dict[str, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        self.sources += [v for k, v in attrs if k in ("src", "href") and v is not None]
        name = dict(attrs).get("id") or ""
        self.names.add(name)
        self._data = name.removesuffix("-data") if dict(attrs).get("type") == JSON else ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._data and self.open[-1] == "script":
            self.data[self._data] = self.data.get(self._data, "") + data
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


def figures(page: str) -> dict[str, Any]:
    """What the page's script draws, by the name of the plot."""
    return {name: json.loads(figure) for name, figure in Outline(page).data.items()}


def words(page: str) -> str:
    return re.sub(r"\s+", " ", " ".join(Outline(page).text))


def test_a_page_has_verdict_table_plots_tensors_and_environment() -> None:
    io = {"inputs": [], "outputs": [], "tensors": [FALLBACK]}
    page = html.page([bench_result(io=io), FAILED], "A title")
    said = words(page)
    for text in (
        "A title",
        "add: zero-copy is 1.50 times faster than copy",
        "bad: failed: the device is lost",
        "misaligned_pointer",
        "Align it.",
        "Test CPU",
        "Test GPU",
        "a" * 64,
    ):
        assert text in said, text
    assert list(figures(page)) == ["latency-0", "distribution-0", "parts-0"]


def test_a_page_is_whole_and_asks_for_nothing() -> None:
    outline = Outline(html.page([bench_result(), bench_result()]))
    assert outline.open == []
    assert outline.sources  # to the models, on the page itself
    assert set(outline.sources) <= {f"#{name}" for name in outline.names}


def test_the_library_stands_there_once_with_its_licence() -> None:
    page = html.page([bench_result(), bench_result()])
    assert page.count(figures_of_page.library()) == 1
    assert page.count("Licensed under the MIT license") >= 1
    assert figures_of_page.library() not in html.page([FAILED])


def test_hostile_names_and_errors_stay_text() -> None:
    calm = Outline(html.page([bench_result(), bench_result(), FAILED]))
    named = replace(bench_result(), label=HOSTILE)
    failed = BenchResult(Path(f"{HOSTILE}.pte"), error=RunFailedError(HOSTILE, HOSTILE))
    page = html.page([named, named, failed], HOSTILE)
    assert Outline(page).scripts == calm.scripts
    assert words(page).count("alert(1)") == words(page).count(HOSTILE) > 3
    # Plotly takes text for HTML of its own kind.
    (drawn,) = {trace["text"][0] for trace in figures(page)["speed-ups"]["data"]}
    assert drawn.startswith(escape(HOSTILE))


def test_reports_of_one_run_stand_together() -> None:
    together = list(bench_result().reports.values())
    document = measured(1_000_000, "copy", 3).document
    alone = results.validate({**document, "config": {**document["config"], "run_id": "other"}})
    for reports in ([*together, alone], [alone, *reversed(together)]):
        page = html.page(html.grouped(reports))
        assert {"model-0", "model-1"} < Outline(page).names
        assert "model-2" not in Outline(page).names
        assert (
            page.count("zero-copy is 1.50 times faster than copy") == 2
        )  # above, and at the model
        assert words(page).count("nothing to compare with") == 2


def test_a_failed_report_is_shown_with_its_error() -> None:
    document = {**measured(1_000_000, "copy", 0).document, "status": "failed", "error": "lost"}
    assert "failed: lost" in words(html.page(html.grouped([results.validate(document)])))


def test_why_reports_of_one_run_are_not_compared() -> None:
    copy, zero_copy = (report.document for report in bench_result().reports.values())
    other = {**zero_copy, "device": {**zero_copy["device"], "name": "another"}}
    said = words(html.page(html.grouped([Report(copy), Report(other)])))
    assert "not compared: the reports differ in device" in said
    assert "1500" in said  # the numbers are there all the same


def test_the_error_has_its_detail() -> None:
    failed = BenchResult(Path("bad.pte"), error=RunFailedError("lost", "log line 1\nline 2"))
    assert "log line 1 line 2" in words(html.page([failed]))


def test_warnings_have_their_remedy() -> None:
    warning = {"code": "load", "message": "the load was 3", "remedy": "stop other work"}
    said = words(html.page([bench_result(warnings=[warning])]))
    assert "load stop other work 2 times add, copy: the load was 3" in said


def test_an_empty_page_is_no_error() -> None:
    said = words(html.page([]))
    assert "Nothing was measured." in said


def test_the_machine_is_described_once() -> None:
    said = words(html.page([bench_result(), bench_result()]))
    assert said.count("Test CPU") == 1
    assert said.count("driver info 1.0") == 1


def test_what_differs_between_modes_stands_with_the_mode() -> None:
    said = words(html.page([bench_result()]))
    assert said.index("Only zero-copy set-up import 2.000 ms") > said.index("Model and config")
    assert "Only copy set-up import 0.000 ms" in said
    assert said.count("load 0.001 ms") == 1


def test_fifty_models_are_folded() -> None:
    few, many = (html.page([bench_result()] * count) for count in (2, 50))
    assert "<details open>" in few
    assert "<details open>" not in many
    assert "50 models: 50 faster" in words(many)
    assert len(figures(many)["speed-ups"]["data"]) == 50


def test_the_size_does_not_grow_with_the_inferences() -> None:
    small, large = (
        html.page([BenchResult(Path("m.pte"), {"copy": measured_times(count)})])
        for count in (4_000, 40_000)
    )
    assert len(large) < 1.01 * len(small)
    for page in (small, large):
        assert "Thinned to 2,000 points per mode" in words(page)


def measured_times(count: int) -> results.Report:
    document = dict(measured(1_000_000, "copy", 0).document)
    document["iterations"] = [document["iterations"][0]] * count
    return results.Report(document)


@pytest.mark.parametrize("count", [0, 1, 2, 99, 100, 101, 100_000])
def test_thinning_keeps_spikes(count: int) -> None:
    samples = np.random.default_rng(0).normal(10, 1, count)
    if count:
        samples[count // 3], samples[count // 2] = -50, 90
    shown = thinning.kept(samples, 100)
    assert len(shown) <= max(100, 0) or count <= 100
    assert np.all(np.diff(shown) > 0)
    if count:
        assert {count // 2} <= set(shown)
        assert samples[shown].max() == samples.max()
        assert samples[shown].min() == samples.min()
    if count <= 100:
        assert list(shown) == list(range(count))
