"""What programs compute: against eager PyTorch, and against Arm's scenario-runner bit for bit."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import harness
from harness import locations
from harness.exporting import catalog, manifest
from tests.python import models, scenario

Array = np.ndarray[Any, np.dtype[Any]]

SHIPPED = tuple(spec.name for spec in catalog.MODELS if spec.shipped)
NOT_IN_A_SESSION = {
    "bundled": "bundled",
    "dynamic_dimension": "dynamic",
    "scalar_int": "tensor",
    "scalar_float": "tensor",
    "scalar_bool": "tensor",
    "none_input": "tensor",
    "no_delegate": "delegate",
}
NOT_IN_THE_RUNNER = {
    "bundled": "the plain runner takes no bundled program",
    "dynamic_dimension": "the VGF has no shapes to make a graph of before the inputs are there",
}
# One delegate that is the whole method, so that its tensors are the method's.
NETWORKS = (
    "mobilenet_1x3x96x96",
    "mobilenet_int8_1x3x96x96",
    "nss_1x12x32x32",
    "resnet_1x3x64x64",
    "transformer_1x64x64",
    "unet_1x3x64x64",
)
WHOLE_METHOD = (
    *SHIPPED,
    *NETWORKS,
    "multi_io",
    "int8",
    "int16",
    "float16",
    "high_rank",
    "bytes_4097",
)
IN_ALL_MODES = (
    "conv3_1x12x32x32",
    "conv3_int8_1x12x32x32",
    "multi_io",
    "pass_through",
    "in_place",
    "unused_input",
    "two_delegates",
    "channels_last",
    "planned_io",
    "bytes_4095",
)

pytestmark = pytest.mark.device

needs_cases = pytest.mark.skipif(
    bool(models.missing_packages()), reason=f"not installed: {models.missing_packages()}"
)
needs_scenario_runner = pytest.mark.skipif(
    bool(scenario.missing_packages()), reason=f"not installed: {scenario.missing_packages()}"
)


def read(folder: Path, tensor: models.TensorFile) -> Array:
    """The array in a case's file, in its shape; bfloat16 as its 16 bits."""
    dtype = "uint16" if tensor.dtype == "bfloat16" else tensor.dtype
    values = np.fromfile(folder / tensor.file, dtype)
    in_memory = values.reshape([tensor.shape[dim] for dim in tensor.dim_order])
    array: Array = in_memory.transpose(np.argsort(np.array(tensor.dim_order, int)))
    return array


def as_numbers(array: Array, dtype: str) -> Array:
    """float64 values."""
    if dtype == "bfloat16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float64)


def check(case: models.Case, outputs: list[Array]) -> None:
    """Every output within the case's tolerance."""
    assert len(outputs) == len(case.expected)
    absolute, relative = case.tolerance
    for index, (output, tensor) in enumerate(zip(outputs, case.expected, strict=True)):
        expected = as_numbers(read(case.folder, tensor), tensor.dtype)
        np.testing.assert_allclose(
            as_numbers(output, tensor.dtype).reshape(expected.shape),
            expected,
            rtol=relative,
            atol=absolute,
            err_msg=f"{case.name}, output {index}",
        )


def run_in_session(case: models.Case, io_mode: str, runs: int = 2) -> list[Array]:
    """Outputs of the last of several inferences on the same buffers."""
    with harness.Session.open(
        case.program, io_mode=io_mode, data=case.data, allow_planned_io=True
    ) as session:
        session.allocate([read(case.folder, tensor) for tensor in case.inputs])
        session.run(runs)
        return [array.copy() for array in session.output_arrays]


def sessions() -> list[tuple[str, str]]:
    """Every case in the two modes that are compared, some in the other two."""
    names = [*SHIPPED, *NETWORKS, *(n for n in models.NAMES if n not in NOT_IN_A_SESSION)]
    main = [(name, io_mode) for name in names for io_mode in ("copy", "zero-copy")]
    return main + [(name, io_mode) for name in IN_ALL_MODES for io_mode in ("staged", "lend")]


@needs_cases
@pytest.mark.parametrize(("name", "io_mode"), sessions())
def test_session_agrees_with_eager(name: str, io_mode: str) -> None:
    case = models.get(name)
    if name == "in_place":  # every inference changes its input: only the first one is known
        check(case, run_in_session(case, io_mode, runs=1))
    else:
        check(case, run_in_session(case, io_mode))


@needs_cases
@pytest.mark.parametrize(("name", "word"), sorted(NOT_IN_A_SESSION.items()))
def test_session_refuses_what_cannot_be_measured(name: str, word: str) -> None:
    case = models.get(name)
    with pytest.raises(harness.InvalidRequestError, match=word):
        harness.Session.open(case.program, allow_planned_io=True)


@needs_cases
@pytest.mark.parametrize("name", ["planned_io", "planned_inputs", "planned_outputs"])
def test_session_refuses_planned_memory_and_says_the_fix(name: str) -> None:
    with pytest.raises(harness.InvalidRequestError, match="alloc_graph_input=False"):
        harness.Session.open(models.get(name).program)


@needs_cases
@pytest.mark.parametrize("name", [*SHIPPED, *models.NAMES])
def test_runner_agrees_with_eager(name: str, tmp_path: Path) -> None:
    runner = locations.find_library().parent / "executor_runner"
    if not runner.is_file():
        pytest.skip(f"{runner} is not built")
    case = models.get(name)
    if name in NOT_IN_THE_RUNNER:
        pytest.skip(NOT_IN_THE_RUNNER[name])
    command = [
        str(runner),
        f"--model_path={case.program}",
        f"--inputs={','.join(map(str, case.paths(case.inputs)))}",
        f"--output_file={tmp_path / 'out'}",
        "--print_output=none",
    ]
    if case.data is not None:
        command.append(f"--data_path={case.data}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    outputs = []
    for index, tensor in enumerate(case.expected):
        written = models.TensorFile(
            f"out-{index}.bin", tensor.dtype, tensor.shape, tensor.dim_order
        )
        outputs.append(read(tmp_path, written))
    check(case, outputs)


@needs_cases
@needs_scenario_runner
@pytest.mark.parametrize("name", WHOLE_METHOD)
def test_same_bits_as_scenario_runner(name: str, tmp_path: Path) -> None:
    case = models.get(name)
    (vgf,) = scenario.delegate_blobs(case.program)
    inputs = [read(case.folder, tensor) for tensor in case.inputs]
    reference = scenario.run(vgf, inputs, len(case.expected), tmp_path)
    for io_mode in ("copy", "zero-copy"):
        for ours, theirs in zip(run_in_session(case, io_mode), reference, strict=True):
            assert ours.tobytes() == theirs.tobytes()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models_give_the_same_bits_in_both_modes(name: str) -> None:
    """Needs no torch: the programs as they are in the package."""
    folder = Path(harness.__file__).parent / "models"
    (entry,) = (entry for entry in manifest.read(folder) if entry.name == name)
    results = []
    for io_mode in ("copy", "zero-copy"):
        with harness.Session.open(folder / entry.file, io_mode=io_mode) as session:
            assert [(t.dtype, t.shape) for t in session.inputs] == [
                (t.dtype, t.shape) for t in entry.inputs
            ]
            session.allocate(seed=7)
            session.run(1)
            results.append([array.tobytes() for array in session.output_arrays])
    assert results[0] == results[1]
    assert any(any(output) for output in results[0])  # not left as allocated, all zero
