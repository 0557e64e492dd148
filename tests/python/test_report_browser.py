"""The page in a real browser: no error on its console, and every plot drawn."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness import statistics
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


def test_the_plots_are_drawn_without_an_error(tmp_path: Path) -> None:
    document, console = opened(html.page([bench_result(), FAILED, bench_result()]), tmp_path)
    assert console == []
    plots = re.findall(r'<div id="((?:latency|distribution|parts)-\d+)"', document)
    assert sorted(plots) == sorted(
        f"{plot}-{model}" for plot in ("latency", "distribution", "parts") for model in (0, 2)
    )
    # What Plotly draws of the data: two modes in each plot, the parts of both in the bars.
    traces = re.findall(r'class="trace (scatter|bars)\b', document)
    assert traces.count("scatter") == 2 * 2 * 2
    assert traces.count("bars") == 2 * len((*statistics.PARTS, "rest"))


def test_an_error_on_the_console_would_be_seen(tmp_path: Path) -> None:
    page = html.page([]).replace("</body>", "<script>missing.call()</script></body>")
    _, console = opened(page, tmp_path)
    assert len(console) == 1
    assert "missing is not defined" in console[0]
