"""What the export command needs to know about a model. Needs no torch to be imported."""

from __future__ import annotations

import enum
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

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
        factory: `module:function` of a function without arguments that returns the module in
            evaluation mode and one tuple of example inputs. A string, so that listing the
            models imports no torch.
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
        """The module and its example inputs, always with the same values."""
        import torch

        module_name, _, function = self.factory.partition(":")
        make = cast(
            "Callable[[], Example]", getattr(importlib.import_module(module_name), function)
        )
        torch.manual_seed(self.seed)
        module, inputs = make()
        return module.eval(), inputs
