"""Says what a junit file of ExecuTorch's VGF tests means: counts, and each failure with its class.

    python scripts/upstream/summary.py JUNIT_XML [--json FILE] [--label TEXT]

A failure is of the class `runner` (the executor_runner ended with an error), `numeric` (its
output differs from the reference), `export` (anything before that), `crash` (the test process
died) or `unexpected-pass` (a test that upstream expects to fail). Exit code 0: no failure.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

CLASSES = ("runner", "numeric", "export", "crash", "unexpected-pass")
_ADDRESSES = re.compile(r"0x[0-9a-f]+|/tmp/\S+|\d+(\.\d+)?(e[+-]?\d+)?")


@dataclass(frozen=True)
class Outcome:
    """One test: passed, failed, skipped or xfailed (upstream expects it to fail)."""

    test: str
    outcome: str
    kind: str = ""
    """The class of a failure; empty for others."""
    cause: str = ""
    """One line on a failure, a skip or an expected failure."""


def read(path: Path) -> list[Outcome]:
    """The outcomes in a junit file."""
    cases = ElementTree.parse(path).getroot().iter("testcase")
    return [_outcome(case) for case in cases]


def _outcome(case: ElementTree.Element) -> Outcome:
    test = f"{case.get('classname', '').split('.test.')[-1]}::{case.get('name', '')}"
    skipped = case.find("skipped")
    if skipped is not None:
        outcome = "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"
        return Outcome(test, outcome, cause=_first_line(skipped.get("message", "")))
    for element in (case.find("failure"), case.find("error")):
        if element is not None:
            message = element.get("message", "")
            text = f"{message}\n{element.text or ''}"
            return Outcome(test, "failed", classify(text), _cause(text, message))
    return Outcome(test, "passed")


def classify(text: str) -> str:
    """The class of a failure, from its message and trace."""
    if "[XPASS(strict)]" in text:
        return "unexpected-pass"
    if "worker" in text and "crashed" in text:
        return "crash"
    if "Failed running command" in text and "executor_runner" in text:
        return "runner"
    if "does not match" in text or "Mean error" in text or "Tensor-likes are not close" in text:
        return "numeric"
    if "get_output_from_file" in text:
        return "runner"
    return "export"


def _cause(text: str, message: str) -> str:
    if "Failed running command" not in text:
        return _first_line(message)
    # The trace quotes the source line that makes this message; the message itself is last.
    after = text.rpartition("Stderr:")[2].partition("Stdout:")[0]
    lines = [line.removeprefix("E ").strip() for line in after.splitlines()]
    lines = [line for line in lines if line and line != "E"]
    return lines[-1][:300] if lines else "executor_runner ended without a message"


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:300]


def text(outcomes: Sequence[Outcome], label: str) -> str:
    """The summary for people, in Markdown."""
    counts = Counter(outcome.outcome for outcome in outcomes)
    failed = [outcome for outcome in outcomes if outcome.outcome == "failed"]
    unexpected = sum(1 for outcome in failed if outcome.kind == "unexpected-pass")
    passed = counts["passed"] + unexpected
    exported = counts["passed"] + sum(1 for outcome in failed if outcome.kind != "export")
    lines = [f"## {label}", ""] if label else []
    lines += ["| tests | passed | failed | expected failures | skipped |", "|" + " --- |" * 5]
    lines += [
        f"| {len(outcomes)} | {counts['passed']} | {counts['failed']} | {counts['xfailed']} "
        f"| {counts['skipped']} |",
        "",
    ]
    if exported:
        share = f"{100 * passed / exported:.2f} %"
        lines += [f"Of the {exported} that got through export, {share} gave the right result.", ""]
    for kind in CLASSES:
        of_kind = [outcome for outcome in failed if outcome.kind == kind]
        if of_kind:
            lines += [f"### {kind}: {len(of_kind)}", "", *_grouped(of_kind), ""]
    return "\n".join(lines).rstrip() + "\n"


def _grouped(failed: Iterable[Outcome]) -> list[str]:
    """The failures of one class by cause; numbers and paths make no other cause."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in failed:
        groups[_ADDRESSES.sub("#", outcome.cause)].append(outcome)
    lines = []
    for group in sorted(groups.values(), key=len, reverse=True):
        lines.append(f"- {len(group)}: `{group[0].cause}`")
        lines += [f"  - {outcome.test}" for outcome in group]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the summary."""
    parser = argparse.ArgumentParser(prog="summary.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("junit", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every outcome here")
    parser.add_argument("--label", default="", help="a heading, such as date and machine")
    args = parser.parse_args(arguments)
    try:
        outcomes = read(args.junit)
    except (OSError, ElementTree.ParseError) as error:
        print(f"{args.junit} is not a junit file ({error}); run the tests first", file=sys.stderr)
        return 2
    if args.json:
        args.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1) + "\n", "utf-8")
    print(text(outcomes, args.label), end="")
    return 1 if any(outcome.outcome == "failed" for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
