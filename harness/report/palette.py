"""Colours and marks that mean the same everywhere on a page."""

from __future__ import annotations

# After Okabe and Ito, for colour-blind people; the blue is lighter, to be seen on black too.
MODE_COLOURS = {"copy": "#d55e00", "zero_copy": "#1b85c7", "staged": "#009e73", "lend": "#cc79a7"}
# As well as by colour, for a print without colours.
MODE_SYMBOLS = {"copy": "circle", "zero_copy": "diamond", "staged": "square", "lend": "triangle-up"}

# Paul Tol's light scheme, made for fills with black text on them: none is that of a mode.
PART_COLOURS = {
    "late_ns": "#aaaa00",
    "fill_ns": "#44bb99",
    "in_memcpy_ns": "#ee8866",
    "out_memcpy_ns": "#eedd88",
    "import_ns": "#ffaabb",
    "binding_refresh_ns": "#bbcc33",
    "submit_wait_ns": "#77aadd",
    "read_ns": "#99ddff",
    "rest": "#dddddd",
}
ON_PART = "#1b1b1b"

# Seen on white and on black alike.
GRID, WARMUP, BLOCK = "rgba(127,127,127,0.25)", "rgba(127,127,127,0.18)", "rgba(127,127,127,0.07)"


def faint(colour: str, opacity: float) -> str:
    """A colour "#rrggbb" that lets through what is behind it."""
    red, green, blue = (int(colour[begin : begin + 2], 16) for begin in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
