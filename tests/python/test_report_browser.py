"""The page in a real browser: no error on its console, and every plot drawn."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from harness.bench import BenchResult
from harness.errors import RunFailedError
from harness.report import html
from tests.python.test_report import FAILED, bench_result

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless",
    "--no-sandbox",  # it refuses to run as root with one
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=10000",
    "--window-size=1200,10000",  # plots are drawn when they come into view
)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def opened(page: str, folder: Path) -> tuple[str, list[str]]:
    """The document after its scripts ran, and what they wrote to the console."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={folder}/profile", "--dump-dom"]
    done = subprocess.run(
        [*command, file.as_uri()], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout, re.findall(r".*CONSOLE.*", done.stderr)


def drawn(document: str) -> list[str]:
    """Names of the plots that hold what Plotly makes of them."""
    return re.findall(
        r'<div class="plot[^"]*" id="([\w-]+)"[^>]*><div class="plot-container', document
    )


def test_the_plots_are_drawn_without_an_error(tmp_path: Path) -> None:
    document, console = opened(html.page([bench_result(), FAILED, bench_result()]), tmp_path)
    assert console == []
    of_models = [f"{plot}-{n}" for n in (0, 2) for plot in ("latency", "distribution", "parts")]
    assert drawn(document) == ["speed-ups", *of_models]
    # What Plotly draws of the data: two modes in each plot, the parts of both in the bars.
    traces = re.findall(r'class="trace (scatter|bars)\b', document)
    assert traces.count("scatter") == 2 + 2 * 2 * 2
    assert traces.count("bars") == 2 * len(("memcpy in", "memcpy out", "submit and wait", "rest"))


def test_what_is_folded_is_drawn_when_it_is_opened(tmp_path: Path) -> None:
    page = html.page([bench_result()] * 7)
    document, console = opened(page, tmp_path)
    assert (console, drawn(document)) == ([], ["speed-ups"])
    opening = "<script>document.querySelector('#model-3 details').open = true</script></body>"
    document, console = opened(page.replace("</body>", opening), tmp_path)
    assert (console, drawn(document)) == (
        [],
        ["speed-ups", "latency-3", "distribution-3", "parts-3"],
    )


def test_hostile_text_runs_nothing(tmp_path: Path) -> None:
    hostile = "</script><script>missing.call()</script><img src=x onerror=missing.call()>"
    failed = BenchResult(Path("bad.pte"), error=RunFailedError(hostile))
    named = replace(bench_result(), label=hostile)
    document, console = opened(html.page([named, named, failed], hostile), tmp_path)
    assert console == []
    assert "speed-ups" in drawn(document)


def test_an_error_on_the_console_would_be_seen(tmp_path: Path) -> None:
    page = html.page([]).replace("</body>", "<script>missing.call()</script></body>")
    _, console = opened(page, tmp_path)
    assert len(console) == 1
    assert "missing is not defined" in console[0]
