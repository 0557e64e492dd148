"""native/vulkan/arm_extensions.h against the Khronos headers that it stands in for.

Needs Vulkan headers of 1.4.328 or newer: the installed ones, or the folder with `vulkan/` that
VGFIO_KHRONOS_HEADERS names. One program sees both declarations, those of this project in a
namespace of their own, and says what differs. What it compares is read from the header itself.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

HEADER = Path(__file__).resolve().parents[2] / "native" / "vulkan" / "arm_extensions.h"
EXTENSIONS = ("VK_ARM_tensors", "VK_ARM_data_graph")
STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
ENUM = re.compile(r"^enum (\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
CONSTANT = re.compile(r"^inline constexpr \w+\s+(VK_\w+)\s*=", re.MULTILINE)
ALIAS = re.compile(r"^using (Vk\w+) =", re.MULTILINE)
FUNCTION = re.compile(r"^using (PFN_\w+) =", re.MULTILINE)
HANDLE = re.compile(r"^VK_DEFINE_NON_DISPATCHABLE_HANDLE\((\w+)\)", re.MULTILINE)
NAME = re.compile(r'^#define (VK_\w+_EXTENSION_NAME) ("[^"]+")', re.MULTILINE)

PROGRAM = """\
#define VK_NO_PROTOTYPES
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>
#include <vulkan/vulkan_core.h>

{khronos_names}
#undef VK_ARM_tensors
#undef VK_ARM_data_graph
namespace ours {{
#include "{header}"
}}

// Size of the result and of each argument; for comparison their types differ by the namespace.
template <typename T> constexpr std::size_t size_of() {{
  if constexpr (std::is_void_v<T>) return 0; else return sizeof(T);
}}
template <typename R, typename... A> std::vector<std::size_t> sizes(R (*)(A...)) {{
  return {{size_of<R>(), sizeof(A)...}};
}}
template <typename F> std::vector<std::size_t> signature() {{ return sizes(F(nullptr)); }}

int main() {{
  const auto check = [](const char* what, auto ours, auto theirs) {{
    if (ours != theirs) std::printf("%s: ours %lld, theirs %lld\\n", what,
                                    static_cast<long long>(ours), static_cast<long long>(theirs));
  }};
  const auto agree = [](const char* what, bool same) {{
    if (!same) std::printf("%s differs\\n", what);
  }};
{checks}
}}
"""


def test_every_declaration_is_compared() -> None:
    """A declaration of a form that the patterns above do not know would go unchecked."""
    text = HEADER.read_text(encoding="utf-8")
    patterns = (STRUCT, ENUM, CONSTANT, ALIAS, FUNCTION)
    known = sum(len(pattern.findall(text)) for pattern in patterns)
    starts = re.findall(r"^(?:struct \w+ \{|enum |inline constexpr |using )", text, re.MULTILINE)
    assert known == len(starts) > 50


def test_declarations_agree_with_khronos(tmp_path: Path) -> None:
    assert compare(HEADER, headers(), tmp_path) == ""


def test_a_difference_is_seen(tmp_path: Path) -> None:
    """The comparison itself, on a header with a wrong value, field order, type and signature."""
    text = HEADER.read_text(encoding="utf-8")
    zero, group = "  uint32_t zeroCount;\n", "  uint32_t groupSize;\n"
    for right, wrong in (
        ("VkStructureType(1000460001)", "VkStructureType(1000460099)"),
        (zero + group, group + zero),
        ("using VkTensorCreateFlagsARM = VkFlags64", "using VkTensorCreateFlagsARM = VkFlags"),
        ("PFN_vkCmdCopyTensorARM = void(", "PFN_vkCmdCopyTensorARM = VkResult("),
    ):
        assert right in text
        text = text.replace(right, wrong, 1)
    broken = tmp_path / "broken.h"
    broken.write_text(text, encoding="utf-8")
    seen = compare(broken, headers(), tmp_path)
    for name in (
        "VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM: ours 1000460099, theirs 1000460001",
        "VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM.zeroCount offset",
        "VkTensorCreateFlagsARM size: ours 4, theirs 8",
        "PFN_vkCmdCopyTensorARM differs",
    ):
        assert name in seen


def headers() -> Path | None:
    """The folder of headers that know both extensions; None for the system's own.

    Skips the test where there are none.
    """
    named = os.environ.get("VGFIO_KHRONOS_HEADERS", "")
    core = Path(named or "/usr/include") / "vulkan" / "vulkan_core.h"
    text = core.read_text(encoding="utf-8") if core.is_file() else ""
    if not all(f"#define {extension} 1" in text for extension in EXTENSIONS):
        if named:
            pytest.fail(f"VGFIO_KHRONOS_HEADERS: {core} is missing or older than 1.4.328")
        pytest.skip(f"{core} is older than 1.4.328; name newer headers in VGFIO_KHRONOS_HEADERS")
    return Path(named) if named else None


def compare(header: Path, include: Path | None, folder: Path) -> str:
    """What differs between a header and Khronos's, one line each."""
    text = header.read_text(encoding="utf-8")
    source, program = folder / "compare.cpp", folder / "compare"
    source.write_text(
        PROGRAM.format(
            header=header,
            khronos_names="\n".join(
                f"const char* const khronos_{name} = {name};" for name, _ in NAME.findall(text)
            ),
            checks="\n".join(f"  {line}" for line in checks(text)),
        ),
        encoding="utf-8",
    )
    compiler = os.environ.get("CXX") or shutil.which("c++") or "c++"
    command = [*compiler.split(), "-std=c++17", "-w", str(source), "-o", str(program)]
    if include is not None:
        command[-2:-2] = ["-isystem", str(include)]
    subprocess.run(command, check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def checks(text: str) -> Iterator[str]:
    """C++ statements that compare everything that a header declares."""
    for name in (*ALIAS.findall(text), *HANDLE.findall(text)):
        yield f'check("{name} size", sizeof(ours::{name}), sizeof(::{name}));'
    for name in CONSTANT.findall(text):
        yield f'check("{name}", (long long)(ours::{name}), (long long)(::{name}));'
    for name, body in ENUM.findall(text):
        yield f'check("{name} size", sizeof(ours::{name}), sizeof(::{name}));'
        for value in re.findall(r"VK_\w+", body):
            yield f'check("{value}", (long long)(ours::{value}), (long long)(::{value}));'
    for name, body in STRUCT.findall(text):
        yield f'check("{name} size", sizeof(ours::{name}), sizeof(::{name}));'
        for field in re.findall(r"(\w+);", body):
            both = f"offsetof(ours::{name}, {field}), offsetof(::{name}, {field})"
            yield f'check("{name}.{field} offset", {both});'
            both = f"sizeof(ours::{name}::{field}), sizeof(::{name}::{field})"
            yield f'check("{name}.{field} size", {both});'
    for name in FUNCTION.findall(text):
        yield f'agree("{name}", signature<ours::{name}>() == signature<::{name}>());'
    for name, literal in NAME.findall(text):
        yield f'agree("{name}", std::strcmp({literal}, khronos_{name}) == 0);'
