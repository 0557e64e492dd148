// How the memory at an address is mapped into this process.
#pragma once

#include <cstddef>

namespace vgfio {

enum class MappedAccess { kWritable, kReadOnly, kUnmapped, kUnknown };

// The weakest access over [data, data + bytes), from /proc/self/maps; kUnknown
// where that cannot be read.
MappedAccess mapped_access(const void* data, size_t bytes);

}  // namespace vgfio
