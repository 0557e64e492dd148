"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabulate import tabulate

from harness.bench import BenchResult
from harness.compare import Comparison
from harness.report import rows
from harness.results import Report

_EMULATION = "Times are from emulation or a CPU device: ratios only, no verdict on hardware."


def bench_table(results: Sequence[BenchResult]) -> str:
    """One row per model and mode, then a verdict per model and what to know about them."""
    lines = [_device_line(results), ""]
    lines.append(tabulate(rows.bench_rows(results), rows.BENCH_HEADERS, disable_numparse=True))
    lines.append("")
    lines += [f"{r.model.stem}: {r.comparison.verdict}" for r in results if r.comparison]
    lines += _notes(results)
    return "\n".join(lines).strip() + "\n"


def comparison(found: Comparison) -> str:
    """Verdict, breakdown and tensors of two reports."""
    headers = (*rows.BREAKDOWN_HEADERS, *_column_names(found))
    lines = [found.verdict]
    if found.ratio is not None:
        lines.append(ratio_line(found))
    lines += ["", tabulate(rows.breakdown_rows(found), headers, disable_numparse=True)]
    lines += ["", break_even_line(found)]
    if found.differences:
        lines.append(f"The reports differ in: {', '.join(found.differences)}.")
    if not found.measures_hardware:
        lines.append(_EMULATION)
    return "\n".join(lines).strip() + "\n"


def report(single: Report) -> str:
    """One report: its numbers, its tensors, its warnings."""
    head = f"{single.model_name}, {rows.mode_name(single.io_mode)}, {single.status}"
    lines = [f"{head}: {single.error}" if single.error else head, ""]
    if single.tensors:
        lines.append(tabulate(rows.tensor_rows(single), rows.TENSOR_HEADERS, disable_numparse=True))
    lines += _warning_lines([single])
    return "\n".join(lines).strip() + "\n"


def ratio_line(found: Comparison) -> str:
    """The ratio of a comparison with its interval and how it was found."""
    if found.ratio is None:
        return "no ratio"
    interval = found.ratio.interval
    how = f"{found.ratio.pairs} pairs of blocks" if found.ratio.pairs else "two separate runs"
    return (
        f"ratio {interval.estimate:.3f}, 95 % interval {interval.low:.3f} to "
        f"{interval.high:.3f}, p = {found.ratio.p_value:.2g} ({how})"
    )


def break_even_line(found: Comparison) -> str:
    """When the imports of the new report have paid."""
    imports = (found.new.document["init"] or {}).get("import_ns", 0)
    if not imports:
        return "No imports to pay for."
    cost = f"Imports cost {rows.microseconds(imports)} us once"
    if found.break_even is None:
        return f"{cost} and save nothing per inference."
    return f"{cost}, paid back after {found.break_even} inferences."


def _column_names(found: Comparison) -> tuple[str, str]:
    names = rows.mode_name(found.base.io_mode), rows.mode_name(found.new.io_mode)
    return names if names[0] != names[1] else ("baseline", "new")


def _device_line(results: Sequence[BenchResult]) -> str:
    for result in results:
        for found in result.reports.values():
            emulated = ", emulated VK_ARM_*" if found.device.get("emulated") else ""
            return f"{found.device['name']} ({found.device['driver_info']}{emulated})"
    return ""


def _notes(results: Sequence[BenchResult]) -> Iterator[str]:
    reports = [found for result in results for found in result.reports.values()]
    if any(not found.measures_hardware for found in reports):
        yield _EMULATION
    yield from _warning_lines(reports)


def _warning_lines(reports: Sequence[Report]) -> Iterator[str]:
    # The two marks for a device that is no hardware have a line of their own.
    quiet = {"emulated_device", "cpu_device", "slow_first_run"}
    for found in reports:
        for warning in found.document["warnings"]:
            if warning["code"] in quiet:
                continue
            name = f"{found.model_name}, {rows.mode_name(found.io_mode)}"
            yield f"warning ({name}): {warning['message']}; {warning['remedy']}"
