"""Reports: one model in one I/O mode on one device, as JSON and as arrays.

The schema in `harness/schema` is the one definition of the format; the native runner and
this package both write it, and `load_report()` reads either. Imports no sibling but errors
and records.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harness import parsing
from harness.errors import InvalidRequestError, RunFailedError
from harness.parsing import RecordFormat
from harness.records import Column, Records

SCHEMA_VERSION = 1

Document = Mapping[str, Any]

_RECORD_SECTIONS = ("warmup", "iterations")
_NULLABLE = frozenset({"gpu_ns"})


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a report."""
    text = files("harness.schema").joinpath(f"report-{SCHEMA_VERSION}.schema.json").read_text()
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def metrics() -> tuple[str, ...]:
    """Names of the record fields that a summary covers."""
    return tuple(schema()["$defs"]["summary"]["properties"])


@cache
def record_fields() -> tuple[str, ...]:
    """Names of all fields that a record may have."""
    return tuple(schema()["$defs"]["record"]["properties"])


@dataclass(frozen=True)
class Report:
    """A report whose document is valid against the schema."""

    document: Document

    @property
    def status(self) -> str:
        """One of "complete", "interrupted" and "failed"."""
        return str(self.document["status"])

    @property
    def error(self) -> str | None:
        """Why it failed, one line; None unless it did."""
        error: str | None = self.document["error"]
        return error

    @property
    def io_mode(self) -> str:
        """The I/O mode that was asked for."""
        return str(self.document["config"]["io_mode"])

    @property
    def model_name(self) -> str:
        """The model's file name without its ending, or "model"."""
        path = self.document["model"]["path"]
        return Path(path).stem if path else "model"

    @property
    def device(self) -> Mapping[str, Any]:
        """The device section; empty where the run never had a device."""
        return self.document["device"] or {}

    @property
    def measures_hardware(self) -> bool:
        """Whether its times say something about a GPU: neither a CPU device nor emulation."""
        return bool(self.device) and self.device["type"] != "cpu" and not self.device["emulated"]

    @property
    def timed(self) -> str:
        """The record field that tells how long an inference took: `end_to_end_ns` where the
        run measured that, else `latency_ns`."""
        rows = self.document["iterations"]
        return "end_to_end_ns" if rows and "end_to_end_ns" in rows[0] else "latency_ns"

    @property
    def tensors(self) -> Sequence[Mapping[str, Any]]:
        """Path and reason of every delegate tensor."""
        io = self.document["io"]
        return io["tensors"] if io else ()

    def column(self, field: str, section: str = "iterations") -> Column:
        """One field of the records, shape (inferences,); NaN where it is null."""
        return column(self.document[section], field)

    def blocks(self) -> npt.NDArray[np.int64]:
        """Block number of each measured inference; 0 where the run had no blocks."""
        return self._numbers("block")

    def processes(self) -> npt.NDArray[np.int64]:
        """Number of the process of each measured inference; 0 where there was only one."""
        return self._numbers("process")

    def _numbers(self, field: str) -> npt.NDArray[np.int64]:
        """An optional field of the records, 0 where one has none."""
        found = self.document["iterations"]
        if isinstance(found, Records):
            return np.nan_to_num(found.columns[field]).astype(np.int64)
        return np.array([row.get(field, 0) for row in found], np.int64)

    def blocks_by_process(self) -> list[list[Column]]:
        """How long the inferences of each block took, block by block, for each process."""
        times, blocks, processes = self.column(self.timed), self.blocks(), self.processes()
        found: list[list[Column]] = []
        for process in np.unique(processes):
            mine = processes == process
            found.append([times[mine & (blocks == block)] for block in np.unique(blocks[mine])])
        return found


def column(rows: Sequence[Mapping[str, Any]], field: str) -> Column:
    """One field of JSON records as an array; NaN for null."""
    if isinstance(rows, Records):
        return rows.columns[field]
    values = (row[field] for row in rows)
    return np.fromiter((np.nan if v is None else v for v in values), np.float64, len(rows))


