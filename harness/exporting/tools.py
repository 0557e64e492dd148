"""What exporting needs beside Python code, found before any work begins. Needs no torch."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from harness.errors import InvalidRequestError

CONVERTER = "model-converter"
_CONVERTER_VARIABLE = "MODEL_CONVERTER_PATH"  # read by ExecuTorch's exporter
_MODULES = ("torch", "torchao", "executorch", "tosa_serializer", "ml_dtypes")
_PACKAGES = ("torch", "torchao", "executorch", "tosa-tools", "ai_ml_sdk_model_converter")
_INSTALL = (
    "install them with: pip install torch==2.13.0 executorch==1.5.1 tosa-tools==2026.5.0 "
    "ml_dtypes==0.5.1 ai_ml_sdk_model_converter==0.11.0"
)


def require() -> None:
    """Checks that everything is there and makes the converter findable for the exporter.

    Raises:
        InvalidRequestError: A package or the converter is missing; says how to get it.
    """
    missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise InvalidRequestError(f"export needs the packages {', '.join(missing)}; {_INSTALL}")
    converter = find_converter()
    if converter is None:
        raise InvalidRequestError(
            f"export needs the program {CONVERTER}: put it on PATH or name it in "
            f"{_CONVERTER_VARIABLE}, or pip install ai_ml_sdk_model_converter==0.11.0"
        )
    os.environ[_CONVERTER_VARIABLE] = str(converter)


def find_converter() -> Path | None:
    """The converter that the environment names, of this Python's own folder, or on PATH."""
    named = os.environ.get(_CONVERTER_VARIABLE)
    own = str(Path(sys.executable).parent)
    for candidate in (named, shutil.which(CONVERTER, path=own), shutil.which(CONVERTER)):
        if candidate and os.access(candidate, os.X_OK) and Path(candidate).is_file():
            return Path(candidate)
    return None


def versions() -> dict[str, str]:
    """Versions of the packages that decide what a program looks like."""
    return {name: importlib.metadata.version(name) for name in _PACKAGES}
