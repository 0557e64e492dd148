"""What the doctor makes of libraries and drivers that misbehave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import doctor, locations
from harness.check import Check
from tests.python.conftest import CompileFake
from tests.python.test_cli import harness

DEVICE = {
    "name": "Card",
    "type": "discrete_gpu",
    "driver_name": "driver",
    "driver_info": "1.2",
    "emulated": True,
    "usable": True,
    "missing": [],
    "missing_for_zero_copy": [],
    "import_alignment": 4096,
}


def test_a_usable_device_is_ok(compile_fake: CompileFake) -> None:
    diagnosis = doctor.diagnose(_library(compile_fake, [DEVICE]))
    (check,) = _of(diagnosis, "device")
    assert (check.name, check.state) == ("Card (emulated)", "ok")
    assert "import alignment 4096" in check.found
    assert diagnosis.can_run


def test_a_device_without_import_is_a_warning(compile_fake: CompileFake) -> None:
    lacking = {**DEVICE, "import_alignment": 0, "missing_for_zero_copy": ["VK_EXT_x"]}
    (check,) = _of(doctor.diagnose(_library(compile_fake, [lacking])), "device")
    assert check.state == "warning"
    assert "lacks VK_EXT_x" in check.found
    assert "--io lend" in check.remedy


def test_what_a_device_lacks_is_listed(compile_fake: CompileFake) -> None:
    lacking = {**DEVICE, "usable": False, "missing": ["VK_ARM_tensors", "synchronization2"]}
    diagnosis = doctor.diagnose(_library(compile_fake, [lacking]))
    device, nothing = _of(diagnosis, "device")
    assert device.found == "lacks VK_ARM_tensors, synchronization2"
    assert (nothing.name, nothing.state) == ("usable device", "missing")
    assert not diagnosis.can_run


def test_the_reason_of_a_failed_pass_is_kept(compile_fake: CompileFake) -> None:
    passes = [{"emulation_layers": True, "error": "layer not found", "devices": []}]
    checks = _of(doctor.diagnose(_compiled(compile_fake, passes)), "device")
    assert ("with emulation layers", "layer not found") in [(c.name, c.found) for c in checks]


def test_a_crashing_driver_is_reported_and_survived(compile_fake: CompileFake) -> None:
    library = compile_fake(FAKE_PROBE="(abort(), (const char*)0)")
    diagnosis = doctor.diagnose(library)
    (check,) = _of(diagnosis, "device")
    assert check.found == "a driver crashed (signal 6)"
    assert not diagnosis.can_run


def test_a_list_that_is_no_list_is_reported(compile_fake: CompileFake) -> None:
    (check,) = _of(doctor.diagnose(compile_fake(FAKE_PROBE='"{}"')), "device")
    assert "not a JSON array" in check.found


def test_no_usable_device_exits_with_3_and_valid_json(compile_fake: CompileFake) -> None:
    library = str(_library(compile_fake, []))
    done = harness("doctor", "--library", library, "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["can_run"] is False
    table = harness("doctor", "--library", library)
    assert table.returncode == 3
    assert "no device can run" in table.stdout


def test_a_usable_device_exits_with_0(compile_fake: CompileFake) -> None:
    done = harness("doctor", "--library", str(_library(compile_fake, [DEVICE])))
    assert done.returncode == 0
    assert "can run models on: Card" in done.stdout


def test_drivers_are_found_where_the_loader_looks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps({"ICD": {"library_path": "libgood.so"}}))
    bad.write_text("{}")
    monkeypatch.setenv("VK_DRIVER_FILES", f"{good}:{bad}")
    checks = {check.name: check for check in _of(doctor.diagnose(), "vulkan")}
    assert (checks["good"].state, checks["good"].found) == ("ok", "libgood.so")
    assert checks["bad"].state == "warning"


def test_a_missing_driver_has_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("VK_ICD_FILENAMES", raising=False)
    monkeypatch.setenv("VK_DRIVER_FILES", ":")
    checks = {check.name: check for check in _of(doctor.diagnose(), "vulkan")}
    assert checks["driver"].state == "missing"
    assert "mesa-vulkan-drivers" in checks["driver"].remedy


def test_without_a_library_the_rest_is_still_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(locations.LIBRARY_VARIABLE, str(tmp_path / "gone.so"))
    diagnosis = doctor.diagnose()
    library = next(check for check in diagnosis.checks if check.name == "native library")
    assert library.state == "missing"
    assert "python -m harness build" in library.remedy
    assert {check.group for check in diagnosis.checks} >= {"python", "build", "vulkan", "host"}


@pytest.mark.parametrize(
    ("governors", "state", "found"),
    [
        ([], "ok", "not controllable here"),
        (["performance", "performance"], "ok", "performance"),
        (["performance", "powersave"], "warning", "performance, powersave"),
    ],
)
def test_governors(tmp_path: Path, governors: list[str], state: str, found: str) -> None:
    policies = []
    for index, governor in enumerate(governors):
        policies.append(tmp_path / f"cpu{index}")
        policies[-1].mkdir()
        (policies[-1] / "scaling_governor").write_text(governor + "\n")
    check = doctor._governor(policies)
    assert (check.state, check.found) == (state, found)
    assert bool(check.remedy) == (state == "warning")


def _library(compile_fake: CompileFake, devices: list[dict[str, object]]) -> Path:
    return _compiled(compile_fake, [{"emulation_layers": True, "error": None, "devices": devices}])


def _compiled(compile_fake: CompileFake, passes: list[dict[str, object]]) -> Path:
    return compile_fake(FAKE_PROBE=json.dumps(json.dumps(passes)))


def _of(diagnosis: doctor.Diagnosis, group: str) -> list[Check]:
    return [check for check in diagnosis.checks if check.group == group]
