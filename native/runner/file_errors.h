// The same words for the same trouble with a file, wherever it is met.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace vgfio {

// 'text', with control characters and quotes as escapes so that a message stays
// one line whatever the path.
std::string quote(const std::string& text);

// Bytes of a regular file that can be read. The error (VGFIO_INVALID_REQUEST)
// says whether it is missing, a directory, not a regular file or not readable.
Result<size_t> regular_file_bytes(const std::string& path);

}  // namespace vgfio
