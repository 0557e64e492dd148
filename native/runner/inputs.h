// What goes into the input buffers: files, ones, or seeded random data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "vgf_io_bench.h"

namespace vgfio {

// Splits "a.bin, b.bin": blanks around a name are dropped, "\," is a comma of
// the name. "" is no file at all. Errors: an empty entry (a trailing comma).
Result<std::vector<std::string>> parse_input_list(std::string_view text);

// One file per input, each exactly as large as its tensor; reads nothing.
// The error has the index, the expected and the actual bytes.
Status check_input_files(const std::vector<std::string>& paths,
                         const std::vector<vgfio_tensor_info>& infos);

// Fills data[0 .. info.bytes) from the file.
Status read_input_file(const std::string& path, const vgfio_tensor_info& info, size_t index,
                       std::byte* data);

// Fills data[0 .. info.bytes) with reproducible values of the tensor's type:
// floating-point in [-1, 1), integers in a small range, booleans of both kinds.
void fill_synthetic(const vgfio_tensor_info& info, uint64_t seed, std::byte* data);

// Fills data[0 .. info.bytes) with ones of the tensor's type.
void fill_ones(const vgfio_tensor_info& info, std::byte* data);

}  // namespace vgfio
