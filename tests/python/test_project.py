"""What is stated in several places is stated alike, and what is linked exists."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path
from typing import Any

import pytest
import tomli
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import harness
from tests.python.conftest import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def project() -> dict[str, Any]:
    return tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(name: str) -> dict[str, str]:
    """Version by canonical name of a requirement file."""
    found: dict[str, str] = {}
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            package, version = line.split("==")
            found[canonicalize_name(package)] = version
    return found


def test_one_version() -> None:
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    stated = re.search(r"project\(vgf_io_bench VERSION (\S+)", cmake)
    assert stated is not None
    assert project()["project"]["version"] == harness.__version__ == stated[1]


def test_pins_satisfy_the_project() -> None:
    """Each dependency is pinned for its script, at a version that the project allows."""
    facts = project()["project"]
    both = {**pins("bench.txt"), **pins("test.txt")}
    needs = [(text, pins("bench.txt")) for text in facts["dependencies"]]
    needs += [(text, both) for extra in facts["optional-dependencies"].values() for text in extra]
    for text, available in needs:
        need = Requirement(text)
        assert need.specifier.contains(available[canonicalize_name(need.name)]), text


def test_nothing_is_pinned_twice() -> None:
    assert not pins("bench.txt").keys() & pins("test.txt").keys()


def test_package_data_covers_what_is_no_code() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]["harness"]
    package = ROOT / "harness"
    files = [path.relative_to(package) for path in package.rglob("*") if path.is_file()]
    data = [str(path) for path in files if path.suffix not in (".py", ".pyc")]
    assert data
    assert [path for path in data if not any(fnmatch.fnmatch(path, p) for p in patterns)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_named_files_exist(document: Path) -> None:
    """Paths of this project in backquotes, but for those that a build or a run makes."""
    folders = "native|harness|tests|scripts|docs|requirements|cmake|patches"
    text = document.read_text(encoding="utf-8")
    for name in re.findall(rf"`((?:{folders})/[\w./-]*)`", text):
        assert (ROOT / name).exists(), f"{document.name}: {name}"
