"""What a native build needs and where this machine has it. Looks only; changes nothing."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

MINIMUM_CMAKE = (3, 28)


@dataclass(frozen=True)
class Requirement:
    """One thing that is needed.

    Attributes:
        name: What it is.
        found: Where it is, or its version; empty if it is missing.
        remedy: What to do if it is missing.
        path: Its file or folder, where it has one.
    """

    name: str
    found: str
    remedy: str
    path: Path | None = None

    @property
    def missing(self) -> bool:
        """Whether this machine lacks it."""
        return not self.found


def requirements() -> list[Requirement]:
    """Everything that a native build needs, in the order in which to put it right."""
    return [
        compiler(),
        cmake(),
        ninja(),
        package_folder("executorch", "ExecuTorch C++ SDK", "executorch/share/cmake"),
        package_folder("ai_ml_sdk_vgf_library", "VGF library", "vgf_lib/binaries/lib"),
        emulation_layers(),
        header("Vulkan headers", "vulkan/vulkan_core.h", "libvulkan-dev"),
        header("gflags", "gflags/gflags.h", "libgflags-dev"),
        header("nlohmann JSON", "nlohmann/json.hpp", "nlohmann-json3-dev"),
    ]


def compiler() -> Requirement:
    """The C++ compiler that CMake would take: CXX, else c++ on the PATH."""
    named = os.environ.get("CXX", "").split()
    path = shutil.which(named[0] if named else "c++")
    remedy = "install the Debian package g++, or set CXX to a C++17 compiler"
    version = _first_line([path, "--version"]) if path else ""
    return Requirement("C++ compiler", version, remedy, Path(path) if path else None)


def cmake() -> Requirement:
    """CMake of the Python environment, else of the PATH; old ones do not count."""
    remedy = f"pip install cmake (at least {MINIMUM_CMAKE[0]}.{MINIMUM_CMAKE[1]})"
    for path in _candidates("cmake"):
        version = _first_line([str(path), "--version"])
        number = re.search(r"(\d+)\.(\d+)", version)
        if number and (int(number[1]), int(number[2])) >= MINIMUM_CMAKE:
            return Requirement("CMake", f"{version.split()[-1]} ({path})", remedy, path)
    return Requirement("CMake", "", remedy)


def ninja() -> Requirement:
    """Ninja of the Python environment, else of the PATH."""
    for path in _candidates("ninja"):
        version = _first_line([str(path), "--version"])
        if version:
            return Requirement("Ninja", f"{version} ({path})", "pip install ninja", path)
    return Requirement("Ninja", "", "pip install ninja")


def package_folder(package: str, name: str, inside: str) -> Requirement:
    """A folder that a Python package brings, with the package's version."""
    folder = site_packages() / inside
    version = package_version(package)
    found = f"{version} ({folder})" if version and folder.is_dir() else ""
    return Requirement(name, found, f"pip install {package}", folder if found else None)


def emulation_layers() -> Requirement:
    """The layers that bring VK_ARM_tensors and VK_ARM_data_graph to any Vulkan 1.3 driver."""
    return package_folder(
        "ai_ml_emulation_layer_for_vulkan", "emulation layers", "emulation_layer/deploy/lib"
    )


def header(name: str, file: str, debian: str) -> Requirement:
    """A C or C++ header of the distribution."""
    remedy = f"install the Debian package {debian}"
    for folder in _include_folders():
        if (folder / file).is_file():
            return Requirement(name, str(folder / file), remedy, folder / file)
    return Requirement(name, "", remedy)


def package_version(package: str) -> str:
    """The version of an installed Python package; empty if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def site_packages() -> Path:
    """Where this Python keeps its packages."""
    return Path(sysconfig.get_path("purelib"))


def _candidates(tool: str) -> list[Path]:
    """Programs of that name: the environment's own first."""
    found = (shutil.which(tool, path=sysconfig.get_path("scripts")), shutil.which(tool))
    return [Path(path) for path in found if path]


def _include_folders() -> list[Path]:
    named = os.environ.get("CPLUS_INCLUDE_PATH", "").split(os.pathsep)
    return [Path(folder) for folder in (*named, "/usr/local/include", "/usr/include") if folder]


def _first_line(command: list[str]) -> str:
    """The first line that a program prints; empty if it does not run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.partition("\n")[0].strip() if done.returncode == 0 else ""
