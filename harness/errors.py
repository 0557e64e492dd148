"""The one family of errors. Each knows the exit code of a program that ends with it."""

from __future__ import annotations


class HarnessError(Exception):
    """Base of all errors of this package.

    Attributes:
        message: One line that says what went wrong and what to change.
        detail: More lines for whoever wants them, such as a tool's output; may be empty.
        exit_code: 1 the run failed, 2 the request is wrong, 3 the device cannot do it,
            130 interrupted.
    """

    exit_code = 1

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class RunFailedError(HarnessError):
    """The work began and failed."""

    exit_code = 1


class InvalidRequestError(HarnessError):
    """A bad option, file, model or argument: nothing was started."""

    exit_code = 2


class UnsupportedError(HarnessError):
    """The device or driver cannot do it."""

    exit_code = 3


class InterruptedRunError(HarnessError):
    """Stopped by SIGINT, SIGTERM or a stop request."""

    exit_code = 130


_BY_CODE: dict[int, type[HarnessError]] = {
    kind.exit_code: kind
    for kind in (RunFailedError, InvalidRequestError, UnsupportedError, InterruptedRunError)
}


def from_status(code: int, message: str, detail: str = "") -> HarnessError:
    """The error for a status of the native library; an unknown one is a failed run."""
    return _BY_CODE.get(code, RunFailedError)(message, detail)
