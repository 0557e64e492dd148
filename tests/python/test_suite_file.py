"""Suite files: which cases they are, and every way to write one wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import suite_file
from harness.errors import InvalidRequestError
from harness.suite_file import Case
from tests.python.conftest import MODELS, ROOT


def cases(text: str, folder: Path) -> list[Case]:
    file = folder / "suite.toml"
    file.write_text(text, encoding="utf-8")
    return suite_file.load(file)


def test_the_example_of_the_documentation() -> None:
    found = suite_file.load(ROOT / "docs" / "examples" / "suite.toml")
    assert [case.name for case in found] == [
        "demos-add_1x4x256x256",
        "demos-classifier_1x3x32x32",
        "ring-buffers=1-wait=fence",
        "ring-buffers=1-wait=spin",
        "ring-buffers=4-wait=fence",
        "ring-buffers=4-wait=spin",
        "frames-run1",
        "frames-run2",
    ]
    frames = found[-1].config
    assert (frames.pace, frames.end_to_end, frames.iterations) == (60.0, True, 60)
    assert all(case.model.is_file() for case in found)


def test_defaults_own_settings_and_matrix_override_in_that_order(tmp_path: Path) -> None:
    text = """
    defaults = { iterations = 50, warmup = 1, seed = 3 }
    [[case]]
    name = "a"
    models = ["m.pte"]
    warmup = 2
    matrix = { warmup = [4, 5] }
    """
    found = [case.config for case in cases(text, tmp_path)]
    assert [(c.iterations, c.warmup, c.seed) for c in found] == [(50, 4, 3), (50, 5, 3)]


def test_paths_are_relative_to_the_file_and_shipped_models_have_names(tmp_path: Path) -> None:
    text = """
    [[case]]
    name = "a"
    models = ["sub/m.pte", "add_1x4x256x256"]
    inputs = ["x.npy,y.bin", "/z.npy"]
    data = "weights.ptd"
    """
    own, shipped = cases(text, tmp_path)
    assert own.model == tmp_path / "sub" / "m.pte"
    assert shipped.model == MODELS / "add_1x4x256x256.pte"
    assert own.config.inputs == (str(tmp_path / "x.npy"), str(tmp_path / "y.bin"), "/z.npy")
    assert own.config.data == tmp_path / "weights.ptd"


def test_few_iterations_have_few_blocks(tmp_path: Path) -> None:
    (case,) = cases('[[case]]\nname = "a"\nmodels = ["m"]\niterations = 4', tmp_path)
    assert case.config.blocks == 4


def test_settings_are_what_differs_from_the_defaults(tmp_path: Path) -> None:
    text = '[[case]]\nname = "a"\nmodels = ["m"]\nio = "zero-copy"\nmax-time = 2\nwarmup = 20'
    (case,) = cases(text, tmp_path)
    assert case.settings == {"modes": ["zero_copy"], "max_time": 2.0}


def test_a_name_becomes_a_folder(tmp_path: Path) -> None:
    (case,) = cases('[[case]]\nname = "../a b/ü"\nmodels = ["m"]', tmp_path)
    assert case.name == "_a_b_ü"


CASE = '[[case]]\nname = "a"\nmodels = ["m.pte"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no case"),
        ("case = 3", "has no case"),
        ("[[case]", "is no TOML"),
        ("[setings]\n" + CASE, "there is no table 'setings'"),
        ("defaults = 3\n" + CASE, "defaults must be a table"),
        ("[defaults]\niteration = 3\n" + CASE, "defaults: there is no setting 'iteration'"),
        ("[defaults]\nmodels = ['a']\n" + CASE, "there is no setting 'models'"),
        ("[[case]]\nmodels = ['m']", "case 1 needs a name"),
        (CASE + "[[case]]\nname = 3", "case 2 needs a name"),
        ("[[case]]\nname = 'a'", "case 'a': models must be a list"),
        ("[[case]]\nname = 'a'\nmodels = []", "models must be a list"),
        ("[[case]]\nname = 'a'\nmodels = 'm'", "models must be a list"),
        (CASE + "repeats = 0", "repeats must be a number from 1"),
        (CASE + "repeats = true", "repeats must be a number from 1"),
        (CASE + "iterations = 'many'", "case 'a': iterations: Expected `int`, got `str`"),
        (CASE + "end_to_end = 1", "end_to_end: Expected `bool`"),
        (CASE + "data = 3", "data: "),
        (CASE + "io = 'fast'", "io: name each of copy"),
        (CASE + "io = []", "io: name each of copy"),
        (CASE + "io = ['copy', 'copy']", "io: name each of copy"),
        (CASE + "iterations = 0", "case 'a': --iterations must be at least 1"),
        (CASE + "blocks = 1001\niterations = 9999", "case 'a': --blocks must lie"),
        (CASE + "matrix = 3", "matrix must be a table"),
        (CASE + "matrix = { warmup = 3 }", "matrix.warmup must be a list with values"),
        (CASE + "matrix = { warmup = [] }", "matrix.warmup must be a list with values"),
        (CASE + "matrix = { warmups = [1] }", "case 'a': matrix: there is no setting 'warmups'"),
        (CASE + CASE, "two cases are called 'a'"),
        (CASE.replace('"a"', '"index"'), "two cases are called 'index'"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        cases(text, tmp_path)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError, match=r"cannot read .*gone\.toml"):
        suite_file.load(tmp_path / "gone.toml")
