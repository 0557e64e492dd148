"""One thing that the doctor looked at. Imports no sibling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "missing", "warning", "optional"]


@dataclass(frozen=True)
class Check:
    """What was seen, and what to do.

    Attributes:
        group: What it belongs to.
        name: What it is.
        state: "ok"; "missing": needed and not there; "warning": works, but not well;
            "optional": not there and only needed for more.
        found: Version, place or value; empty if there is nothing.
        remedy: What to do; empty if nothing is to be done.
    """

    group: str
    name: str
    state: State
    found: str
    remedy: str = ""
