"""A small project with patch series, and a small tree that they fit. All text is our own."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

BACKEND = "backends/arm/runtime/VGFBackend.cpp"
RUNNER = "examples/runner.cpp"
NOTES = "docs/notes.txt"
COPIED = "backends/arm/runtime/vgf_io"

FILES = {
    "version.txt": "9.8.7\n",
    BACKEND: """\
        #include <first.h>
        void begin() {
          open();
          step();
        }
        void end() {
          step();
          close();
        }
        """,
    RUNNER: """\
        #include <flags.h>
        int main() {
          load();
        }
        """,
    NOTES: "one\ntwo\nthree\n",
}


def edit(file: str, anchor: Any, text: str, place: str = "after", **more: str) -> dict[str, Any]:
    return {"file": file, "anchor": anchor, "place": place, "text": text, **more}


BASE_EDITS = (
    edit(BACKEND, "#include <first.h>", "#include <ours.h>\n", why="Declares it."),
    edit(BACKEND, "step();", "  measure_step();\n", "before", after_text="void end"),
    edit(BACKEND, ["shut();", "close();"], "  measure_end();\n  report_it();\n"),
)
RUNNER_EDITS = (edit(RUNNER, "load();", "  if (measured()) return 0;\n", "before"),)


def write_series(
    project: Path,
    name: str,
    *edits: dict[str, Any],
    requires: tuple[str, ...] = (),
    copies: tuple[dict[str, Any], ...] = (),
) -> None:
    """Writes `patches/NAME.toml`; JSON's strings and lists are TOML's too."""
    lines = [f"summary = {json.dumps('What ' + name + ' does')}"]
    lines.append(f"requires = {json.dumps(requires)}")
    for key, tables in (("copy", copies), ("edit", edits)):
        for table in tables:
            lines += [f"[[{key}]]", *(f"{k} = {json.dumps(v)}" for k, v in table.items())]
    (project / "patches").mkdir(parents=True, exist_ok=True)
    (project / "patches" / f"{name}.toml").write_text("\n".join(lines) + "\n")


def make_project(folder: Path) -> Path:
    """Two series: `base` edits and copies, `runner` requires it."""
    sources = folder / "native" / "parts"
    sources.mkdir(parents=True)
    (sources / "ours.h").write_text("#pragma once\n")
    (sources / "ours.cpp").write_text("void measure_step() {}")  # without a last line end
    (sources / "empty.cpp").write_text("")
    copies = ({"from": "native", "to": COPIED, "files": ["parts/*.h", "parts/*.cpp"]},)
    write_series(folder, "base", *BASE_EDITS, copies=copies)
    write_series(folder, "runner", *RUNNER_EDITS, requires=("base",))
    return folder


def make_tree(folder: Path) -> Path:
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
    return folder


def contents(folder: Path) -> dict[str, tuple[int, bytes] | None]:
    """Mode and bytes of every file of a tree, and its folders."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes())
        if path.is_file()
        else None
        for path in sorted(folder.rglob("*"))
        if ".git" not in path.parts
    }
