#include "base/aligned_buffer.h"

#include <algorithm>
#include <limits>
#include <string>

namespace vgfio {

Result<AlignedBuffer> AlignedBuffer::allocate(size_t bytes, size_t alignment) {
  if (!is_power_of_two(alignment)) {
    return Status::invalid("alignment " + std::to_string(alignment) + " is not a power of two");
  }
  if (bytes > std::numeric_limits<size_t>::max() - alignment) {
    return Status::failed("a buffer of " + std::to_string(bytes) + " bytes is too large");
  }
  AlignedBuffer buffer;
  buffer.capacity_ = round_up(std::max<size_t>(bytes, 1), alignment);
  // posix_memalign wants at least the alignment of a pointer.
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), buffer.capacity_) != 0) {
    return Status::failed("no host memory for a buffer of " + std::to_string(buffer.capacity_) +
                          " bytes");
  }
  buffer.memory_.reset(static_cast<std::byte*>(memory));
  return buffer;
}

}  // namespace vgfio
