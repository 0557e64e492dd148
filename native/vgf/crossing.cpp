#include "vgf/crossing.h"

#include <cstring>

#include "base/aligned_buffer.h"

namespace vgfio {

vgfio_tensor_path describe_crossing(const Crossing& crossing) {
  vgfio_tensor_path path{};
  path.struct_size = sizeof(path);
  path.direction = crossing.output ? VGFIO_OUTPUT : VGFIO_INPUT;
  path.index = static_cast<uint32_t>(crossing.index);
  path.path = crossing.path;
  path.reason = crossing.reason;
  path.memory_type = -1;
  path.pointer = reinterpret_cast<uint64_t>(crossing.host.data);
  path.alignment = alignment_of(crossing.host.data);
  path.bytes = crossing.bytes;
  if (crossing.memory != nullptr) {
    path.memory_type = static_cast<int32_t>(crossing.memory->type);
    path.memory_flags = crossing.memory->flags;
    path.imported = crossing.memory->imported ? 1 : 0;
    path.allocated_bytes = crossing.memory->size;
  }
  if (crossing.refusal != nullptr) {
    path.vk_result = crossing.refusal->vk_result;
    std::strncpy(path.detail, crossing.refusal->detail.c_str(), sizeof(path.detail) - 1);
  }
  return path;
}

void count_crossing(const Crossing& crossing, bool zero_copy_wanted, Record* record) {
  if (crossing.path == VGFIO_PATH_NONE) return;
  const uint64_t copied = crossing.path == VGFIO_PATH_COPY ? crossing.bytes : 0;
  [[maybe_unused]] const uint64_t not_copied = crossing.bytes - copied;
  if (crossing.output) {
    VGFIO_ADD(record, out_copy_bytes, copied);
    VGFIO_ADD(record, out_zero_copy_bytes, not_copied);
  } else {
    VGFIO_ADD(record, in_copy_bytes, copied);
    VGFIO_ADD(record, in_zero_copy_bytes, not_copied);
  }
  if (zero_copy_wanted && crossing.path == VGFIO_PATH_COPY) VGFIO_ADD(record, fallback_count, 1);
}

bool overlap(const HostTensor& a, const HostTensor& b) {
  const auto* a_begin = static_cast<const std::byte*>(a.data);
  const auto* b_begin = static_cast<const std::byte*>(b.data);
  return a_begin < b_begin + b.bytes && b_begin < a_begin + a.bytes;
}

std::string tensor_name(bool output, size_t index) {
  return (output ? "output " : "input ") + std::to_string(index);
}

}  // namespace vgfio
