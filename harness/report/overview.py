"""All comparisons of a page in one plot: how many times faster, with intervals."""

from __future__ import annotations

import html
from collections.abc import Sequence

from harness.bench import BenchResult
from harness.compare import Comparison
from harness.report import figures, palette, rows
from harness.report.figures import Plot
from harness.statistics import Ratio

# On a logarithmic axis: twice as fast is as far from 1 as half as fast.
_TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8, 10, 15, 20, 30, 50)
_LONGEST = 32  # characters of a model's name


def speed_ups(results: Sequence[BenchResult]) -> Plot | None:
    """A line per compared model; None if there are less than two."""
    found = [
        (rows.model_name(result), result.comparison, result.comparison.ratio)
        for result in results
        if result.comparison is not None and result.comparison.ratio is not None
    ]
    if len(found) < 2:
        return None
    figure = figures.new("times faster (logarithmic)", "", 110 + 24 * len(found))
    figure.add_vline(x=1, line={"color": "rgba(127,127,127,0.9)", "width": 1.5})
    for place, (name, comparison, ratio) in enumerate(found):
        _add(figure, place, name, comparison, ratio)
    figure.update_layout(showlegend=False, margin={"t": 10})
    figure.update_xaxes(type="log", tickvals=_TICKS, ticktext=[f"{tick:g}" for tick in _TICKS])
    figure.update_yaxes(
        tickvals=list(range(len(found))),
        ticktext=[_shortened(name) for name, _, _ in found],
        range=[len(found) - 0.5, -0.5],
    )
    summary = "; ".join(f"{name}: {rows.verdict(comparison)}" for name, comparison, _ in found)
    note = "Bars are 95 % intervals. Open marks: no difference seen, or too little measured."
    return figures.finish(figure, "speed-ups", "How many times faster", summary, note)


def _add(figure: object, place: int, name: str, comparison: Comparison, ratio: Ratio) -> None:
    mode = comparison.new.io_mode
    colour, symbol = palette.MODE_COLOURS[mode], palette.MODE_SYMBOLS[mode]
    interval = ratio.interval
    sure = ratio.differs and ratio.decides
    figure.add_scatter(  # type: ignore[attr-defined]
        x=[interval.estimate],
        y=[place],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [interval.high - interval.estimate],
            "arrayminus": [interval.estimate - interval.low],
            "thickness": 2,
        },
        mode="markers",
        marker={"color": colour, "size": 9, "symbol": symbol if sure else f"{symbol}-open"},
        text=[html.escape(f"{name}: {rows.verdict(comparison)}")],
        hovertemplate="%{text}<extra></extra>",
    )


def _shortened(name: str) -> str:
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return html.escape(short)
