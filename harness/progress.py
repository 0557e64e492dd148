"""Progress of long work: a bar on stderr, and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tqdm import tqdm


class Progress(Protocol):
    """Told how far the work is."""

    def __call__(self, label: str, done: int, total: int) -> None:
        """Takes what is being done, the steps done and the steps in all."""


def silent(label: str, done: int, total: int) -> None:
    """The Progress that shows nothing."""


@contextmanager
def bar() -> Iterator[Progress]:
    """A Progress that draws a bar while the block runs, or stays silent without a terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    drawn = _Bar()
    try:
        yield drawn
    finally:
        drawn.close()


class _Bar:
    """Draws one tqdm bar; a new one whenever the total changes."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def __call__(self, label: str, done: int, total: int) -> None:
        if self._bar is None or self._bar.total != total:
            self.close()
            self._bar = self._open(total)
        self._bar.set_description_str(label, refresh=False)
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    @staticmethod
    def _open(total: int) -> tqdm[Any]:
        from tqdm import tqdm

        # The caller decides when to draw: the measured loop is never interrupted for it.
        return tqdm(total=total, leave=False, file=sys.stderr, miniters=1, dynamic_ncols=True)