def record_rows(records: npt.NDArray[Any], block: int | None = None) -> list[dict[str, Any]]:
    """Native records (fields of vgfio_record) as JSON records."""
    names = [name for name in records.dtype.names or () if name != "gpu_ns_valid"]
    rows = []
    for record in records:
        row: dict[str, Any] = {name: int(record[name]) for name in names}
        if not record["gpu_ns_valid"]:
            row["gpu_ns"] = None
        if block is not None:
            row["block"] = block
        rows.append(row)
    return rows


def validate(document: Document, name: str = "report") -> Report:
    """Checks a document against the schema.

    Raises:
        InvalidRequestError: It is no report of this version; says where it differs.
    """
    import jsonschema

    version = document.get("schema_version") if isinstance(document, Mapping) else None
    if version != SCHEMA_VERSION:
        raise InvalidRequestError(
            f"{name} is no benchmark report of version {SCHEMA_VERSION} "
            f"(schema_version is {version!r}); make it again with this version"
        )
    validator = jsonschema.Draft202012Validator(schema())
    error = jsonschema.exceptions.best_match(validator.iter_errors(_shortened(document)))
    if error is not None:
        raise InvalidRequestError(f"{name} is no valid report: {error.json_path}: {error.message}")
    return Report(document)


def load_report(path: Path) -> Report:
    """Reads and checks a report.

    Raises:
        InvalidRequestError: Missing, unreadable, no JSON, or no report.
    """
    return validate(read(path), str(path))


def read(path: Path) -> Any:
    """What a JSON file holds; records of a report as `Records`, which is quicker and smaller.

    Raises:
        InvalidRequestError: Missing, unreadable, or no JSON.
    """
    try:
        return parsing.parse(path.read_bytes(), _record_format())
    except OSError as error:
        raise InvalidRequestError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidRequestError(f"{path} is no JSON: {error}") from error


def to_json(document: Document) -> str:
    """Strict JSON in UTF-8: NaN and infinities are an error, never written; bytes of a path
    that are no text become question marks."""
    text = json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False, default=_listed)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def check_writable(path: Path) -> None:
    """Fails before any work where a report could not be written afterwards.

    Raises:
        InvalidRequestError: The folder is missing or not writable, or the path is a folder.
    """
    folder = path.parent
    if not folder.is_dir():
        raise InvalidRequestError(f"cannot write {path}: the folder {folder} does not exist")
    if path.is_dir():
        raise InvalidRequestError(f"cannot write {path}: it is a folder; name a file")
    target = path if path.exists() else folder
    if not os.access(target, os.W_OK) or not os.access(folder, os.W_OK):
        raise InvalidRequestError(f"cannot write {path}: no permission")


def write_text(path: Path, text: str) -> None:
    """Writes a file whole or not at all: beside it first, then renamed.

    Raises:
        RunFailedError: The disk refused; an older file is left as it was.
    """
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file():  # a pipe or device cannot be renamed over
            path.write_text(text, encoding="utf-8")
            return
        path = path.resolve()  # a link stays a link
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".vgfio-")
        temporary = Path(name)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise RunFailedError(f"cannot write {path}: {error.strerror}") from error


def save(report: Report, path: Path) -> None:
    """Writes a report as strict JSON, whole or not at all."""
    write_text(path, to_json(report.document))


def _shortened(document: Document) -> dict[str, Any]:
    """With one record for all that are plainly records: the validator takes long for each."""
    required = set(schema()["$defs"]["record"]["required"])
    known = set(record_fields())

    def is_plain(row: Any) -> bool:
        if not isinstance(row, dict) or not required <= row.keys() <= known:
            return False
        numbers = (value for name, value in row.items() if name != "gpu_ns" or value is not None)
        return all(type(value) is int and value >= 0 for value in numbers)

    short = dict(document)
    for section in _RECORD_SECTIONS:
        rows = short.get(section)
        if isinstance(rows, Records) or (isinstance(rows, list) and all(map(is_plain, rows))):
            short[section] = list(rows[:1])
    return short


@cache
def _record_format() -> RecordFormat:
    required = set(schema()["$defs"]["record"]["required"])
    fields = {name: name in required for name in record_fields()}
    return RecordFormat(_RECORD_SECTIONS, fields, _NULLABLE)


def _listed(value: object) -> list[Mapping[str, Any]]:
    if isinstance(value, Records):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON")
