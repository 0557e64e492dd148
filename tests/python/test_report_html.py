"""The HTML page: what it says, that it is whole, and that hostile text stays text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from harness import results
from harness.bench import BenchResult
from harness.errors import RunFailedError
from harness.report import html, thinning
from tests.python.test_report import FAILED, FALLBACK, bench_result, measured

HOSTILE = "</script><script>alert(1)</script>"


class Outline(HTMLParser):
    """Which tags a page opens and closes, and the text outside of scripts and styles."""

    VOID = frozenset({"meta", "link", "img", "br", "input", "hr"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.scripts = 0
        self.sources: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        self.sources += [v for k, v in attrs if k in ("src", "href") and v is not None]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


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
    assert page.count('class="plotly-graph-div"') == 3


def test_a_page_is_whole_and_asks_for_nothing() -> None:
    outline = Outline(html.page([bench_result()]))
    assert outline.open == []
    assert outline.sources == []


def test_hostile_names_and_errors_stay_text() -> None:
    calm = Outline(html.page([bench_result(), FAILED]))
    named = replace(bench_result(), label=HOSTILE)
    failed = BenchResult(Path(f"{HOSTILE}.pte"), error=RunFailedError(HOSTILE))
    page = html.page([named, failed], HOSTILE)
    assert Outline(page).scripts == calm.scripts
    assert words(page).count("alert(1)") == words(page).count(HOSTILE) > 3


def test_reports_of_one_run_stand_together() -> None:
    together = list(bench_result().reports.values())
    document = measured(1_000_000, "copy", 3).document
    alone = results.validate({**document, "config": {**document["config"], "run_id": "other"}})
    page = html.page_of_reports([*together, alone])
    assert len(re.findall(r'<section id="model-', page)) == 2
    assert page.count("times faster than copy") == 2  # above, and at the model


def test_a_failed_report_is_shown_with_its_error() -> None:
    document = {**measured(1_000_000, "copy", 0).document, "status": "failed", "error": "lost"}
    assert "failed: lost" in words(html.page_of_reports([results.validate(document)]))


def test_an_empty_page_is_no_error() -> None:
    said = words(html.page([]))
    assert "Nothing was compared." in said


def test_the_size_does_not_grow_with_the_inferences() -> None:
    small, large = (
        html.page([BenchResult(Path("m.pte"), {"copy": measured_times(count)})])
        for count in (4_000, 40_000)
    )
    assert len(large) < 1.1 * len(small)


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
