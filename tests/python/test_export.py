"""The export command: what needs no torch, and with torch that the shipped programs are its."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness import export
from harness.errors import HarnessError, InvalidRequestError, RunFailedError
from harness.exporting import catalog, manifest, tools
from harness.exporting.spec import Quantization
from tests.python import models

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "harness" / "models"

needs_torch = pytest.mark.skipif(
    bool(models.missing_packages()), reason=f"not installed: {models.missing_packages()}"
)


def entries() -> dict[str, manifest.ModelEntry]:
    return {entry.name: entry for entry in manifest.read(SHIPPED)}


def test_manifest_lists_exactly_the_shipped_models() -> None:
    assert set(entries()) == {spec.name for spec in catalog.MODELS if spec.shipped}
    assert {entry.file for entry in entries().values()} == {p.name for p in SHIPPED.glob("*.pte")}


@pytest.mark.parametrize("name", sorted(entries()))
def test_manifest_tells_the_truth_about_the_file(name: str) -> None:
    entry = entries()[name]
    contents = (SHIPPED / entry.file).read_bytes()
    assert entry.bytes == len(contents)
    assert entry.sha256 == hashlib.sha256(contents).hexdigest()
    assert not entry.memory_planned


def test_shipped_models_are_small() -> None:
    assert sum(entry.bytes for entry in entries().values()) < 700_000


def test_manifest_survives_writing_and_reading(tmp_path: Path) -> None:
    entry = manifest.ModelEntry(
        name='a "b" \\ c',
        file="ä.pte",
        description="line\nbreak",
        quantization="none",
        memory_planned=True,
        inputs=(manifest.TensorEntry("float32", (1, 2)), manifest.TensorEntry("int8", ())),
        outputs=(),
        bytes=3,
        sha256="0" * 64,
        made_with={"torch": "2"},
    )
    manifest.write(tmp_path, [entry])
    assert manifest.read(tmp_path) == (entry,)


def test_merge_replaces_by_name_and_keeps_the_order() -> None:
    old = list(entries().values())
    newer = manifest.ModelEntry(**{**vars(old[0]), "bytes": 1})
    assert manifest.merge(old, [newer]) == (newer, *old[1:])


@pytest.mark.parametrize("text", ["[[model]]\nname = 1", "not toml", "[[model]]\ninputs = 3"])
def test_a_broken_manifest_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / manifest.FILE_NAME).write_text(text)
    with pytest.raises(InvalidRequestError, match="remove it and export again"):
        manifest.read(tmp_path)


def test_names_are_unique_and_every_factory_is_there() -> None:
    names = [spec.name for spec in catalog.MODELS]
    assert len(set(names)) == len(names)
    for spec in catalog.MODELS:
        module, _, function = spec.factory.partition(":")
        source = (ROOT / (module.replace(".", "/") + ".py")).read_text("utf-8")
        assert f"def {function}(" in source


def test_listing_needs_no_torch() -> None:
    code = (
        "import argparse, sys\n"
        "from harness import export\n"
        "parser = argparse.ArgumentParser()\n"
        "export.add_arguments(parser)\n"
        "assert export.main(parser.parse_args(['--list', '--json'])) == 0\n"
        "assert not {'torch', 'executorch', 'numpy'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [entry["name"] for entry in json.loads(done.stdout)] == [m.name for m in catalog.MODELS]


def test_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError, match=r"no model 'nope'.*conv3_1x12x32x32"):
        export.run(["nope"], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_missing_packages_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "_MODULES", ("json", "no_such_module_here"))
    with pytest.raises(InvalidRequestError, match=r"no_such_module_here; .*pip install torch=="):
        tools.require()


def test_missing_converter_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tools, "_MODULES", ("json",))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("MODEL_CONVERTER_PATH", raising=False)
    with pytest.raises(InvalidRequestError, match="model-converter: put it on PATH"):
        tools.require()


@needs_torch
def test_shipped_models_are_what_the_command_makes(tmp_path: Path) -> None:
    made = export.run(list(entries()), tmp_path, export.ExportOptions(keep_vgf=True))
    for path in made:
        entry = entries()[path.stem]
        if entry.made_with == tools.versions():
            assert path.read_bytes() == (SHIPPED / entry.file).read_bytes()
        assert (tmp_path / f"{path.stem}-0.vgf").read_bytes() in path.read_bytes()


@needs_torch
def test_memory_planned_option_plans_inputs_and_outputs(tmp_path: Path) -> None:
    from executorch.exir._serialize._program import deserialize_pte_binary

    options = export.ExportOptions(memory_planned=True)
    (path,) = export.run(["classifier_1x3x32x32"], tmp_path, options)
    plan = deserialize_pte_binary(path.read_bytes()).program.execution_plan[0]
    values = [plan.values[index].val for index in (*plan.inputs, *plan.outputs)]
    assert all(value.allocation_info is not None for value in values)
    assert manifest.read(tmp_path)[0].memory_planned


@needs_torch
def test_a_refused_model_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MODEL_CONVERTER_PATH", "/bin/false")
    with pytest.raises(RunFailedError, match=r"^cannot export conv3_1x12x32x32: ") as caught:
        export.run(["conv3_1x12x32x32"], tmp_path)
    assert "\n" not in caught.value.message


OWN = """
import torch

def clipped():
    return torch.nn.Hardtanh(-2.0, 2.0), (torch.linspace(-3, 3, 8).reshape(1, 8),)

def no_module():
    return 3

def broken():
    raise ValueError("not like this")
"""


@needs_torch
@pytest.mark.parametrize("quantize", ["none", "int8-io"])
def test_an_own_model_is_exported(quantize: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    options = export.ExportOptions(quantization=Quantization(quantize))
    (path,) = export.run([f"{tmp_path}/own.py:clipped"], tmp_path / "out", options)
    (entry,) = manifest.read(path.parent)
    assert (path.name, entry.name, entry.quantization) == ("clipped.pte", "clipped", quantize)
    dtype = "float32" if quantize == "none" else "int8"
    assert entry.inputs == entry.outputs == (manifest.TensorEntry(dtype, (1, 8)),)


@needs_torch
@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("gone", "own.py has no function 'gone'"),
        ("NUMBER", "own.py has no function 'NUMBER'"),
        ("no_module", "must return a torch.nn.Module and a tuple of example inputs, not int"),
        ("broken", "own.py:broken failed: ValueError: not like this"),
    ],
)
def test_an_own_model_that_is_none_is_one_line(function: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN + "\nNUMBER = 1\n", encoding="utf-8")
    with pytest.raises(HarnessError) as caught:
        export.run([f"{tmp_path}/own.py:{function}"], tmp_path / "out")
    assert message in caught.value.message
    assert not list((tmp_path / "out").glob("*.pte"))


@needs_torch
def test_an_own_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError, match=r"there is no file .*gone\.py"):
        export.run([f"{tmp_path}/gone.py:model"], tmp_path / "out")
