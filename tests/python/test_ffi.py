"""Declarations from the header, and how a library is found and refused."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from harness import _ffi, locations
from harness.commands import arguments
from harness.errors import (
    HarnessError,
    InvalidRequestError,
    RunFailedError,
    UnsupportedError,
    from_status,
)
from tests.python.conftest import ROOT, CompileFake

HEADER = ROOT / "native" / "include" / "vgf_io_bench.h"


def test_record_dtype_has_the_fields_of_the_header_in_their_order() -> None:
    struct = re.search(
        r"typedef struct vgfio_record \{(.*?)\} vgfio_record;", HEADER.read_text(), re.S
    )
    assert struct is not None
    declared = re.findall(r"uint64_t (\w+);", struct[1])
    dtype = _ffi.record_dtype()
    assert dtype.names is not None
    assert list(dtype.names) == declared
    assert dtype.itemsize == 8 * len(declared)
    assert {dtype[name] for name in declared} == {np.dtype("uint64")}


def test_the_command_line_offers_exactly_the_modes_of_the_header() -> None:
    ffi = _ffi.declarations(HEADER)
    modes = _ffi.enumerators(ffi, "vgfio_io_mode", "VGFIO_IO_")
    waits = _ffi.enumerators(ffi, "vgfio_wait", "VGFIO_WAIT_")
    assert {name.replace("-", "_") for name in arguments.IO_MODES} == set(modes)
    assert set(arguments.WAITS) == set(waits)


def test_another_interface_version_is_refused(compile_fake: CompileFake) -> None:
    library = compile_fake(FAKE_ABI=99)
    with pytest.raises(InvalidRequestError, match=r"version 99, .* needs 1; .*harness build"):
        _ffi.open_library(library)


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "libtext.so"
    text.write_text("no ELF")
    with pytest.raises(InvalidRequestError, match="cannot load"):
        _ffi.open_library(text)


def test_a_library_of_something_else_is_refused(tmp_path: Path) -> None:
    other = Path(next(iter(Path("/").glob("lib/*/libm.so.6"))))
    with pytest.raises(InvalidRequestError, match="has no vgfio_abi_version"):
        _ffi.open_library(other)


def test_a_header_without_markers_is_refused(tmp_path: Path) -> None:
    header = tmp_path / "vgf_io_bench.h"
    header.write_text("int main(void);")
    with pytest.raises(InvalidRequestError, match="no cffi markers"):
        _ffi.declarations(header)


def test_the_header_beside_the_library_is_taken_first(tmp_path: Path) -> None:
    (tmp_path / locations.HEADER_NAME).write_text("")
    assert locations.find_header(tmp_path / "lib.so") == tmp_path / locations.HEADER_NAME
    assert locations.find_header(tmp_path / "else" / "lib.so") == HEADER


def test_a_missing_library_says_how_to_build_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(locations.LIBRARY_VARIABLE, raising=False)
    monkeypatch.setattr(locations, "CHECKOUT", tmp_path)
    with pytest.raises(InvalidRequestError, match="python -m harness build"):
        locations.find_library()


def test_the_variable_names_the_library(
    monkeypatch: pytest.MonkeyPatch, fake_library: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv(locations.LIBRARY_VARIABLE, str(fake_library))
    assert locations.find_library() == fake_library
    monkeypatch.setenv(locations.LIBRARY_VARIABLE, str(tmp_path / "gone.so"))
    with pytest.raises(InvalidRequestError, match=r"gone\.so, which VGFIO_LIBRARY names"):
        locations.find_library()


def test_each_build_folder_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(locations.LIBRARY_VARIABLE, raising=False)
    monkeypatch.setattr(locations, "CHECKOUT", tmp_path)
    for preset in ("debug", "release"):
        library = locations.library_of(preset)
        library.parent.mkdir(parents=True)
        library.touch()
        assert locations.find_library() == library


@pytest.mark.parametrize(
    ("status", "kind"),
    [(1, RunFailedError), (2, InvalidRequestError), (3, UnsupportedError), (77, RunFailedError)],
)
def test_a_status_becomes_its_error(status: int, kind: type[HarnessError]) -> None:
    assert type(from_status(status, "text")) is kind
