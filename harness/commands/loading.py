"""What a file holds for `report`: reports, and the models of a bench that have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import errors, results
from harness.errors import HarnessError, InvalidRequestError

if TYPE_CHECKING:
    from harness.results import Report


@dataclass(frozen=True)
class Unmeasured:
    """A model that a bench has no report of."""

    model: Path
    error: HarnessError


@dataclass(frozen=True)
class Contents:
    """Of a file."""

    reports: Sequence[Report]
    unmeasured: Sequence[Unmeasured]


def load(path: Path) -> Contents:
    """Reads one report, or the results of a bench.

    Raises:
        InvalidRequestError: It is neither.
    """
    document = results.read(path)
    if not isinstance(document, dict) or "results" not in document:
        return Contents([results.validate(document, str(path))], ())
    try:
        found = document["results"]
        reports = [report for result in found for report in result["reports"].values()]
        unmeasured = [_unmeasured(result) for result in found if not result["reports"]]
    except (TypeError, KeyError, AttributeError) as error:
        raise InvalidRequestError(f"{path} is no result of a bench: {error!r}") from error
    return Contents([results.validate(report, str(path)) for report in reports], unmeasured)


def _unmeasured(result: Mapping[str, Any]) -> Unmeasured:
    message = result.get("error") or "interrupted before anything was measured"
    return Unmeasured(
        Path(str(result["model"])), errors.from_status(result.get("exit_code", 1), str(message))
    )
