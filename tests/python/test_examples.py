"""The examples in the package's documentation, run as they stand there."""

from __future__ import annotations

import re
import shutil
import textwrap
from pathlib import Path
from typing import Any

import pytest

import harness
from tests.python.conftest import MODELS
from tests.python.test_cli import harness as command

pytestmark = pytest.mark.device


def examples() -> list[str]:
    blocks = re.findall(r"(?:^    .*\n|^\n)+", f"{harness.__doc__}\n", re.MULTILINE)
    return [textwrap.dedent(block) for block in blocks if block.strip()]


def test_a_session_and_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a model and reports where they look for them."""
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "classifier_1x3x32x32.pte", "model.pte")
    session, table = examples()
    exec(session, {})
    mean, shape = capsys.readouterr().out.split(maxsplit=1)
    assert float(mean) > 0
    assert shape.strip() == "(1, 10)"
    measured = ("--iterations", "6", "--report-dir", str(tmp_path / "reports"))
    done = command("bench", str(tmp_path / "model.pte"), *measured)
    assert done.returncode == 0, done.stderr
    names: dict[str, Any] = {"pandas": pandas}
    exec(f"import harness, pathlib\n{table}", names)
    assert len(names["table"]) == 12
