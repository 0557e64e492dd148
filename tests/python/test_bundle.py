"""The bundle runs where it is put, without this checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness import bundle, locations, results
from harness.errors import InvalidRequestError

MODEL = "classifier_1x3x32x32"


@pytest.fixture(scope="module")
def moved_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle that was made in one place and moved to another."""
    try:
        programs = locations.find_library().parent
    except InvalidRequestError as error:
        pytest.skip(error.message)
    made = tmp_path_factory.mktemp("made") / "bundle"
    bundle.bundle(made, source=programs, large_packages=False)
    moved = tmp_path_factory.mktemp("moved with blanks") / "b"
    shutil.move(made, moved)
    return moved


def run(folder: Path, *command: str, **variables: str) -> str:
    """Output of a command in `folder` with no other environment than `variables`."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_it_loads_is_inside_or_the_systems(moved_bundle: Path) -> None:
    for program in ("executor_runner", "arm_vgf_runner", locations.LIBRARY_NAME):
        listed = run(moved_bundle, "ldd", str(moved_bundle / "bin" / program))
        assert "not found" not in listed
        for line in listed.splitlines():
            path = line.partition(" => ")[2].split(" (")[0]
            inside = path.startswith(str(moved_bundle))
            assert inside or not path or path.startswith(("/lib", "/usr/lib")), line


def test_layers_are_named_relative_to_their_manifests(moved_bundle: Path) -> None:
    manifests = sorted((moved_bundle / "bin" / "layers").glob("*.json"))
    assert len(manifests) == 2
    for manifest in manifests:
        named = json.loads(manifest.read_text())["layer"]["library_path"]
        assert named.startswith("./")
        assert (manifest.parent / named).is_file()


@pytest.mark.device
def test_the_script_compares_with_python(moved_bundle: Path, tmp_path: Path) -> None:
    model = moved_bundle / "harness" / "models" / f"{MODEL}.pte"
    # numpy and scipy are the target's own in a thin bundle: here those of this environment.
    output = run(
        tmp_path,
        str(moved_bundle / "run.sh"),
        str(model),
        "--iterations=12",
        "--warmup=1",
        "--json=out.json",
        PYTHON=sys.executable,
    )
    assert MODEL in output
    measured = json.loads((tmp_path / "out.json").read_text())["results"][0]
    assert measured["error"] is None


@pytest.mark.device
def test_the_script_measures_without_python(moved_bundle: Path, tmp_path: Path) -> None:
    model = moved_bundle / "harness" / "models" / f"{MODEL}.pte"
    script = str(moved_bundle / "run.sh")
    output = run(tmp_path, script, str(model), PYTHON="/nonexistent")
    assert output.split() == [f"{MODEL}-copy.json", f"{MODEL}-zero_copy.json"]
    for mode in ("copy", "zero_copy"):
        report = results.load_report(tmp_path / f"{MODEL}-{mode}.json")
        assert report.status == "complete"
        assert report.io_mode == mode
        assert len(report.document["iterations"]) == 200
    shared = report.column("in_zero_copy_bytes") + report.column("out_zero_copy_bytes")
    assert set(shared) == {3 * 32 * 32 * 4 + 10 * 4}


def test_what_is_no_bundle_is_left_alone(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / locations.LIBRARY_NAME).touch()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    with pytest.raises(InvalidRequestError, match="not empty"):
        bundle.bundle(mine, source=programs)
    assert (mine / "thesis.txt").read_text() == "years of work"


def test_a_missing_build_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError, match="harness build"):
        bundle.bundle(tmp_path / "out", source=tmp_path)
