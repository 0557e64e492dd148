"""From a PyTorch module to a program with VGF delegates, through ExecuTorch's own exporter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from executorch.backends.arm.quantizer import VgfQuantizer, get_symmetric_quantization_config
from executorch.backends.arm.vgf import VgfCompileSpec, VgfPartitioner
from executorch.exir import (
    EdgeProgramManager,
    ExecutorchBackendConfig,
    ExecutorchProgramManager,
    to_edge_transform_and_lower,
)
from executorch.exir.lowered_backend_module import LoweredBackendModule
from executorch.exir.passes import MemoryPlanningPass
from executorch.exir.passes.quantize_io_pass import QuantizeInputs, QuantizeOutputs
from torch import nn
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from harness.exporting.spec import Quantization

Inputs = tuple[Any, ...]


@dataclass(frozen=True)
class LoweringOptions:
    """How a module becomes a program.

    Attributes:
        quantization: Applied before lowering, calibrated with the example inputs.
        plan_inputs: Give graph inputs a place in the method's planned memory. Benchmarks need
            False: a buffer of the caller's cannot be used in place otherwise.
        plan_outputs: The same for graph outputs.
        compiler_flags: Passed to `model-converter`.
        dynamic_shapes: As in `torch.export.export()`.
        skip_operators: ATen operators that stay on the CPU, as `aten.relu.default`.
        tosa_spec: TOSA profile and extensions of the target; None for the backend's default.
        external_constants: Put the constants of CPU operators into a file of their own.
    """

    quantization: Quantization = Quantization.NONE
    plan_inputs: bool = False
    plan_outputs: bool = False
    compiler_flags: tuple[str, ...] = ()
    dynamic_shapes: Any = None
    skip_operators: tuple[str, ...] = ()
    tosa_spec: str | None = None
    external_constants: bool = False


@dataclass(frozen=True)
class Lowered:
    """A finished program.

    Attributes:
        manager: ExecuTorch's object, for what is not here.
        reference: The module that was lowered, after quantization: run eagerly it gives what
            the program is to give, up to rounding.
        boundary: With int8 at the boundary what it means there: `input0_scale`, `input0_zp`,
            `output0_scale`, ... The program has a constant method for each.
    """

    manager: ExecutorchProgramManager
    reference: nn.Module
    boundary: dict[str, float] = field(default_factory=dict)

    @property
    def program(self) -> bytes:
        """The contents of the .pte file."""
        return bytes(self.manager.buffer)

    def vgf_blobs(self) -> list[bytes]:
        """What each delegate of the first method holds: the contents of a .vgf file."""
        graph = self.manager.exported_program().graph_module
        return [
            bytes(module.processed_bytes)
            for module in graph.children()
            if isinstance(module, LoweredBackendModule)
        ]

    def inputs(self) -> list[tuple[str, tuple[int, ...]]]:
        """Type (numpy spelling) and shape of each input of the first method."""
        program = self.manager.exported_program()
        wanted = set(program.graph_signature.user_inputs)
        nodes = [node for node in program.graph.nodes if node.op == "placeholder"]
        return [_type_and_shape(node.meta["val"]) for node in nodes if node.name in wanted]

    def outputs(self) -> list[tuple[str, tuple[int, ...]]]:
        """Type (numpy spelling) and shape of each output of the first method."""
        output = self.manager.exported_program().graph.output_node()
        return [_type_and_shape(node.meta["val"]) for node in output.args[0]]


def lower(module: nn.Module, inputs: Inputs, options: LoweringOptions) -> Lowered:
    """Exports, quantizes, partitions, compiles and serializes a module.

    Args:
        module: In evaluation mode.
        inputs: Example inputs, also the calibration data.
        options: How.
    Raises:
        RuntimeError: `model-converter` is missing or refuses the graph.
    """
    compile_spec = _compile_spec(options)
    if options.quantization is not Quantization.NONE:
        module = quantize(module, inputs, compile_spec)
    exported = torch.export.export(module, inputs, dynamic_shapes=options.dynamic_shapes)
    edge = to_edge_transform_and_lower(
        exported, partitioner=[_partitioner(compile_spec, options.skip_operators)]
    )
    if options.quantization is Quantization.INT8_IO:
        edge = quantize_boundary(edge)
    boundary = dict(edge._config_methods or {})
    return Lowered(edge.to_executorch(backend_config(options)), module, boundary)


def lower_methods(
    methods: Mapping[str, tuple[nn.Module, Inputs]], options: LoweringOptions
) -> ExecutorchProgramManager:
    """One program with several methods, each from a module of its own, not quantized."""
    exported = {
        name: torch.export.export(module, inputs) for name, (module, inputs) in methods.items()
    }
    partitioners = {
        name: [_partitioner(_compile_spec(options), options.skip_operators)] for name in methods
    }
    edge = to_edge_transform_and_lower(exported, partitioner=partitioners)
    return edge.to_executorch(backend_config(options))


def backend_config(options: LoweringOptions) -> ExecutorchBackendConfig:
    """ExecuTorch's configuration for these planning options."""
    return ExecutorchBackendConfig(
        memory_planning_pass=MemoryPlanningPass(
            alloc_graph_input=options.plan_inputs, alloc_graph_output=options.plan_outputs
        ),
        external_constants=options.external_constants,
    )


def quantize(module: nn.Module, inputs: Inputs, compile_spec: VgfCompileSpec) -> nn.Module:
    """The module with 8-bit symmetric quantization, as a graph module."""
    quantizer = VgfQuantizer(compile_spec)
    quantizer.set_global(get_symmetric_quantization_config())
    captured = torch.export.export(module, inputs).module(check_guards=False)
    prepared = prepare_pt2e(captured, quantizer)
    prepared(*inputs)
    converted: nn.Module = convert_pt2e(prepared)
    return converted


def quantize_boundary(edge: EdgeProgramManager) -> EdgeProgramManager:
    """Makes every graph input and output int8: drops the conversions at the boundary."""
    signature = edge.exported_program().graph_signature
    return edge.transform(
        [
            QuantizeInputs(edge, list(range(len(signature.user_inputs)))),
            QuantizeOutputs(edge, list(range(len(signature.user_outputs)))),
        ]
    )


def _type_and_shape(value: Any) -> tuple[str, tuple[int, ...]]:
    if isinstance(value, torch.Tensor):
        return str(value.dtype).removeprefix("torch."), tuple(int(size) for size in value.shape)
    return type(value).__name__, ()


def _compile_spec(options: LoweringOptions) -> VgfCompileSpec:
    spec = VgfCompileSpec(options.tosa_spec, list(options.compiler_flags))
    if options.quantization is Quantization.INT8_IO:
        # Without it the conversions become part of the delegate, and the boundary float32.
        spec._set_preserve_io_quantization(True)
    return spec


def _partitioner(compile_spec: VgfCompileSpec, skip_operators: Sequence[str]) -> VgfPartitioner:
    if not skip_operators:
        return VgfPartitioner(compile_spec)
    from harness.exporting.partitioning import Undelegated

    return VgfPartitioner(compile_spec, additional_checks=[Undelegated(skip_operators)])
