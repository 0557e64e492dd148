"""Where and how reports were measured, as words; what is the same for several is said once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.report import rows
from harness.results import Report

Section = Mapping[str, str]
"""Value by name."""
Environment = Mapping[str, Section]
"""Sections by title."""

# Of the machine; the others belong to the model.
MACHINE = ("device", "host", "tool")


def describe(report: Report) -> Environment:
    """Everything that a report says beside its records."""
    document = report.document
    config = {k: v for k, v in document["config"].items() if "io_mode" not in k}
    sections = {
        "device": document["device"],
        "host": document["host"],
        "tool": document["tool"],
        "model": document["model"],
        "configuration": config,
        "set-up": document["init"],
    }
    found: dict[str, Section] = {
        title: dict(_entry(key, value) for key, value in (section or {}).items())
        for title, section in sections.items()
    }
    io = document["io"] or {}
    for title in ("inputs", "outputs"):
        found[title] = {rows.plain(tensor["name"]): _tensor(tensor) for tensor in io.get(title, ())}
    return {title: section for title, section in found.items() if section}


def shared(environments: Sequence[Environment]) -> Environment:
    """What all of them have in common; nothing for none."""
    if not environments:
        return {}
    first, *others = environments
    found = {
        title: {
            name: value
            for name, value in section.items()
            if all(other.get(title, {}).get(name) == value for other in others)
        }
        for title, section in first.items()
    }
    return {title: section for title, section in found.items() if section}


def without(environment: Environment, known: Environment) -> Environment:
    """What is not known already."""
    found = {
        title: {n: value for n, value in section.items() if n not in known.get(title, {})}
        for title, section in environment.items()
    }
    return {title: section for title, section in found.items() if section}


def only(environment: Environment, titles: Sequence[str]) -> Environment:
    """Its sections of these titles."""
    return {title: section for title, section in environment.items() if title in titles}


def _entry(key: str, value: Any) -> tuple[str, str]:
    name = rows.plain(key).replace("_", " ")
    if isinstance(value, int) and not isinstance(value, bool):
        if key.endswith("_ns"):
            return name.removesuffix(" ns"), f"{value / 1e6:,.3f} ms"
        if key.endswith("bytes"):
            return name, f"{rows.byte_size(value)} ({value:,})" if value >= 1024 else f"{value} B"
    return name, _value(value)


def _value(value: Any) -> str:
    if isinstance(value, list):
        separator = "; " if any(isinstance(entry, dict) for entry in value) else ", "
        return separator.join(map(_value, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(" ".join(_entry(key, entry)) for key, entry in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return rows.plain("-" if value is None or value == "" else str(value))


def _tensor(tensor: Mapping[str, Any]) -> str:
    shape = "x".join(map(str, tensor["shape"])) or "scalar"
    described = [f"{tensor['dtype']} {shape}", rows.byte_size(tensor["bytes"])]
    if tensor.get("source"):
        described.append(tensor["source"])
    if tensor.get("sha256"):
        described.append(f"sha256 {tensor['sha256']}")
    return rows.plain(", ".join(described))
