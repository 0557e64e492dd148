"""What a patch command found and did, for people and programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.errors import InvalidRequestError
from harness.patching.series import Series
from harness.patching.tree import NOT_NEEDED, Survey


@dataclass(frozen=True)
class EditReport:
    """One edit: its file and anchor, its state, why it is there, why it is refused."""

    file: str
    anchor: str
    state: str
    why: str
    reason: str


@dataclass(frozen=True)
class SeriesReport:
    """One series.

    Attributes:
        name: Its name.
        summary: One line.
        state: "applicable", "partly_applied", "applied", "not_needed" or "refused".
        changed: Whether this call changed anything of it.
        lines: How many it adds to files that exist.
        edited_files: How many files get these lines.
        new_files: How many it makes.
        refusals: Why it is refused, one line each.
        edits: All of them.
    """

    name: str
    summary: str
    state: str
    changed: bool
    lines: int
    edited_files: int
    new_files: int
    refusals: tuple[str, ...]
    edits: tuple[EditReport, ...]


@dataclass(frozen=True)
class Report:
    """What was found, or done.

    Attributes:
        action: "check", "apply", "revert" or "diff".
        folder: The tree, links resolved.
        version: What the tree says of itself.
        series: Those that were asked for, requirements first, as they are now.
        changed_files: Paths in the tree that were written or removed.
    """

    action: str
    folder: str
    version: str
    series: tuple[SeriesReport, ...]
    changed_files: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """Whether a series is."""
        return any(one.refusals for one in self.series)

    def as_json(self) -> dict[str, Any]:
        """In types that JSON has."""
        return asdict(self)


class RefusedError(InvalidRequestError):
    """Something does not fit the tree, which is untouched.

    Attributes:
        report: What was found.
        refusals: One line each.
    """

    def __init__(self, report: Report, refusals: Sequence[str]) -> None:
        if len(refusals) == 1:
            super().__init__(f"{refusals[0]}; nothing was changed")
        else:
            super().__init__(
                f"{len(refusals)} things do not fit {report.folder}; nothing was changed",
                "\n".join(refusals),
            )
        self.report = report
        self.refusals = tuple(refusals)


def describe(
    action: str,
    survey: Survey,
    chosen: Sequence[Series],
    before: Survey | None = None,
    changed_files: Sequence[str] = (),
) -> Report:
    """The report on some series.

    Args:
        action: What was asked for.
        survey: The tree as it is now.
        chosen: The series.
        before: The tree before it was changed; None where it was not.
        changed_files: Paths in the tree.
    """
    return Report(
        action,
        str(survey.folder),
        survey.version,
        tuple(_series(survey, one, before) for one in chosen),
        tuple(sorted(changed_files)),
    )


def _series(survey: Survey, one: Series, before: Survey | None) -> SeriesReport:
    needed = [edit for edit in one.edits if survey.edits[edit].kind != NOT_NEEDED]
    return SeriesReport(
        name=one.name,
        summary=one.summary,
        state=survey.kind(one),
        changed=before is not None and before.states(one) != survey.states(one),
        lines=sum(edit.text.count("\n") for edit in needed),
        edited_files=len({edit.file for edit in needed}),
        new_files=len(one.copies),
        refusals=tuple(survey.reasons(one)),
        edits=tuple(
            EditReport(
                edit.file,
                edit.anchors[0],
                survey.edits[edit].kind,
                edit.why,
                survey.edits[edit].reason,
            )
            for edit in one.edits
        ),
    )
