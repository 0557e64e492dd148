// How the tensors of a session crossed the boundary, and why.
#include <cstring>

#include "base/aligned_buffer.h"
#include "base/names.h"
#include "vgf/vgf_session.h"

namespace vgfio {

std::string VgfSession::tensor_name(size_t index) const {
  return index < inputs_ ? "input " + std::to_string(index)
                         : "output " + std::to_string(index - inputs_);
}

// Why a tensor is copied, or nothing crosses. NONE in copy mode, and in lend mode
// for a buffer that is not the lent one.
vgfio_reason VgfSession::copy_reason(const Tensor& tensor) const {
  switch (tensor.source) {
    case Tensor::Source::kEliminated:
      return VGFIO_REASON_ELIMINATED;
    case Tensor::Source::kConstant:
      return VGFIO_REASON_CONSTANT;
    case Tensor::Source::kSameAs:
      return VGFIO_REASON_ALIASED_RESOURCE;
    default:
      return options_.io_mode == VGFIO_IO_COPY ? VGFIO_REASON_NONE
                                               : tensor.boundary->refusal().reason;
  }
}

Status VgfSession::check_required() const {
  if (!options_.require_zero_copy) return Status();
  if (options_.io_mode == VGFIO_IO_COPY) {
    return Status::invalid("zero-copy is required, but the mode is copy; choose another mode");
  }
  std::string copied;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].path != VGFIO_PATH_COPY) continue;
    const vgfio_reason reason = copy_reason(tensors_[i]);
    copied += (copied.empty() ? "" : "; ") + tensor_name(i) + ": " +
              (reason != VGFIO_REASON_NONE ? reason_name(reason)
                                           : tensors_[i].boundary->refusal().detail);
  }
  if (copied.empty()) return Status();
  return Status::failed("zero-copy is required, but it was not possible for " + copied);
}

void VgfSession::count_paths(Record* record) const {
  [[maybe_unused]] const bool zero_copy_wanted = options_.io_mode != VGFIO_IO_COPY;
  for (const Tensor& tensor : tensors_) {
    if (tensor.path == VGFIO_PATH_NONE) continue;
    const uint64_t copied = tensor.path == VGFIO_PATH_COPY ? tensor.bytes : 0;
    [[maybe_unused]] const uint64_t not_copied = tensor.bytes - copied;
    if (tensor.output) {
      VGFIO_ADD(record, out_copy_bytes, copied);
      VGFIO_ADD(record, out_zero_copy_bytes, not_copied);
    } else {
      VGFIO_ADD(record, in_copy_bytes, copied);
      VGFIO_ADD(record, in_zero_copy_bytes, not_copied);
    }
    if (zero_copy_wanted && tensor.path == VGFIO_PATH_COPY) VGFIO_ADD(record, fallback_count, 1);
  }
}

std::vector<vgfio_tensor_path> VgfSession::paths() const {
  std::vector<vgfio_tensor_path> paths;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& tensor = tensors_[i];
    vgfio_tensor_path path{};
    path.struct_size = sizeof(path);
    path.direction = tensor.output ? VGFIO_OUTPUT : VGFIO_INPUT;
    path.index = static_cast<uint32_t>(tensor.output ? i - inputs_ : i);
    path.path = tensor.path;
    path.memory_type = -1;
    path.pointer = reinterpret_cast<uint64_t>(tensor.host.data);
    path.alignment = alignment_of(tensor.host.data);
    path.bytes = tensor.bytes;
    if (tensor.bound != nullptr) {
      path.memory_type = static_cast<int32_t>(tensor.bound->memory->type);
      path.memory_flags = tensor.bound->memory->flags;
      path.imported = tensor.bound->memory->imported ? 1 : 0;
      path.allocated_bytes = tensor.bound->memory->size;
    }
    if (tensor.path == VGFIO_PATH_COPY || tensor.path == VGFIO_PATH_NONE) {
      path.reason = copy_reason(tensor);
    } else if (tensor.path == VGFIO_PATH_STAGED) {
      path.reason = tensor.boundary->staged_reason();
    }
    if (tensor.boundary != nullptr && tensor.path == VGFIO_PATH_COPY) {
      const Refusal& refusal = tensor.boundary->refusal();
      path.vk_result = refusal.vk_result;
      std::strncpy(path.detail, refusal.detail.c_str(), sizeof(path.detail) - 1);
    }
    paths.push_back(path);
  }
  return paths;
}

}  // namespace vgfio
