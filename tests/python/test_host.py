"""The state of the host, from a made-up sysfs."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import host


def sysfs(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def cpu(number: int, file: str) -> str:
    return f"devices__system__cpu__cpu{number}__{file}"


def test_frequency_heat_and_throttling_of_all_cores(tmp_path: Path) -> None:
    files = {cpu(i, "cpufreq__scaling_cur_freq"): f"{2_000_000 + i * 100_000}\n" for i in range(3)}
    files |= {cpu(i, "thermal_throttle__core_throttle_count"): f"{i}\n" for i in range(3)}
    files |= {"class__thermal__thermal_zone0__temp": "41000\n"}
    files |= {"class__thermal__thermal_zone1__temp": "57500\n"}
    files |= {"class__thermal__thermal_zone2__temp": "no number\n"}
    found = host.sample(sysfs(tmp_path, **files))
    assert found == host.HostState(2100.0, 57.5, 3)
    assert found.as_json() == {"cpu_mhz": 2100.0, "temperature_c": 57.5, "throttle_count": 3}


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    assert host.sample(tmp_path) == host.HostState(None, None, None)


@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ({}, []),
        ({"VK_LOADER_DEBUG": "all"}, ["VK_LOADER_DEBUG"]),
        ({"VK_LOADER_DEBUG": "none", "VMEL_COMMON_SEVERITY": "Error"}, []),
        ({"VMEL_GRAPH_SEVERITY": "debug"}, ["VMEL_GRAPH_SEVERITY"]),
        ({"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"}, ["VK_INSTANCE_LAYERS"]),
        ({"VK_INSTANCE_LAYERS": "VK_LAYER_ML_Graph_Emulation"}, []),
    ],
)
def test_variables_that_make_calls_log(environment: dict[str, str], names: list[str]) -> None:
    assert host.logging_variables(environment) == names
