"""Plotly's figures for a page: one style for all, and JSON that the page's script draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.report import palette


@dataclass(frozen=True)
class Plot:
    """A plot and what is said about it."""

    name: str
    """An HTML id."""
    heading: str
    figure: str
    """JSON that may stand in a script element."""
    height: int
    """Pixels."""
    summary: str
    """What it shows, for those who do not see it."""
    note: str = ""


def library() -> str:
    """plotly.js with its licence notice."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def new(x_title: str, y_title: str, height: int) -> Any:
    """An empty figure without colours of its own: the page has those of its text."""
    from plotly import graph_objects

    figure = graph_objects.Figure()
    figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 12},
        margin={"l": 64 if y_title else 76, "r": 8, "t": 34, "b": 46},
        height=height,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
        showlegend=True,
        hoverlabel={"align": "left"},
        template="none",
    )
    axis = {"gridcolor": palette.GRID, "zeroline": False, "tickformat": ",", "automargin": True}
    figure.update_xaxes(title_text=x_title, **axis)
    figure.update_yaxes(title_text=y_title, **axis)
    return figure


def finish(figure: Any, name: str, heading: str, summary: str, note: str = "") -> Plot:
    """The figure as JSON in which no text can end the script element around it."""
    text = str(figure.to_json()).replace("<", "\\u003c")
    return Plot(name, heading, text, int(figure.layout.height), summary, note)
