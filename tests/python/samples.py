"""Reports made up for tests, valid against the schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness import measuring, results
from harness.results import Report

TENSOR_BYTES = 1024
GPU = {
    "name": "Test GPU",
    "vendor_id": 1,
    "device_id": 2,
    "driver_name": "driver",
    "driver_info": "1.0",
    "api_version": "1.3.0",
    "type": "discrete_gpu",
    "emulated": False,
    "layers": [],
    "extensions": [],
    "import_alignment": 4096,
    "timestamps": True,
    "timestamp_period_ns": 1.0,
    "memory_types": [{"flags": 6, "heap": 0, "heap_bytes": 1 << 30}],
    "wait": "spin",
}
TOOL = {"name": "vgf-io-bench", "version": "0.1.0", "build_type": "Release", "sanitizers": False}
HOST = {
    "os": "Debian",
    "kernel": "Linux 6",
    "machine": "x86_64",
    "cpu": "Test CPU",
    "cores": 4,
    "governor": "performance",
    "load_average": [0.1, 0.1, 0.1],
}
MODEL = {
    "path": "/models/add.pte",
    "sha256": "a" * 64,
    "bytes": 4000,
    "method": "forward",
    "delegates": [{"id": "VgfBackend", "count": 1}],
    "vgf_delegates": 1,
}
INIT = {
    "load_ns": 1000,
    "device_ns": 2000,
    "decode_ns": 3000,
    "pipeline_ns": 4000,
    "import_ns": 0,
    "first_run_ns": None,
}


def record(latency_ns: int, **changes: Any) -> dict[str, Any]:
    """One inference that spends half its latency waiting for the device."""
    fields = dict.fromkeys(results.schema()["$defs"]["record"]["required"], 0)
    half = latency_ns // 2
    return {
        **fields,
        "latency_ns": latency_ns,
        "execute_ns": latency_ns - 10,
        "submit_wait_ns": half,
        "gpu_ns": None,
        **changes,
    }


def tensor(index: int = 0) -> dict[str, Any]:
    """A model input or output."""
    return {
        "name": f"tensor {index}",
        "dtype": "float32",
        "shape": [256],
        "strides": [1],
        "dim_order": [0],
        "bytes": TENSOR_BYTES,
        "element_bytes": 4,
        "required_alignment": 64,
        "required_capacity": 4096,
        "memory_planned": False,
    }


def path(direction: str, path: str = "copy", **changes: Any) -> dict[str, Any]:
    """How a delegate tensor crossed the boundary."""
    return {
        "delegate": 0,
        "direction": direction,
        "index": 0,
        "path": path,
        "reason": "none",
        "detail": None,
        "remedy": None,
        "vk_result": 0,
        "memory_type": 0,
        "memory_flags": 14,
        "imported": path == "zero_copy",
        "pointer": 4096,
        "alignment": 4096,
        "bytes": TENSOR_BYTES,
        "allocated_bytes": 4096,
        **changes,
    }


def document(
    latencies: Sequence[int], io_mode: str = "copy", blocks: int = 0, **changes: Any
) -> dict[str, Any]:
    """A complete report of inferences with these latencies.

    Args:
        latencies: Nanoseconds, in order.
        io_mode: The I/O mode.
        blocks: Into how many the inferences are numbered; 0 for a run without blocks.
        changes: Top-level sections to replace.
    """
    rows = [record(int(latency)) for latency in latencies]
    if blocks:
        for number, row in enumerate(rows):
            row["block"] = number * blocks // len(rows)
    tensor_path = "copy" if io_mode == "copy" else "zero_copy"
    inputs = {**tensor(), "source": "synthetic", "sha256": "b" * 64}
    tensors = [path("input", tensor_path), path("output", tensor_path)]
    return {
        "schema_version": 1,
        "status": "complete",
        "error": None,
        "tool": TOOL,
        "config": {
            "source": "harness",
            "io_mode": io_mode,
            "warmup": 0,
            "iterations": len(rows),
            "wait": "adaptive",
            "seed": 0,
            **({"run_id": "one", "blocks": blocks} if blocks else {}),
        },
        "host": HOST,
        "device": GPU,
        "model": MODEL,
        "io": {"inputs": [inputs], "outputs": [tensor()], "tensors": tensors},
        "init": INIT,
        "warmup": [],
        "iterations": rows,
        "profile": None,
        "summary": measuring.summary_json(rows),
        "warnings": [],
        **changes,
    }


def report(
    latencies: Sequence[int], io_mode: str = "copy", blocks: int = 0, **changes: Any
) -> Report:
    """The same, checked against the schema."""
    return results.validate(document(latencies, io_mode, blocks, **changes))
