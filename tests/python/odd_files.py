"""Writes the files of one case. Needs torch; `tests.python.models` calls it on demand."""

from __future__ import annotations

import contextlib
import io
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from harness.exporting import catalog
from harness.exporting.lowering import Lowered, LoweringOptions, lower, lower_methods
from harness.exporting.spec import Quantization
from tests.python import models
from tests.python.odd_models import FACTORIES, Call, OddModel


def write(name: str, folder: Path) -> None:
    """Makes a case's files in an empty folder.

    Raises:
        KeyError: There is no case of that name.
    """
    with _quiet():
        torch.manual_seed(0)
        if name in _SPECIAL:
            _SPECIAL[name](name, folder)
        elif name in FACTORIES:
            _write_odd(name, folder, FACTORIES[name]())
        else:
            _write_demo(name, folder)


def _write_odd(name: str, folder: Path, model: OddModel) -> None:
    lowered = lower(model.module.eval(), model.inputs, model.options)
    (folder / "model.pte").write_bytes(lowered.program)
    data = _write_external_data(folder, lowered) if model.options.external_constants else False
    _write_case(name, folder, model, len(lowered.vgf_blobs()), external_data=data)


def _write_demo(name: str, folder: Path) -> None:
    """A model of the export command, with the outputs of its eager reference."""
    spec = catalog.find(name)
    if spec is None:
        raise KeyError(name)
    module, inputs = spec.build()
    lowered = lower(module, inputs, LoweringOptions(quantization=spec.quantization))
    (folder / "model.pte").write_bytes(lowered.program)
    expected = outputs_of(lowered.reference, inputs)
    tolerance = (1e-4, 1e-4)
    if spec.quantization is Quantization.INT8_IO:
        inputs = tuple(_quantized(inputs, lowered, "input"))
        expected = _quantized(expected, lowered, "output")
        tolerance = (1.0, 0.0)  # one step: the device rounds ties another way
    elif spec.quantization is Quantization.INT8:
        tolerance = (_step(expected), 0.0)
    model = OddModel(spec.description, module, inputs, tolerance=tolerance)
    _write_case(name, folder, model, len(lowered.vgf_blobs()), expected)


def _write_bundled(name: str, folder: Path) -> None:
    from executorch.devtools import BundledProgram
    from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
    from executorch.devtools.bundled_program.serialize import (
        serialize_from_bundled_program_to_flatbuffer,
    )

    model = FACTORIES["planned_io"]()
    lowered = lower(model.module, model.inputs, model.options)
    test = MethodTestCase(
        inputs=model.inputs, expected_outputs=outputs_of(model.module, model.inputs)
    )
    bundle = BundledProgram(lowered.manager, [MethodTestSuite("forward", [test])])
    (folder / "model.pte").write_bytes(serialize_from_bundled_program_to_flatbuffer(bundle))
    odd = OddModel(
        "a program bundled with its test data", model.module, model.inputs, refusal="bundled"
    )
    _write_case(name, folder, odd, 1)


def _write_two_methods(name: str, folder: Path) -> None:
    x = torch.randn(2, 8)
    first = Call(lambda a: a + 1.0)
    manager = lower_methods(
        {"add_one": (first, (x,)), "triple": (Call(lambda a: a * 3.0), (x,))}, LoweringOptions()
    )
    (folder / "model.pte").write_bytes(bytes(manager.buffer))
    _write_case(name, folder, OddModel("two methods: add_one, triple", first, (x,)), 1)


def _write_large_method(name: str, folder: Path) -> None:
    """Unused values in the program's table: each takes room when the method is loaded."""
    from executorch.exir._serialize._program import deserialize_pte_binary, serialize_pte_binary
    from executorch.exir.schema import EValue, Int

    x = torch.randn(2, 8)
    module = Call(lambda a: a + a)
    program = lower(module, (x,), LoweringOptions()).program
    contents = deserialize_pte_binary(program)
    contents.program.execution_plan[0].values.extend([EValue(Int(0))] * 300_000)
    (folder / "model.pte").write_bytes(
        bytes(serialize_pte_binary(contents, extract_delegate_segments=True))
    )
    what = "a method that takes more than 4 MB of the method allocator"
    _write_case(name, folder, OddModel(what, module, (x,)), 1)


_SPECIAL: dict[str, Callable[[str, Path], None]] = {
    "bundled": _write_bundled,
    "two_methods": _write_two_methods,
    "large_method": _write_large_method,
}


def outputs_of(
    module: torch.nn.Module, inputs: Sequence[Any], with_inputs: bool = False
) -> list[Tensor]:
    """What eager PyTorch gives, after the inputs as the module left them if asked for."""
    copies = [x.clone() if isinstance(x, Tensor) else x for x in inputs]
    with torch.no_grad():
        result = module(*copies)
    outputs = [result] if isinstance(result, Tensor) else list(result)
    return [*copies, *outputs] if with_inputs else outputs


def _write_case(
    name: str,
    folder: Path,
    model: OddModel,
    delegates: int,
    expected: Sequence[Tensor] | None = None,
    external_data: bool = False,
) -> None:
    if delegates != model.delegates:
        raise AssertionError(f"{name} has {delegates} delegates, not {model.delegates}")
    if expected is None:
        expected = outputs_of(model.module, model.inputs, model.changes_inputs)
    case = models.Case(
        name=name,
        folder=folder,
        what=model.what,
        inputs=_write_tensors(folder, "input", model.inputs),
        expected=_write_tensors(folder, "expected", expected),
        tolerance=model.tolerance,
        delegates=delegates,
        refusal=model.refusal,
        external_data=external_data,
    )
    models.save(case)


def _write_tensors(folder: Path, stem: str, values: Sequence[Any]) -> tuple[models.TensorFile, ...]:
    files = []
    for index, value in enumerate(values):
        if value is None:  # as ExecuTorch's tests write it: eight bytes that mean nothing
            (folder / f"{stem}{index}.bin").write_bytes(bytes(8))
            files.append(models.TensorFile(f"{stem}{index}.bin", "none", (), ()))
            continue
        # A number as the program holds it: bool, int64 or float64.
        dtype = torch.float64 if isinstance(value, float) else None
        tensor = value if isinstance(value, Tensor) else torch.tensor(value, dtype=dtype)
        order = tuple(int(dim) for dim in tensor.dim_order())
        file = f"{stem}{index}.bin"
        in_memory = tensor.detach().permute(order).contiguous()
        (folder / file).write_bytes(in_memory.reshape(-1).view(torch.uint8).numpy().tobytes())
        name = str(tensor.dtype).removeprefix("torch.")
        files.append(models.TensorFile(file, name, tuple(tensor.shape), order))
    return tuple(files)


def _write_external_data(folder: Path, lowered: Lowered) -> bool:
    lowered.manager.write_tensor_data_to_file(str(folder))
    (written,) = folder.glob("*.ptd")
    shutil.move(written, folder / "model.ptd")
    return True


def _quantized(values: Sequence[Tensor], lowered: Lowered, stem: str) -> list[Tensor]:
    return [
        torch.clamp(
            torch.round(value / lowered.boundary[f"{stem}{index}_scale"])
            + lowered.boundary[f"{stem}{index}_zp"],
            -128,
            127,
        ).to(torch.int8)
        for index, value in enumerate(values)
    ]


def _step(values: Sequence[Tensor]) -> float:
    """A quantization step of the widest output, and a little for rounding."""
    return max(float(value.max() - value.min()) for value in values) / 255 * 1.01


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
