"""Copy against zero-copy at the model boundary, measured on ExecuTorch's Arm VGF backend.

As a program: `python -m harness --help`. As a library:

    import harness

    with harness.Session.open("model.pte", io_mode="zero-copy") as session:
        session.allocate(seed=1)              # aligned buffers, bound, random inputs
        session.input_arrays[0][...] = 0.5    # filled in place: no copy follows
        run = session.run(200, warmup=20)     # one native call
        print(run.records["latency_ns"].mean(), session.output_arrays[0].shape)

Reports of many runs become one table, for pandas and the like:

    reports = [harness.load_report(path) for path in pathlib.Path("reports").glob("*.json")]
    table = pandas.DataFrame(harness.records_table(reports))

Importing it loads neither numpy nor the native library; the first use of a name does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.buffers import AlignedArray
    from harness.errors import (
        HarnessError,
        InterruptedRunError,
        InvalidRequestError,
        RunFailedError,
        UnsupportedError,
    )
    from harness.results import Report, load_report
    from harness.session import Run, Session
    from harness.tables import records_table
    from harness.tensors import TensorInfo, TensorPath

__version__ = "0.1.0"

__all__ = [
    "AlignedArray",
    "HarnessError",
    "InterruptedRunError",
    "InvalidRequestError",
    "Report",
    "Run",
    "RunFailedError",
    "Session",
    "TensorInfo",
    "TensorPath",
    "UnsupportedError",
    "load_report",
    "records_table",
]

_MODULES = {
    "AlignedArray": "buffers",
    "HarnessError": "errors",
    "InterruptedRunError": "errors",
    "InvalidRequestError": "errors",
    "Report": "results",
    "Run": "session",
    "RunFailedError": "errors",
    "Session": "session",
    "TensorInfo": "tensors",
    "TensorPath": "tensors",
    "UnsupportedError": "errors",
    "load_report": "results",
    "records_table": "tables",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
