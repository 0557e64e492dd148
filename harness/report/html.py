"""One self-contained page: verdicts, table, plots, tensors, environment. Needs no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.bench import MODES, BenchResult
from harness.compare import Comparison, compare
from harness.errors import InvalidRequestError
from harness.report import environment, figures, overview, palette, plots, rows, text
from harness.report.environment import Environment
from harness.report.figures import Plot
from harness.results import Report

if TYPE_CHECKING:
    from jinja2 import Template

TITLE = "Copy against zero-copy"
PACKAGES = ("jinja2", "plotly")
"""What making a page needs besides what measuring needs."""

# Points of all the plots of a page together, and of one mode at most and at least.
_POINTS, _MOST, _LEAST = 40_000, 2_000, 200
# With more models than that, what belongs to one is folded.
_UNFOLDED = 6


@dataclass(frozen=True)
class _Mode:
    """What the page says of one model in one mode."""

    mode: str
    tensors: Sequence[rows.Row]
    """Cells, without the columns that are empty for the whole model."""
    environment: Environment
    """What its model's other modes do not share."""


@dataclass(frozen=True)
class _Section:
    """What the page says of one model."""

    anchor: str
    """HTML id."""
    name: str
    kind: str
    """One of "faster", "slower", "same", "failed" and "alone"."""
    verdict: str
    remarks: Sequence[str]
    error: str
    detail: str
    """Of the error; may have many lines."""
    table: Sequence[tuple[str, rows.Row]]
    """Mode and cells, but for the model's name."""
    tensor_headers: rows.Row
    modes: Sequence[_Mode]
    plots: Sequence[Plot]
    environment: Environment
    """What its modes share, but for what all models do."""


@dataclass(frozen=True)
class _Warning:
    """The same warning, wherever it came up."""

    code: str
    remedy: str
    messages: Sequence[tuple[str, str]]
    """Model and mode, and what was seen there."""


