"""SIGINT and SIGTERM as requests to stop after the current inference.

A native run is one long call, and Python's own handlers wait for its end. Here the
signal reaches a thread through the wakeup descriptor, and the thread asks the library to
stop. The run then returns what it has measured.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_EXIT_CODE = 130

# Functions that make a library stop, and those that let it run again.
_requests: dict[Callable[[], object], Callable[[], object]] = {}
_active: _Listener | None = None


def register(request: Callable[[], object], clear: Callable[[], object]) -> None:
    """Adds a library: `request` makes its runs return, `clear` undoes it."""
    if request not in _requests:
        _requests[request] = clear
        if stop_requested():
            request()


def stop_requested() -> bool:
    """Whether a signal arrived inside the `guard()` that is active."""
    return _active is not None and _active.stopped


@contextmanager
def guard() -> Iterator[None]:
    """While the block runs, the first SIGINT or SIGTERM makes the current run and every
    later one return as interrupted; a second one ends the process.

    Nests: the outermost decides, and lets the libraries run again at its end. Does nothing
    outside the main thread, where Python delivers no signals.
    """
    global _active
    if _active is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    _active = _Listener()
    try:
        with _active.listening():
            yield
    finally:
        _active = None
        for clear in _requests.values():
            clear()


class _Listener:
    """The pipe, the thread that reads it, and the handlers that were there before."""

    def __init__(self) -> None:
        self.stopped = False
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._thread = threading.Thread(target=self._serve, name="stop-signals", daemon=True)

    @contextmanager
    def listening(self) -> Iterator[None]:
        handlers = {number: signal.signal(number, _ignore) for number in _SIGNALS}
        descriptor = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._thread.start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(descriptor)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            os.close(self._write)  # ends the thread
            self._thread.join()
            os.close(self._read)

    def _serve(self) -> None:
        while data := os.read(self._read, 16):
            for number in data:
                if number in _SIGNALS:
                    self._stop()

    def _stop(self) -> None:
        if self.stopped:
            # The first request was not followed: a hung driver cannot be left in order.
            os._exit(_EXIT_CODE)
        self.stopped = True
        for request in list(_requests):
            request()


def _ignore(number: int, frame: FrameType | None) -> None:
    """The thread does the work; without a Python handler the signal would end the process."""
