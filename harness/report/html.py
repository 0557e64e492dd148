"""One self-contained page: verdicts, table, plots, tensors, environment. Needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.bench import BenchResult
from harness.compare import compare
from harness.errors import InvalidRequestError
from harness.report import plots, rows, text
from harness.results import Report

if TYPE_CHECKING:
    from jinja2 import Template

TITLE = "Copy against zero-copy"

# Points of all the plots of a page together, and of one mode at most and at least.
_POINTS, _MOST, _LEAST = 40_000, 2_000, 200
# With more models than that, what belongs to one is folded.
_UNFOLDED = 6


@dataclass(frozen=True)
class _Section:
    """What the page says of one model."""

    name: str
    verdict: str
    error: str
    ratio: str = ""
    plots: Sequence[tuple[str, str]] = ()
    """Heading and HTML of each."""
    tensors: Sequence[tuple[str, Sequence[rows.Row]]] = ()
    """By mode."""
    environment: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[Mapping[str, str]] = ()


def page(results: Sequence[BenchResult], title: str = TITLE) -> str:
    """The results of a bench or of a suite as one HTML document.

    Each plot has at most some two thousand points per mode; the numbers are those of all
    inferences.
    """
    series = sum(len(result.reports) for result in results)
    most = max(_LEAST, min(_MOST, _POINTS // max(1, series)))
    sections = [_section(number, result, most) for number, result in enumerate(results)]
    return _template().render(
        title=title,
        device=text.device_line(results),
        verdicts=list(text.verdict_lines(results)),
        notes=list(text.notes(results)),
        headers=rows.BENCH_HEADERS,
        table=rows.bench_rows(results),
        sections=sections,
        folded=len(sections) > _UNFOLDED,
        most=most,
        tensor_headers=rows.TENSOR_HEADERS,
        library=plots.library() if series else "",
    )


def page_of_reports(reports: Sequence[Report], title: str = TITLE) -> str:
    """Reports from files; those of one interleaved run stand together and are compared."""
    groups: dict[tuple[Any, str], list[Report]] = {}
    for number, report in enumerate(reports):
        run_id = report.document["config"].get("run_id") or number
        groups.setdefault((run_id, report.model_name), []).append(report)
    return page([_result(group) for group in groups.values()], title)


def _result(group: Sequence[Report]) -> BenchResult:
    comparison = None
    if len(group) > 1:
        try:
            comparison = compare(group[0], group[1])
        except InvalidRequestError:  # one of them failed, or has nothing measured
            comparison = None
    first = group[0]
    error = next((report.error for report in group if report.error), None)
    return BenchResult(
        Path(first.document["model"]["path"] or first.model_name),
        {f"{number}": report for number, report in enumerate(group)},
        comparison,
        InvalidRequestError(error) if error else None,
    )


def _section(number: int, result: BenchResult, most: int) -> _Section:
    reports = list(result.reports.values())
    comparison = result.comparison
    return _Section(
        name=rows.model_name(result),
        verdict=rows.verdict(comparison) if comparison else "",
        error=rows.plain(result.error.message) if result.error else "",
        ratio=text.ratio_line(comparison) if comparison else "",
        plots=_plots(number, [r for r in reports if r.document["iterations"]], most),
        tensors=[(rows.mode_name(r.io_mode), rows.tensor_rows(r)) for r in reports if r.tensors],
        environment=_environment(reports[0]) if reports else {},
        warnings=_warnings(reports),
    )


def _plots(number: int, measured: Sequence[Report], most: int) -> list[tuple[str, str]]:
    if not measured:
        return []
    return [
        ("Latency of each inference", plots.latency(f"latency-{number}", measured, most)),
        ("Distribution", plots.distribution(f"distribution-{number}", measured)),
        ("Where the mean latency goes", plots.parts(f"parts-{number}", measured)),
    ]


def _environment(report: Report) -> dict[str, dict[str, str]]:
    """Section, name, value; lists are joined."""
    document = report.document
    sections = {
        "device": document["device"],
        "host": document["host"],
        "model": document["model"],
        "configuration": {k: v for k, v in document["config"].items() if "io_mode" not in k},
        "tool": document["tool"],
        "set-up": document["init"],
    }
    found: dict[str, dict[str, str]] = {
        name: {key: _value(value) for key, value in (section or {}).items()}
        for name, section in sections.items()
    }
    io = document["io"] or {}
    for tensor in (*io.get("inputs", ()), *io.get("outputs", ())):
        shape = "x".join(map(str, tensor["shape"]))
        digest = f", sha256 {tensor['sha256']}" if tensor.get("sha256") else ""
        source = f", {tensor['source']}" if tensor.get("source") else ""
        described = f"{tensor['dtype']} {shape}, {rows.byte_size(tensor['bytes'])}{source}{digest}"
        found.setdefault("inputs and outputs", {})[tensor["name"]] = described
    return {name: section for name, section in found.items() if section}


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(entry)}" for key, entry in value.items())
    return rows.plain("-" if value is None else str(value))


def _warnings(reports: Sequence[Report]) -> list[dict[str, str]]:
    return [
        {**warning, "mode": rows.mode_name(report.io_mode)}
        for report in reports
        for warning in report.document["warnings"]
    ]


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")
