"""Programs with something unusual about them, one factory each. Needs torch.

What a factory returns is everything that a test may want: the module, its example inputs and
how to lower it. The names are those of the cases in `tests.python.models`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from harness.exporting.lowering import LoweringOptions
from harness.exporting.spec import Quantization

Inputs = tuple[Any, ...]
CPU_SIGMOID = ("aten.sigmoid.default",)


class Call(nn.Module):
    """A module that is a function of its inputs."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def forward(self, *inputs: Any) -> Any:
        """Calls the function."""
        return self._function(*inputs)


@dataclass(frozen=True)
class OddModel:
    """One unusual program.

    Attributes:
        what: What is unusual, one line.
        module: In evaluation mode.
        inputs: Example inputs; the expected outputs belong to them.
        options: How it is lowered.
        delegates: Number of VGF delegates of the first method.
        refusal: What benchmark mode refuses it for; empty if it can be measured.
        tolerance: Absolute and relative, of outputs against eager PyTorch; (0, 0) is exact.
    """

    what: str
    module: nn.Module
    inputs: Inputs
    options: LoweringOptions = field(default_factory=LoweringOptions)
    delegates: int = 1
    refusal: str = ""
    tolerance: tuple[float, float] = (1e-5, 1e-5)
    changes_inputs: bool = False
    """Whether inputs are written; the program returns each of them before its own outputs."""


def _floats(*shape: int) -> Tensor:
    return torch.randn(*shape)


def _ints(dtype: torch.dtype, *shape: int) -> Tensor:
    return torch.randint(0, 50, shape).to(dtype)


class InPlace(nn.Module):
    """Changes its input."""

    def forward(self, x: Tensor) -> Tensor:
        """Adds one to the input, and returns the double."""
        x.add_(1.0)
        return x * 2.0


class ScalarInput(nn.Module):
    """Has an input that is a number; it is a constant of the exported program."""

    def forward(self, x: Tensor, number: Any) -> Tensor:
        """Scales."""
        result: Tensor = x * number
        return result


