"""What the export command needs to know about a model. Needs no torch to be imported."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from harness.errors import InvalidRequestError

if TYPE_CHECKING:
    import torch

    Example = tuple["torch.nn.Module", tuple[Any, ...]]


class Quantization(enum.Enum):
    """How a model is quantized before it is lowered."""

    NONE = "none"
    INT8 = "int8"
    """Inside: inputs and outputs stay float32, the device converts."""
    INT8_IO = "int8-io"
    """Inside and at the boundary: inputs and outputs are int8."""


@dataclass(frozen=True)
class ModelSpec:
    """A model that can be exported by name.

    Attributes:
        name: What it is called on the command line and as a file, without `.pte`.
        description: One line for whoever picks a model.
        factory: `module:function`, or `file.py:function`, of a function without arguments
            that returns the module and one tuple of example inputs. A string, so that
            listing the models imports no torch.
        quantization: Applied before lowering; the example inputs calibrate it.
        shipped: Whether the program is part of the package, in `harness/models`.
        demo: Whether `bench` measures it where no model is named: shipped, and quick also
            where the CPU is the device.
        seed: Set before the factory runs, so that weights and inputs are always the same.
    """

    name: str
    description: str
    factory: str
    quantization: Quantization = Quantization.NONE
    shipped: bool = False
    demo: bool = False
    seed: int = 0

    def build(self) -> Example:
        """The module in evaluation mode and its example inputs, always with the same values.

        Raises:
            InvalidRequestError: The factory is missing, or does not return these two.
        """
        import torch

        make = self._factory()
        torch.manual_seed(self.seed)
        made = make()
        match made:
            case (torch.nn.Module() as module, tuple() as inputs):
                return module.eval(), inputs
        raise InvalidRequestError(
            f"{self.factory} must return a torch.nn.Module and a tuple of example inputs, not "
            f"{type(made).__name__}"
        )

    def _factory(self) -> Callable[[], object]:
        source, _, function = self.factory.rpartition(":")
        module = _load_file(Path(source)) if source.endswith(".py") else import_module(source)
        make = getattr(module, function, None)
        if not callable(make):
            raise InvalidRequestError(f"{source} has no function {function!r}")
        return cast("Callable[[], object]", make)


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InvalidRequestError(f"there is no file {path}")
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InvalidRequestError(f"{path} is no Python file")
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))  # for what it imports from beside it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module
