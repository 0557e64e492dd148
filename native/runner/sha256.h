// SHA-256 (FIPS 180-4), for naming a model file in a report. Own code because
// the set-up installs no cryptographic library.
#pragma once

#include <cstddef>
#include <string>

namespace vgfio {

// The digest of the bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(const void* data, size_t bytes);

}  // namespace vgfio
