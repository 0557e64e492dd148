"""The state of the host while it measures: clock frequencies, temperatures, throttling.

From sysfs of Linux; what a machine does not tell is None.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np

SYSFS = Path("/sys")

# Variables that make the loader, a layer or a driver log or check each call, and the values
# with which they do not.
_LOGGING = {
    "VK_LOADER_DEBUG": ("", "none"),
    "VMEL_COMMON_SEVERITY": ("", "error", "off"),
    "VMEL_GRAPH_SEVERITY": ("", "error", "off"),
    "VMEL_TENSOR_SEVERITY": ("", "error", "off"),
    "VMEL_GRAPH_PROFILING": ("", "0"),
    "MESA_DEBUG": ("", "silent"),
    "LP_DEBUG": ("",),
    "VK_LAYER_SETTINGS_PATH": ("",),
}
_LAYERS = "VK_INSTANCE_LAYERS"
_CHECKING = ("validation", "api_dump", "gfxreconstruct", "profiles")


@dataclass(frozen=True)
class HostState:
    """At one moment."""

    cpu_mhz: float | None
    """Median over the cores."""
    temperature_c: float | None
    """Of the hottest zone."""
    throttle_count: int | None
    """How often the cores were throttled since the machine was started, all together."""

    def as_json(self) -> dict[str, float | int | None]:
        """As a report holds it."""
        return asdict(self)


def sample(sysfs: Path = SYSFS) -> HostState:
    """Reads the state; takes well below a millisecond per core."""
    cpus = "devices/system/cpu/cpu[0-9]*"
    frequencies = list(_numbers(sysfs, f"{cpus}/cpufreq/scaling_cur_freq"))
    temperatures = list(_numbers(sysfs, "class/thermal/thermal_zone*/temp"))
    throttled = list(_numbers(sysfs, f"{cpus}/thermal_throttle/core_throttle_count"))
    return HostState(
        cpu_mhz=float(np.median(frequencies)) / 1e3 if frequencies else None,
        temperature_c=max(temperatures) / 1e3 if temperatures else None,
        throttle_count=sum(throttled) if throttled else None,
    )


def logging_variables(environment: Mapping[str, str] | None = None) -> list[str]:
    """Names of the environment variables that make each call log or be checked.

    Args:
        environment: None for this program's.
    """
    values = os.environ if environment is None else environment
    found = [name for name, quiet in _LOGGING.items() if values.get(name, "").lower() not in quiet]
    layers = values.get(_LAYERS, "").lower()
    return found + [_LAYERS] * any(word in layers for word in _CHECKING)


@cache
def clock_resolution_ns() -> int:
    """The smallest step of the monotonic clock that was seen, in nanoseconds."""
    steps: set[int] = set()
    for _ in range(1000):
        begin = time.monotonic_ns()
        while (end := time.monotonic_ns()) == begin:
            pass
        steps.add(end - begin)
    return min(steps)


def _numbers(root: Path, pattern: str) -> Iterator[int]:
    for file in sorted(root.glob(pattern)):
        try:
            yield int(file.read_text())
        except (OSError, ValueError):  # a zone that is switched off refuses to be read
            continue
