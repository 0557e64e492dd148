"""What this machine has, needs and lacks, with the remedy for each."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness import locations, toolchain, vulkan_setup
from harness.check import Check, State
from harness.errors import HarnessError, InvalidRequestError

# Python packages by what they are needed for.
_RUN_PACKAGES = ("cffi", "numpy", "tabulate", "tqdm", "jsonschema", "msgspec", "scipy")
_PAGE_PACKAGES = ("Jinja2", "plotly")
_EXPORT_PACKAGES = ("torch", "torchao", "tosa-tools", "ai_ml_sdk_model_converter")
_PROBE_SECONDS = 120


@dataclass(frozen=True)
class Diagnosis:
    """All checks, and the devices as the library lists them.

    Attributes:
        checks: In reading order.
        devices: One object per device, without and with the emulation layers.
    """

    checks: tuple[Check, ...]
    devices: tuple[dict[str, Any], ...]

    @property
    def can_run(self) -> bool:
        """Whether at least one device can run a VGF."""
        return any(device["usable"] for device in self.devices)

    def as_json(self) -> dict[str, Any]:
        """As one JSON object."""
        return {
            "can_run": self.can_run,
            "checks": [asdict(check) for check in self.checks],
            "devices": list(self.devices),
        }


_NO_DEVICE = Check(
    "device",
    "usable device",
    "missing",
    "",
    "a Vulkan 1.3 device is needed, with VK_ARM_tensors and VK_ARM_data_graph of its own or with "
    "the emulation layers",
)


def diagnose(library: Path | None = None) -> Diagnosis:
    """Looks at everything; fails at nothing.

    Args:
        library: The native library; None finds it.
    """
    found, failure = None, ""
    try:
        found = locations.find_library(library)
    except InvalidRequestError as error:
        failure = error.message
    library_check, devices, device_checks = _probed(found, failure)
    checks = [
        *_python(),
        *_build_tools(),
        library_check,
        *vulkan_setup.checks(found),
        *device_checks,
        *_host(),
    ]
    return Diagnosis(tuple(checks), tuple(devices))


def _python() -> Iterator[Check]:
    yield Check("python", "Python", "ok", f"{platform.python_version()} ({sys.executable})")
    purposes = {
        **dict.fromkeys(_RUN_PACKAGES, ""),
        **dict.fromkeys(_PAGE_PACKAGES, " (for HTML pages only)"),
        **dict.fromkeys(_EXPORT_PACKAGES, " (for export only)"),
    }
    for package, purpose in purposes.items():
        version = toolchain.package_version(package)
        lacking: State = "optional" if purpose else "missing"
        remedy = "" if version else f"pip install {package}{purpose}"
        yield Check("python", package, "ok" if version else lacking, version, remedy)


def _build_tools() -> Iterator[Check]:
    for item in toolchain.requirements():
        state: State = "missing" if item.missing else "ok"
        yield Check("build", item.name, state, item.found, item.remedy if item.missing else "")


def _probed(library: Path | None, failure: str) -> tuple[Check, list[dict[str, Any]], list[Check]]:
    """The library, the devices as it lists them, and what to say of these."""
    if library is None:
        return Check("build", "native library", "missing", "", failure), [], []
    try:
        answer = _probe(library)
    except HarnessError as error:
        remedy = "look at the detail with VK_LOADER_DEBUG=all"
        failed = Check("device", "list of devices", "missing", error.message, remedy)
        return Check("build", "native library", "ok", str(library)), [], [failed]
    build = answer["build"]
    known = " ".join(str(build[key]) for key in ("version", "build_type") if key in build)
    found = f"{known} ({library})" if known else str(library)
    devices = [device for one in answer["passes"] for device in one["devices"]]
    checks = [_device(device) for device in devices]
    checks += [_failed_pass(one) for one in answer["passes"] if one["error"]]
    if not any(device["usable"] for device in devices):
        checks.append(_NO_DEVICE)
    return Check("build", "native library", "ok", found), devices, checks


def _device(device: dict[str, Any]) -> Check:
    name = device["name"] + (" (emulated)" if device["emulated"] else "")
    if not device["usable"]:
        missing = ", ".join(device["missing"])
        # Without the layers that is the usual state of a device, not a fault.
        state: State = "missing" if device["emulated"] else "optional"
        return Check("device", name, state, f"lacks {missing}")
    alignment = device["import_alignment"]
    facts = f"{device['type']}, {device['driver_name']} {device['driver_info']}".strip()
    if not alignment:
        lacks = ", ".join(device["missing_for_zero_copy"])
        remedy = "zero-copy is not possible with host memory; try --io lend"
        return Check("device", name, "warning", f"{facts}; lacks {lacks}", remedy)
    return Check("device", name, "ok", f"{facts}; import alignment {alignment}")


def _failed_pass(one: dict[str, Any]) -> Check:
    name = "with emulation layers" if one["emulation_layers"] else "without layers"
    return Check("device", name, "warning", one["error"])


def _probe(library: Path) -> dict[str, Any]:
    """What the library says of its build and the devices, from a process of its own: a driver
    may crash, and layers and environment are fixed once Vulkan is open."""
    command = [sys.executable, "-m", "harness.probe", str(library)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False,
            env=locations.child_environment(),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise HarnessError(f"a driver did not answer within {_PROBE_SECONDS} s") from None
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        signalled = f"a driver crashed (signal {-done.returncode})"
        reason = signalled if done.returncode < 0 else (lines or ["no reason given"])[-1]
        raise HarnessError(reason, done.stderr)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _host() -> Iterator[Check]:
    yield Check("host", "cores", "ok", str(len(os.sched_getaffinity(0))))
    yield _governor(sorted(Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq")))
    load = os.getloadavg()[0]
    busy = load > len(os.sched_getaffinity(0)) / 2
    yield Check(
        "host", "load", "warning" if busy else "ok", f"{load:.2f}",
        "stop other work before measuring" if busy else "",
    )  # fmt: skip


def _governor(policies: Sequence[Path]) -> Check:
    governors = set()
    for policy in policies:
        try:
            governors.add((policy / "scaling_governor").read_text(encoding="ascii").strip())
        except OSError:
            continue
    if not governors:
        return Check("host", "frequency governor", "ok", "not controllable here")
    slow = governors != {"performance"}
    remedy = "set it to performance: cpupower frequency-set -g performance" if slow else ""
    found = ", ".join(sorted(governors))
    return Check("host", "frequency governor", "warning" if slow else "ok", found, remedy)