def page(results: Sequence[BenchResult], title: str = TITLE) -> str:
    """The results of a bench or of a suite as one HTML document.

    Each plot has at most some two thousand points per mode; the numbers are those of all
    inferences.
    """
    reports = [report for result in results for report in result.reports.values()]
    machine = environment.only(
        environment.shared([environment.describe(report) for report in reports]),
        environment.MACHINE,
    )
    most = max(_LEAST, min(_MOST, _POINTS // max(1, len(reports))))
    sections = [_section(number, result, most, machine) for number, result in enumerate(results)]
    return _template().render(
        title=title,
        device=text.device_line(results),
        mark=next((mark for mark in map(rows.device_mark, reports) if mark), ""),
        sections=sections,
        counts=_counts(sections),
        overview=overview.speed_ups(results),
        notes=list(text.notes(results)),
        headers=rows.BENCH_HEADERS,
        folded=len(sections) > _UNFOLDED,
        machine=machine,
        warnings=list(_warnings(results)),
        colours=palette.MODE_COLOURS,
        library=figures.library() if any(section.plots for section in sections) else "",
    )


def grouped(reports: Sequence[Report]) -> list[BenchResult]:
    """Reports from files as results of a bench: one for each interleaved run of a model."""
    groups: dict[tuple[Any, str], list[Report]] = {}
    for number, report in enumerate(reports):
        run_id = report.document["config"].get("run_id") or number
        groups.setdefault((run_id, report.model_name), []).append(report)
    return [_result(group) for group in groups.values()]


def _result(group: Sequence[Report]) -> BenchResult:
    group = sorted(group, key=lambda report: MODES.index(report.io_mode))
    failed = next((report.error for report in group if report.error), None)
    return BenchResult(
        Path(group[0].document["model"]["path"] or group[0].model_name),
        {f"{number}": report for number, report in enumerate(group)},
        _compared(group)[0],
        InvalidRequestError(failed) if failed else None,
    )


def _compared(reports: Sequence[Report]) -> tuple[Comparison | None, str]:
    """The first two reports side by side, or why not."""
    if len(reports) < 2:
        return None, "nothing to compare with"
    try:
        return compare(reports[0], reports[1]), ""
    except InvalidRequestError as error:
        return None, f"not compared: {error.message}"


def _section(number: int, result: BenchResult, most: int, machine: Environment) -> _Section:
    reports = list(result.reports.values())
    described = [environment.describe(report) for report in reports]
    common = environment.shared(described)
    kind, verdict = _verdict(result)
    error = result.error
    cells = [rows.tensor_rows(report) for report in reports]
    filled = [
        column
        for column in range(len(rows.TENSOR_HEADERS))
        if any(row[column] for of in cells for row in of)
    ]
    return _Section(
        anchor=f"model-{number}",
        name=rows.model_name(result),
        kind=kind,
        verdict=verdict,
        remarks=list(_remarks(result)),
        error=rows.plain(error.message) if error else "",
        detail=(error.detail or "") if error else "",
        table=_table(result),
        tensor_headers=tuple(rows.TENSOR_HEADERS[column] for column in filled),
        modes=[
            _Mode(
                report.io_mode,
                [tuple(row[column] for column in filled) for row in of],
                environment.without(whole, common),
            )
            for report, of, whole in zip(reports, cells, described, strict=True)
        ],
        plots=_plots(number, [r for r in reports if r.document["iterations"]], most),
        environment=environment.without(common, machine),
    )


def _verdict(result: BenchResult) -> tuple[str, str]:
    comparison = result.comparison
    if result.error is not None:
        return "failed", f"failed: {rows.plain(result.error.message)}"
    if comparison is None:
        return "alone", rows.plain(_compared(list(result.reports.values()))[1])
    ratio = comparison.ratio
    kind = "same"
    if ratio is not None and ratio.differs and ratio.decides:
        kind = "faster" if ratio.interval.estimate > 1 else "slower"
    return kind, rows.verdict(comparison)


def _counts(sections: Sequence[_Section]) -> str:
    """How the models fared, in one line; empty for a single one."""
    words = {
        "faster": "faster",
        "slower": "slower",
        "same": "without a difference seen",
        "alone": "not compared",
        "failed": "failed",
    }
    found = Counter(section.kind for section in sections)
    fared = ", ".join(f"{found[kind]} {word}" for kind, word in words.items() if found[kind])
    return f"{len(sections)} models: {fared}" if len(sections) > 1 else ""


def _remarks(result: BenchResult) -> Iterator[str]:
    if result.comparison is not None:
        yield text.ratio_line(result.comparison)
        yield text.break_even_line(result.comparison)
    for report in result.reports.values():
        if report.status == "interrupted":
            yield f"The report of {rows.mode_name(report.io_mode)} is interrupted."


def _table(result: BenchResult) -> list[tuple[str, rows.Row]]:
    cells = rows.bench_rows([result])
    modes = [report.io_mode for report in result.reports.values()] if not result.error else [""]
    return [(mode, row[1:]) for mode, row in zip(modes, cells, strict=True)]


def _plots(number: int, measured: Sequence[Report], most: int) -> list[Plot]:
    if not measured:
        return []
    return [
        plots.latency(f"latency-{number}", measured, most),
        plots.distribution(f"distribution-{number}", measured),
        plots.parts(f"parts-{number}", measured),
    ]


def _warnings(results: Sequence[BenchResult]) -> Iterator[_Warning]:
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for result in results:
        for report in result.reports.values():
            place = f"{rows.model_name(result)}, {rows.mode_name(report.io_mode)}"
            for warning in report.document["warnings"]:
                key = warning["code"], warning["remedy"]
                found.setdefault(key, []).append((place, warning["message"]))
    for (code, remedy), messages in found.items():
        yield _Warning(code, remedy, messages)


@cache
def _template() -> Template:
    from jinja2 import Environment as Templates
    from jinja2 import PackageLoader, StrictUndefined

    templates = Templates(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["mode_name"] = rows.mode_name
    return templates.get_template("page.html.j2")
