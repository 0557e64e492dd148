"""The native library: finding it, opening it, and turning its status codes into errors.

The only module that imports cffi. Declarations are the text of the C header, so that
there is no second list of functions, constants or fields.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from harness import errors
from harness.locations import find_header, find_library

_NUMPY_TYPES = {"uint64_t": "u8", "int64_t": "i8", "uint32_t": "u4", "double": "f8"}
_BEGIN, _END = "/* cffi: begin */", "/* cffi: end */"


class Library:
    """The opened native library.

    Attributes:
        path: The file it was loaded from.
        header: The header that it was checked against.
        ffi: Where its types are declared.
        lib: Its functions. Their statuses go through `check()`.
    """

    def __init__(self, path: Path, header: Path) -> None:
        self.path = path
        self.header = header
        self.ffi = ffi = declarations(header)
        try:
            self.lib: Any = ffi.dlopen(str(path), ffi.RTLD_NOW | ffi.RTLD_LOCAL)
        except OSError as error:
            raise errors.InvalidRequestError(
                f"cannot load {path}: {error}; build it again with `python -m harness build`"
            ) from error
        self._refuse_other_abi()

    def _refuse_other_abi(self) -> None:
        expected = int(self.lib.VGFIO_ABI_VERSION)  # the header's: cffi answers it
        try:
            found = int(self.lib.vgfio_abi_version())
        except AttributeError as error:
            raise errors.InvalidRequestError(
                f"{self.path} is not the vgf_io_bench library: it has no vgfio_abi_version()"
            ) from error
        if found != expected:
            raise errors.InvalidRequestError(
                f"{self.path} has interface version {found}, this harness needs {expected}; "
                "build it again with `python -m harness build`"
            )

    def check(self, status: int, context: str = "") -> None:
        """Raises the error for a status that is not OK, with the library's own detail."""
        if status == 0:
            return
        detail = self.text(self.lib.vgfio_error_detail()) or f"status {status}"
        raise errors.from_status(status, f"{context}: {detail}" if context else detail)

    def text(self, pointer: Any) -> str:
        """A C string as text; empty for NULL. Bytes that are not UTF-8 survive as escapes."""
        if pointer == self.ffi.NULL:
            return ""
        return bytes(self.ffi.string(pointer)).decode("utf-8", "backslashreplace")

    def new(self, struct: str) -> Any:
        """A zeroed struct that carries its size, as the library asks."""
        value = self.ffi.new(f"{struct} *")
        value.struct_size = self.ffi.sizeof(struct)
        return value

    def names(self, enum: str, prefix: str) -> dict[str, int]:
        """The enumerators of an enum in lower case without their prefix, with their values."""
        return enumerators(self.ffi, enum, prefix)


def open_library(path: Path | None = None) -> Library:
    """Opens the library, each file once per process.

    Args:
        path: The file; None looks at the variable VGFIO_LIBRARY, then at the build folders.
    Raises:
        InvalidRequestError: There is none, or it does not fit this harness.
    """
    return _open(find_library(path))


@functools.cache
def _open(path: Path) -> Library:
    return Library(path, find_header(path))


@functools.cache
def declarations(header: Path) -> Any:
    """The types and functions of a header, from the text between its cffi markers."""
    text = header.read_text(encoding="utf-8")
    _, begin, rest = text.partition(_BEGIN)
    body, end, _ = rest.partition(_END)
    if not begin or not end:
        raise errors.InvalidRequestError(f"{header} has no cffi markers: it is another header")
    ffi = cffi.FFI()
    ffi.cdef(body)
    return ffi


@functools.cache
def record_dtype(header: Path | None = None) -> np.dtype[np.void]:
    """The numpy type of one record: the fields, offsets and size of `vgfio_record`."""
    ffi = declarations(header or find_header())
    struct = ffi.typeof("vgfio_record")
    return np.dtype(
        {
            "names": [name for name, _ in struct.fields],
            "formats": [_NUMPY_TYPES[field.type.cname] for _, field in struct.fields],
            "offsets": [field.offset for _, field in struct.fields],
            "itemsize": ffi.sizeof(struct),
        }
    )


def enumerators(ffi: Any, enum: str, prefix: str) -> dict[str, int]:
    """The enumerators of an enum in lower case without their prefix, with their values."""
    return {
        name.removeprefix(prefix).lower(): value
        for value, name in ffi.typeof(enum).elements.items()
    }
