"""The plots of one model.

The reports of a plot are of one model, one per mode, and each has measured inferences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness import results
from harness.compare import breakdown
from harness.records import Column
from harness.report import figures, palette, rows
from harness.report.figures import Plot
from harness.report.thinning import kept
from harness.results import Report

_BINS = 12, 80
_SHOWN = 0.99  # of the measured inferences, in a histogram
_MOST_BLOCKS = 100  # more would be a grey plot
_LABELLED = 0.07  # of the longest bar: a shorter piece has no room for its time


def latency(name: str, reports: Sequence[Report], most: int) -> Plot:
    """How long each inference took; those of the warm-up have negative numbers.

    Args:
        name: Of the plot.
        reports: What it shows.
        most: Points per mode.
    """
    figure = figures.new("inference", "latency (us)", 320)
    _add_ground(figure, reports)
    for report in reports:
        for section in ("warmup", "iterations"):
            _add_inferences(figure, report, section, most)
    notes = _latency_notes(reports, most)
    high = _add_range(figure, reports)
    above = [column[column > high] for column in _warmups(reports)]
    if any(column.size for column in above):
        notes.append(
            f"Above the plot: {sum(column.size for column in above)} of the warm-up, up to "
            f"{max(float(column.max()) for column in above if column.size):,.0f} us."
        )
    summary = "Latency of each inference. " + "; ".join(_median_text(report) for report in reports)
    return figures.finish(figure, name, "Latency of each inference", summary, " ".join(notes))


def distribution(name: str, reports: Sequence[Report]) -> Plot:
    """How often each latency came, over all measured inferences; the slowest hundredth, which
    would squeeze the rest, is counted in the note."""
    columns = [report.column(report.timed) / 1e3 for report in reports]
    edges = _bin_edges(columns)
    figure = figures.new("latency (us)", "inferences (%)", 280)
    for report, column in zip(reports, columns, strict=True):
        colour = palette.MODE_COLOURS[report.io_mode]
        counts, _ = np.histogram(column, edges)
        share = np.round(100 * counts / column.size, 3)
        step = edges[1] - edges[0]
        middles = np.concatenate([[edges[0] - step / 2], edges[:-1] + step / 2])
        figure.add_scatter(
            x=np.round(np.append(middles, edges[-1] + step / 2), 3),
            y=np.concatenate([[0], share, [0]]),
            name=rows.mode_name(report.io_mode),
            mode="lines",
            line={"color": colour, "shape": "hvh", "width": 1.5},
            fill="tozeroy",
            fillcolor=palette.faint(colour, 0.25),
            hovertemplate="%{x:,.1f} us: %{y:.1f} %",
        )
        _add_median(figure, report, "x")
    beyond = sum(int(np.count_nonzero(column > edges[-1])) for column in columns)
    total = sum(column.size for column in columns)
    note = f"{beyond:,} of {total:,} inferences are slower than drawn here." if beyond else ""
    summary = "Distribution of the latency. " + "; ".join(_median_text(r) for r in reports)
    return figures.finish(figure, name, "Distribution", summary, note)


def parts(name: str, reports: Sequence[Report]) -> Plot:
    """Where the mean latency goes: one bar per mode, its parts add up to the mean."""
    found = [breakdown(report) for report in reports]
    sums = [sum(times.values()) / 1e3 for times in found]
    names = [rows.mode_name(report.io_mode) for report in reports]
    figure = figures.new("mean latency (us)", "", 150 + 46 * len(names))
    for part, title in rows.PART_NAMES.items():
        if any(times.get(part) for times in found):
            values = [times.get(part, 0.0) / 1e3 for times in found]
            _add_part(figure, part, title, (values, names, max(sums)))
    for number, total in enumerate(sums):
        figure.add_annotation(
            x=total,
            y=number,
            text=f"{_number(total)} us",
            xanchor="left",
            xshift=4,
            showarrow=False,
        )
    figure.update_layout(barmode="stack", bargap=0.35)
    figure.update_xaxes(range=[0, 1.3 * max(sums)])
    figure.update_yaxes(autorange="reversed", showgrid=False)
    summary = "Mean latency by part. " + "; ".join(
        f"{mode}: "
        + ", ".join(f"{rows.PART_NAMES[part]} {rows.microseconds(time)} us" for part, time in of)
        for mode, of in zip(names, (times.items() for times in found), strict=True)
    )
    return figures.finish(
        figure, name, "Where the mean latency goes", summary, "The parts add up to it."
    )


def _latency_notes(reports: Sequence[Report], most: int) -> list[str]:
    notes = ["Dotted lines are medians. Drag to zoom, double-click to see all."]
    if any(len(report.document["warmup"]) for report in reports):
        notes.append("Open marks are the warm-up.")
    if _block_edges(reports[0]).size:
        notes.append("Stripes are every other block.")
    if any(len(report.document["iterations"]) > most for report in reports):
        notes.append(f"Thinned to {most:,} points per mode, every spike among them.")
    return notes


def _add_range(figure: Any, reports: Sequence[Report]) -> float:
    """The one of the measured inferences, whose differences a slow first one of the warm-up
    would hide; returns its upper end."""
    columns = [report.column(report.timed) / 1e3 for report in reports]
    low, high = min(float(c.min()) for c in columns), max(float(c.max()) for c in columns)
    low = min([low, *(float(column.min()) for column in _warmups(reports))])
    margin = 0.06 * (high - low) or 0.1 * high or 1.0
    figure.update_yaxes(range=[max(0.0, low - margin), high + margin])
    return high + margin


def _warmups(reports: Sequence[Report]) -> list[Column]:
    """Microseconds of those that have some."""
    columns = [_times(report, "warmup") / 1e3 for report in reports]
    return [column for column in columns if column.size]


def _times(report: Report, section: str) -> Column:
    """How long each inference took, in nanoseconds; a warm-up may lack what surrounds it."""
    records = report.document[section]
    timed = report.timed if len(records) and report.timed in records[0] else "latency_ns"
    return results.column(records, timed)


def _add_ground(figure: Any, reports: Sequence[Report]) -> None:
    warmup = max(len(report.document["warmup"]) for report in reports)
    if warmup:
        _add_stripe(figure, -warmup - 0.5, -0.5, palette.WARMUP)
        figure.add_annotation(
            x=-warmup - 0.5,
            y=1,
            yref="paper",
            yanchor="top",
            xanchor="left",
            text="warm-up",
            showarrow=False,
        )
    edges = _block_edges(reports[0])
    if 0 < edges.size <= _MOST_BLOCKS:
        borders = [*edges, len(reports[0].document["iterations"])]
        for begin, end in zip(borders[::2], borders[1::2], strict=False):
            _add_stripe(figure, begin - 0.5, end - 0.5, palette.BLOCK)


def _add_stripe(figure: Any, begin: float, end: float, colour: str) -> None:
    figure.add_shape(
        type="rect",
        x0=begin,
        x1=end,
        y0=0,
        y1=1,
        yref="paper",
        fillcolor=colour,
        line_width=0,
        layer="below",
    )


def _block_edges(report: Report) -> npt.NDArray[np.int64]:
    """Numbers of the inferences that begin a block, but for the first one."""
    changed = (np.diff(report.blocks()) != 0) | (np.diff(report.processes()) != 0)
    return np.flatnonzero(changed) + 1


def _add_inferences(figure: Any, report: Report, section: str, most: int) -> None:
    records = report.document[section]
    if not len(records):
        return
    warmup = section == "warmup"
    column = _times(report, section)
    shown = kept(column, most)
    mode = rows.mode_name(report.io_mode)
    symbol = palette.MODE_SYMBOLS[report.io_mode]
    colour = palette.MODE_COLOURS[report.io_mode]
    times = _part_times(records, column, shown)
    figure.add_scatter(
        x=shown - (len(records) if warmup else 0),
        y=np.round(column[shown] / 1e3, 2),
        customdata=np.round(np.column_stack(list(times.values())) / 1e3, 2),
        name=mode if warmup else _median_text(report),
        legendgroup=report.io_mode,
        showlegend=not warmup,
        mode="markers",
        marker={"color": colour, "size": 5, "symbol": f"{symbol}-open" if warmup else symbol},
        hovertemplate=f"<b>{mode}, {'warm-up' if warmup else 'inference'} %{{x}}</b><br>"
        "%{y:,.1f} us, of it" + _hover_lines(times) + "<extra></extra>",
    )
    if not warmup:
        _add_median(figure, report, "y")


def _part_times(
    records: Sequence[Mapping[str, Any]], whole: Column, shown: npt.NDArray[np.int64]
) -> dict[str, Column]:
    """By name the parts of the inferences that are drawn, in nanoseconds; they add up."""
    found = {
        title: results.column(records, part)[shown]
        for part, title in rows.PART_NAMES.items()
        if part in records[0]
    }
    return {**found, "rest": whole[shown] - sum(found.values())}


def _hover_lines(times: Mapping[str, Column]) -> str:
    return "".join(
        f"<br>{title} %{{customdata[{place}]:,.1f}}"
        for place, (title, values) in enumerate(times.items())
        if np.any(values)
    )


def _add_median(figure: Any, report: Report, axis: str) -> None:
    median = float(np.median(report.column(report.timed))) / 1e3
    other = "x" if axis == "y" else "y"
    figure.add_shape(
        type="line",
        line={"color": palette.MODE_COLOURS[report.io_mode], "width": 1.5, "dash": "dot"},
        **{f"{axis}0": median, f"{axis}1": median, f"{other}0": 0, f"{other}1": 1},
        **{f"{other}ref": "paper"},
    )


def _add_part(
    figure: Any, part: str, title: str, bars: tuple[list[float], list[str], float]
) -> None:
    values, names, longest = bars
    figure.add_bar(
        x=np.round(values, 3),
        y=names,
        name=title,
        orientation="h",
        text=[_number(value) if value > _LABELLED * longest else "" for value in values],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        insidetextfont={"color": palette.ON_PART},
        marker={"color": palette.PART_COLOURS[part], "line": {"color": palette.GRID, "width": 1}},
        hovertemplate=f"%{{y}}, {title}: %{{x:,.1f}} us<extra></extra>",
    )


def _bin_edges(columns: Sequence[Column]) -> Column:
    """Equally wide, from the fastest to the slowest inference that is drawn."""
    low = min(float(column.min()) for column in columns)
    high = max(float(np.quantile(column, _SHOWN)) for column in columns)
    high = max(high, low * 1.0001 + 1e-3)
    # Freedman and Diaconis' width of a bin, for the mode that needs the narrowest.
    spreads = [np.subtract(*np.quantile(c, (0.75, 0.25))) / np.cbrt(c.size) for c in columns]
    width = 2 * min((float(spread) for spread in spreads if spread > 0), default=0.0)
    bins = np.clip((high - low) / width, *_BINS) if width else _BINS[1]
    return np.linspace(low, high, int(bins) + 1)


def _median_text(report: Report) -> str:
    median = float(np.median(report.column(report.timed)))
    return f"{rows.mode_name(report.io_mode)}, median {rows.microseconds(median)} us"


def _number(microseconds: float) -> str:
    return rows.microseconds(1e3 * microseconds)
