"""A folder that runs the comparison on another machine: programs, libraries, layers, models
and this package, without torch, compilers or a network there.

The machine needs a Vulkan loader and driver, and Python where the harness is used; without
Python the runner alone measures both modes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness import locations, toolchain
from harness.errors import InvalidRequestError, RunFailedError

# Python packages that the harness imports there; the large ones are often present, or only
# needed for pages with plots, which another machine can make.
_PACKAGES = (
    "attrs",
    "cffi",
    "jsonschema",
    "jsonschema-specifications",
    "msgspec",
    "pycparser",
    "referencing",
    "rpds-py",
    "tabulate",
    "tomli",
    "tqdm",
    "typing_extensions",
)
_LARGE_PACKAGES = ("Jinja2", "MarkupSafe", "narwhals", "numpy", "plotly", "scipy")

# Libraries of a system that are the target's own: mixing them with others breaks programs.
_SYSTEM = (
    "libc.so",
    "libm.so",
    "libdl.so",
    "libpthread.so",
    "librt.so",
    "libgcc_s.so",
    "libstdc++.so",
    "ld-linux",
    "libvulkan",
)

_LAYERS = ("Graph", "Tensor")

_SCRIPT = """\
#!/bin/sh
# Copy against zero-copy on this machine. With Python 3.10 or newer, numpy and scipy:
# the whole harness, arguments as for `python -m harness bench`. Otherwise the runner
# alone, one report per mode, for each model given (default: the shipped ones).
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH="$here:$here/site${PYTHONPATH:+:$PYTHONPATH}"
export VGFIO_LIBRARY="$here/bin/libvgf_io_bench.so"
python=${PYTHON:-python3}
if "$python" -c 'import cffi, numpy, scipy, harness' 2>/dev/null; then
  exec "$python" -m harness bench "$@"
fi
echo "no Python with numpy, scipy and cffi: the runner alone" >&2
[ $# -gt 0 ] || set -- "$here"/harness/models/*.pte
for model; do
  name=$(basename "$model" .pte)
  for mode in 0 1; do
    report="$name-$([ $mode = 1 ] && echo zero_copy || echo copy).json"
    ET_VGF_ZERO_COPY=$mode "$here/bin/executor_runner" --model_path="$model" \\
      --print_output=none --vgf_perf_json="$report" || exit
    echo "$report"
  done
done
"""


@dataclass(frozen=True)
class Bundle:
    """What was made."""

    folder: Path
    files: int
    bytes: int


def bundle(
    out: Path,
    *,
    preset: str = "release",
    python_version: str | None = None,
    large_packages: bool = True,
    source: Path | None = None,
) -> Bundle:
    """Makes the folder anew.

    Args:
        out: The folder; must not exist, be empty, or be an earlier bundle.
        preset: The build to take the programs from.
        python_version: Of the other machine ("3.12"); None for this one's.
        large_packages: Put numpy and scipy in too, and what pages with plots are made with.
        source: The build's `bin` folder; None for that of the preset.
    Raises:
        InvalidRequestError: Not built, or the folder holds something else.
        RunFailedError: A copy or pip failed.
    """
    programs = source or locations.library_of(preset).parent
    if not (programs / locations.LIBRARY_NAME).is_file():
        raise InvalidRequestError(
            f"{programs} has no {locations.LIBRARY_NAME}; run `python -m harness build` first"
        )
    _clear(out)
    try:
        _copy_programs(programs, out)
        _copy_layers(out / "bin" / "layers")
        _copy_package(out / "harness")
        script = out / "run.sh"
        script.write_text(_SCRIPT, encoding="utf-8")
        script.chmod(0o755)
    except OSError as error:
        raise RunFailedError(f"cannot write the bundle {out}: {error}") from error
    _install_packages(out / "site", python_version, large_packages)
    files = [path for path in out.rglob("*") if path.is_file()]
    return Bundle(out, len(files), sum(path.stat().st_size for path in files))


def _clear(out: Path) -> None:
    """Makes room; never deletes what is no bundle."""
    if out.exists() and not out.is_dir():
        raise InvalidRequestError(f"{out} is a file; name a folder")
    if out.is_dir() and any(out.iterdir()):
        if not (out / "run.sh").is_file() or not (out / "bin" / locations.LIBRARY_NAME).is_file():
            raise InvalidRequestError(f"{out} is not empty and no earlier bundle; name another")
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)


def _copy_programs(programs: Path, out: Path) -> None:
    (out / "bin").mkdir()
    (out / "lib").mkdir()
    names = ("executor_runner", "arm_vgf_runner", locations.LIBRARY_NAME)
    for name in names:
        if (programs / name).is_file():
            shutil.copy2(programs / name, out / "bin" / name)
    header = locations.find_header()
    shutil.copy2(header, out / "bin" / header.name)
    for library in sorted(_libraries(out / "bin" / name for name in names)):
        shutil.copy2(library, out / "lib" / library.name)


def _libraries(files: Iterator[Path]) -> set[Path]:
    """Shared libraries that programs load, without those that are every system's own."""
    found: set[Path] = set()
    for file in files:
        if not file.is_file():
            continue
        listed = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=False)
        for line in listed.stdout.splitlines():
            name, arrow, rest = line.strip().partition(" => ")
            if not arrow or name.startswith(_SYSTEM):
                continue
            path = Path(rest.split(" (")[0])
            if not path.is_file():
                raise RunFailedError(f"{file.name} needs {name}, which this machine lacks")
            found.add(path)
    return found


def _copy_layers(folder: Path) -> None:
    layers = toolchain.emulation_layers().path
    if layers is None:
        return  # devices with native VK_ARM_* need none
    folder.mkdir(parents=True)
    manifests = layers.parent / "share" / "vulkan" / "explicit_layer.d"
    for layer in _LAYERS:
        library = f"libVkLayer_{layer}.so"
        shutil.copy2(layers / library, folder / library)
        name = f"VkLayer_{layer}.json"
        manifest = json.loads((manifests / name).read_text(encoding="utf-8"))
        # With a slash the loader takes it relative to the manifest.
        manifest["layer"]["library_path"] = f"./{library}"
        (folder / name).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _copy_package(folder: Path) -> None:
    unwanted = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(locations.PACKAGE, folder, ignore=unwanted)


def _install_packages(site: Path, python_version: str | None, large: bool) -> None:
    """The pinned versions where this checkout pins them, else those of this environment."""
    names = _PACKAGES + (_LARGE_PACKAGES if large else ())
    pins = locations.CHECKOUT / "requirements" / "bench.txt"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    command += ["--disable-pip-version-check", "--target", str(site), "--only-binary=:all:"]
    if python_version is not None:
        command += ["--python-version", python_version]
    if pins.is_file():
        command += ["--constraint", str(pins)]
    done = subprocess.run([*command, *names], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunFailedError("pip could not fetch the packages of the bundle", done.stderr.strip())
