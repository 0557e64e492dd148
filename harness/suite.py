"""Runs the cases of a suite into one folder of reports with an index; goes on where it stopped.

DIR/index.json          state of every case, written after each
DIR/index.md, .html     the table, and the page with plots if its packages are installed
DIR/<case>/<mode>.json  the reports
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from harness import __version__, bench, interrupts, results
from harness.bench import BenchResult
from harness.errors import InvalidRequestError
from harness.progress import Progress, silent
from harness.suite_file import Case

INDEX_VERSION = 1
COMPLETE, FAILED, INTERRUPTED, WAITING = "complete", "failed", "interrupted", "waiting"


@dataclass(frozen=True)
class Suite:
    """What to run and where it goes."""

    name: str
    cases: Sequence[Case]
    folder: Path


def run(suite: Suite, *, restart: bool = False, progress: Progress = silent) -> list[BenchResult]:
    """Runs every case that the folder does not have yet; a failed one is a result with its
    error, and the others run.

    Args:
        suite: The cases.
        restart: Run all of them, whatever the folder has.
        progress: Told before each case.
    Returns:
        A result per case, in order; after an interruption, of those that were begun.
    Raises:
        InvalidRequestError: The folder has cases of these names with other settings.
        RunFailedError: The folder cannot be written.
    """
    entries = {} if restart else _earlier(suite)
    found: list[BenchResult] = []
    index = {case.name: entries.get(case.name, _entry(case, WAITING)) for case in suite.cases}
    _write_index(suite, index)
    with interrupts.guard():
        for number, case in enumerate(suite.cases):
            progress(case.name, number, len(suite.cases))
            if interrupts.stop_requested():
                break
            result = _loaded(suite, index[case.name])
            if result is None:
                result = _run(case)
                index[case.name] = _save(suite, case, result)
                _write_index(suite, index)
            found.append(replace(result, label=case.name))
            if result.interrupted:
                break
    _write_pages(suite, found)
    return found


def _run(case: Case) -> BenchResult:
    finished = bench.run(case.config)
    return finished[0] if finished else BenchResult(case.model, interrupted=True)


def _earlier(suite: Suite) -> dict[str, dict[str, Any]]:
    """The entries that still hold: same settings, same model, same version of this package."""
    file = suite.folder / "index.json"
    if not file.exists():
        return {}
    document = results.read(file)
    if not isinstance(document, dict) or document.get("version") != INDEX_VERSION:
        raise InvalidRequestError(f"{file} is no index of a suite; name another folder")
    entries = {entry["name"]: entry for entry in document["cases"]}
    for case in suite.cases:
        entry = entries.get(case.name)
        if entry is not None and entry["settings"] != dict(case.settings):
            raise InvalidRequestError(
                f"{suite.folder} has a case {case.name!r} with other settings; name another "
                "folder, or say --restart to measure all anew"
            )
    valid = {}
    for case in suite.cases:
        entry = entries.get(case.name)
        now = _entry(case, COMPLETE)
        if entry and all(entry[key] == now[key] for key in ("state", "model_sha256", "tool")):
            valid[case.name] = entry
    return valid


def _loaded(suite: Suite, entry: dict[str, Any]) -> BenchResult | None:
    """The result of a case that is complete; None if it is to be run."""
    if entry["state"] != COMPLETE:
        return None
    try:
        files = entry["reports"].items()
        reports = {mode: results.load_report(suite.folder / file) for mode, file in files}
    except InvalidRequestError:
        return None  # somebody removed or cut it
    return BenchResult(Path(entry["model"]), reports, bench.first_two_compared(reports))


def _save(suite: Suite, case: Case, result: BenchResult) -> dict[str, Any]:
    folder = suite.folder / case.name
    files = {}
    for mode, report in result.reports.items():
        folder.mkdir(parents=True, exist_ok=True)
        results.save(report, folder / f"{mode}.json")
        files[mode] = f"{case.name}/{mode}.json"
    state = INTERRUPTED if result.interrupted else FAILED if result.error else COMPLETE
    entry = _entry(case, state)
    entry["reports"] = files
    if result.error is not None:
        entry["error"], entry["exit_code"] = result.error.message, result.error.exit_code
    if result.comparison is not None:
        entry["verdict"] = result.comparison.verdict
    return entry


def _entry(case: Case, state: str) -> dict[str, Any]:
    return {
        "name": case.name,
        "model": str(case.model),
        "model_sha256": _digest(case.model),
        "settings": dict(case.settings),
        "tool": __version__,
        "state": state,
        "error": None,
        "exit_code": 0,
        "verdict": None,
        "reports": {},
    }


def _digest(model: Path) -> str | None:
    try:
        return hashlib.sha256(model.read_bytes()).hexdigest()
    except OSError:
        return None  # the bench says what is wrong with it


def _write_index(suite: Suite, index: dict[str, dict[str, Any]]) -> None:
    document = {"version": INDEX_VERSION, "suite": suite.name, "cases": list(index.values())}
    results.write_text(suite.folder / "index.json", json.dumps(document, indent=1) + "\n")


def _write_pages(suite: Suite, found: Sequence[BenchResult]) -> None:
    from harness.report import html, markdown

    results.write_text(suite.folder / "index.md", markdown.bench_table(found))
    # A machine that only measures may lack what the page is made with.
    if all(find_spec(package) is not None for package in html.PACKAGES):
        results.write_text(suite.folder / "index.html", html.page(found, suite.name))
