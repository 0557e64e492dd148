"""The plots of a page, by Plotly; each function returns one as a piece of HTML.

A page has plotly.js once, and every plot after it. The reports of a plot are of one model, one
per mode, and each has measured inferences; its name is an HTML id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness import results, statistics
from harness.compare import breakdown
from harness.report import rows
from harness.report.thinning import kept
from harness.results import Report

# Of Okabe and Ito's palette, which colour-blind people can tell apart; a mode has the same
# colour in every plot.
COLOURS = {"copy": "#d55e00", "zero_copy": "#0072b2", "staged": "#009e73", "lend": "#cc79a7"}
PART_COLOURS = {
    "in_memcpy_ns": "#d55e00",
    "out_memcpy_ns": "#e69f00",
    "import_ns": "#cc79a7",
    "binding_refresh_ns": "#f0e442",
    "submit_wait_ns": "#0072b2",
    "rest": "#999999",
}
_TEXT, _LINES = "#7f7f7f", "rgba(127,127,127,0.25)"  # legible on white and on black
_BINS = 80
_SHOWN = 0.99  # of the measured inferences, in a histogram
_HOVER = (
    "inference %{x}: %{y:.1f} us<br>memcpy in %{customdata[0]:.1f}, out %{customdata[1]:.1f}<br>"
    "imports %{customdata[2]:.1f}, rebinding %{customdata[3]:.1f}<br>"
    "submit and wait %{customdata[4]:.1f}"
)


def library() -> str:
    """plotly.js with its licence notice."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def latency(name: str, reports: Sequence[Report], most: int) -> str:
    """Latency per inference; those of the warm-up have negative numbers and a grey ground.

    Args:
        name: Of the plot.
        reports: What it shows.
        most: Points per mode.
    """
    figure = _figure("inference", "latency (us)")
    warmup = max(len(report.document["warmup"]) for report in reports)
    if warmup:
        figure.add_vrect(
            x0=-warmup - 0.5, x1=-0.5, fillcolor=_LINES, line_width=0, annotation_text="warm-up"
        )
    for report in reports:
        _add_latency(figure, report, most)
    return _html(figure, name)


def distribution(name: str, reports: Sequence[Report]) -> str:
    """How often each latency came, over all measured inferences; the slowest hundredth, which
    would squeeze the rest, is counted in the axis title."""
    columns = [(report.io_mode, report.column("latency_ns") / 1e3) for report in reports]
    low = min(float(column.min()) for _, column in columns)
    high = max(float(np.quantile(column, _SHOWN)) for _, column in columns)
    edges = np.linspace(low, max(high, low * 1.0001 + 1e-3), _BINS + 1)
    beyond = sum(int(np.count_nonzero(column > edges[-1])) for _, column in columns)
    more = f"; {beyond} slower ones are not drawn" if beyond else ""
    figure = _figure(f"latency (us){more}", "share of inferences (%)")
    for mode, column in columns:
        counts, _ = np.histogram(column, edges)
        figure.add_scatter(
            x=np.round((edges[:-1] + edges[1:]) / 2, 3),
            y=np.round(100 * counts / column.size, 3),
            name=rows.mode_name(mode),
            mode="lines",
            line={"color": COLOURS[mode], "shape": "hvh", "width": 1.5},
            fill="tozeroy",
            hovertemplate="%{x:.1f} us: %{y:.1f} %",
        )
    return _html(figure, name)


def parts(name: str, reports: Sequence[Report]) -> str:
    """Where the mean latency goes: one bar per mode, its parts add up to the mean."""
    found = [breakdown(report) for report in reports]
    figure = _figure("mean latency (us)", "")
    names = [rows.mode_name(report.io_mode) for report in reports]
    for part in (*statistics.PARTS, "rest"):
        figure.add_bar(
            x=[round(times[part] / 1e3, 3) for times in found],
            y=names,
            name=rows.PART_NAMES[part],
            orientation="h",
            marker={"color": PART_COLOURS[part]},
            hovertemplate="%{y}: %{x:.1f} us",
        )
    figure.update_layout(barmode="stack", height=110 + 45 * len(names))
    figure.update_yaxes(autorange="reversed")
    return _html(figure, name)


def _add_latency(figure: Any, report: Report, most: int) -> None:
    for section, symbol, show in (("iterations", "circle", True), ("warmup", "circle-open", False)):
        records = report.document[section]
        column = results.column(records, "latency_ns")
        shown = kept(column, most)
        times = [results.column(records, part)[shown] for part in statistics.PARTS]
        first = -len(records) if section == "warmup" else 0
        figure.add_scatter(
            x=shown + first,
            y=np.round(column[shown] / 1e3, 2),
            customdata=np.round(np.column_stack(times) / 1e3, 2),
            name=rows.mode_name(report.io_mode),
            legendgroup=report.io_mode,
            showlegend=show,
            mode="markers",
            marker={"color": COLOURS[report.io_mode], "size": 4, "symbol": symbol},
            hovertemplate=_HOVER,
        )


def _figure(x_title: str, y_title: str) -> Any:
    from plotly import graph_objects

    figure = graph_objects.Figure()
    figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": _TEXT, "family": "system-ui, sans-serif", "size": 12},
        margin={"l": 60, "r": 10, "t": 10, "b": 45},
        height=300,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
        showlegend=True,
        template="none",
    )
    figure.update_xaxes(title_text=x_title, gridcolor=_LINES, zeroline=False, tickformat=",")
    figure.update_yaxes(title_text=y_title, gridcolor=_LINES, zeroline=False, tickformat=",")
    return figure


def _html(figure: Any, name: str) -> str:
    return str(
        figure.to_html(
            full_html=False,
            include_plotlyjs=False,
            div_id=name,
            config={"displayModeBar": False, "responsive": True},
        )
    )