class CpuLinear(nn.Module):
    """A delegated part and a matrix product with weights that stays on the CPU."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(16, 16)

    def forward(self, x: Tensor) -> Tensor:
        """Doubles, then multiplies."""
        result: Tensor = self.linear(x * 2.0)
        return result


def _double(x: Tensor) -> Tensor:
    return x + x


def _middle_on_cpu(x: Tensor) -> Tensor:
    return torch.sigmoid(x * 2.0) + x


def _planned_io() -> OddModel:
    return OddModel(
        "inputs and outputs memory-planned, as by default",
        Call(_double),
        (_floats(2, 8),),
        LoweringOptions(plan_inputs=True, plan_outputs=True),
        refusal="memory-planned",
    )


def _planned_outputs() -> OddModel:
    return OddModel(
        "only the outputs memory-planned",
        Call(_double),
        (_floats(2, 8),),
        LoweringOptions(plan_outputs=True),
        refusal="memory-planned",
    )


def _planned_inputs() -> OddModel:
    return OddModel(
        "only the inputs memory-planned",
        Call(_double),
        (_floats(2, 8),),
        LoweringOptions(plan_inputs=True),
        refusal="memory-planned",
    )


def _dynamic_dimension() -> OddModel:
    return OddModel(
        "the first dimension is between 2 and 6",
        Call(_double),
        (_floats(4, 8),),
        LoweringOptions(
            dynamic_shapes=((({0: torch.export.Dim("rows", min=2, max=6)}),),),
        ),
        refusal="dynamic",
    )


def _scalar_int() -> OddModel:
    return OddModel("an int input", ScalarInput(), (_floats(8), 3), refusal="not a tensor")


def _scalar_float() -> OddModel:
    return OddModel("a float input", ScalarInput(), (_floats(8), 2.5), refusal="not a tensor")


def _scalar_bool() -> OddModel:
    return OddModel("a bool input", ScalarInput(), (_floats(8), True), refusal="not a tensor")


def _none_input() -> OddModel:
    return OddModel(
        "an input that is None",
        Call(lambda x, nothing: x * 2.0 if nothing is None else x),
        (_floats(8), None),
        refusal="not a tensor",
    )


def _multi_io() -> OddModel:
    return OddModel(
        "three inputs and three outputs, each of another shape",
        Call(lambda a, b, c: (a + b, b * c, torch.relu(c))),
        (_floats(4, 8), _floats(1, 8), _floats(3, 1)),
    )


def _pass_through() -> OddModel:
    return OddModel("an output that is an input", Call(lambda x: (x, x + 1.0)), (_floats(2, 8),))


def _same_output_twice() -> OddModel:
    def twice(x: Tensor) -> tuple[Tensor, Tensor]:
        result = x + 1.0
        return result, result

    return OddModel("one result as two outputs", Call(twice), (_floats(2, 8),))


def _in_place() -> OddModel:
    return OddModel("changes its input", InPlace(), (_floats(2, 8),), changes_inputs=True)


def _unused_input() -> OddModel:
    return OddModel(
        "an input that nothing reads", Call(lambda a, b: a * 2.0), (_floats(2, 8), _floats(2, 8))
    )


def _constant_output() -> OddModel:
    return OddModel(
        "an output that depends on no input",
        Call(lambda x: (x + 1.0, torch.full((2, 8), 3.0))),
        (_floats(2, 8),),
    )


def _two_delegates() -> OddModel:
    return OddModel(
        "an operator on the CPU between two delegates",
        Call(_middle_on_cpu),
        (_floats(2, 8),),
        LoweringOptions(skip_operators=CPU_SIGMOID),
        delegates=2,
    )


def _no_delegate() -> OddModel:
    return OddModel(
        "nothing is delegated",
        Call(torch.sigmoid),
        (_floats(2, 8),),
        LoweringOptions(skip_operators=CPU_SIGMOID),
        delegates=0,
        refusal="delegate",
    )


def _integers(dtype: torch.dtype) -> OddModel:
    """The target adds no integers but of 32 bits; it can move all of up to 32 bits."""
    return OddModel(
        f"{dtype} inputs and outputs".replace("torch.", ""),
        Call(lambda a, b: torch.cat([a, b])),
        (_ints(dtype, 3, 8), _ints(dtype, 2, 8)),
        tolerance=(0.0, 0.0),
    )


def _uint8_input() -> OddModel:
    return OddModel(
        "uint8 in, float32 out, converted by the device",
        Call(lambda x: x.to(torch.float32) * 2.0),
        (_ints(torch.uint8, 3, 8),),
    )


def _int64_boundary() -> OddModel:
    return OddModel(
        "int64 inputs and outputs, converted by the CPU; int32 in the delegate",
        Call(lambda x: (x.to(torch.int32) + 1).to(torch.int64)),
        (_ints(torch.int64, 3, 8),),
        tolerance=(0.0, 0.0),
    )


def _boolean() -> OddModel:
    return OddModel(
        "bool inputs and outputs",
        Call(torch.logical_and),
        (_floats(3, 8) > 0, _floats(3, 8) > 0),
        tolerance=(0.0, 0.0),
    )


def _halves(dtype: torch.dtype, tosa_spec: str | None = None) -> OddModel:
    rounding = 2.0**-7 if dtype is torch.bfloat16 else 2.0**-10
    return OddModel(
        f"{dtype} inputs and outputs".replace("torch.", ""),
        Call(lambda a, b: a * b + a),
        (_floats(3, 8).to(dtype), _floats(3, 8).to(dtype)),
        LoweringOptions(tosa_spec=tosa_spec),
        tolerance=(rounding, rounding),
    )


def _zero_d() -> OddModel:
    return OddModel(
        "tensors without a dimension",
        Call(lambda a, b: a + b),
        (torch.tensor(2.5), torch.tensor(-1.25)),
    )


def _high_rank() -> OddModel:
    return OddModel("six dimensions", Call(_double), (_floats(1, 2, 1, 2, 3, 2),))


def _channels_last() -> OddModel:
    module = nn.Conv2d(4, 4, 3, padding=1)
    return OddModel(
        "inputs and outputs in channels-last order",
        module,
        (_floats(1, 4, 6, 5).to(memory_format=torch.channels_last),),
        tolerance=(1e-4, 1e-4),
    )


def _channels_last_inside() -> OddModel:
    return OddModel(
        "a convolution: channels-last inside the device's graph, contiguous outside",
        nn.Conv2d(4, 4, 3, padding=1),
        (_floats(1, 4, 6, 5),),
        tolerance=(1e-4, 1e-4),
    )


def _external_constants() -> OddModel:
    return OddModel(
        "constants of a CPU operator in a .ptd file",
        CpuLinear(),
        (_floats(2, 16),),
        LoweringOptions(
            external_constants=True,
            skip_operators=(
                "aten.linear.default",
                "aten.addmm.default",
                "aten.permute_copy.default",
            ),
        ),
    )


def _quantize_on_cpu() -> OddModel:
    return OddModel(
        "int8 in the delegate, float32 outside, converted by CPU operators",
        Call(lambda a, b: a + b),
        (_floats(2, 8), _floats(2, 8)),
        LoweringOptions(quantization=Quantization.INT8, tosa_spec="TOSA-1.0+INT"),
        tolerance=(0.05, 0.0),
    )


def _sized(count: int) -> OddModel:
    return OddModel(
        f"int8 tensors of {count} bytes",
        Call(lambda x: torch.flip(x, [0])),
        (_ints(torch.int8, count),),
        tolerance=(0.0, 0.0),
    )


FACTORIES: dict[str, Callable[[], OddModel]] = {
    "planned_io": _planned_io,
    "planned_outputs": _planned_outputs,
    "planned_inputs": _planned_inputs,
    "dynamic_dimension": _dynamic_dimension,
    "scalar_int": _scalar_int,
    "scalar_float": _scalar_float,
    "scalar_bool": _scalar_bool,
    "none_input": _none_input,
    "multi_io": _multi_io,
    "pass_through": _pass_through,
    "same_output_twice": _same_output_twice,
    "in_place": _in_place,
    "unused_input": _unused_input,
    "constant_output": _constant_output,
    "two_delegates": _two_delegates,
    "no_delegate": _no_delegate,
    "int8": lambda: _integers(torch.int8),
    "uint8": _uint8_input,
    "int16": lambda: _integers(torch.int16),
    "int32": lambda: _integers(torch.int32),
    "int64": _int64_boundary,
    "bool": _boolean,
    "float16": lambda: _halves(torch.float16),
    "bfloat16": lambda: _halves(torch.bfloat16, "TOSA-1.0+FP+INT+bf16"),
    "zero_d": _zero_d,
    "high_rank": _high_rank,
    "channels_last": _channels_last,
    "channels_last_inside": _channels_last_inside,
    "external_constants": _external_constants,
    "quantize_on_cpu": _quantize_on_cpu,
    "bytes_4": lambda: _sized(4),
    "bytes_4095": lambda: _sized(4095),
    "bytes_4097": lambda: _sized(4097),
}
