// How the tensors of a session crossed the boundary, and why.
#include "base/names.h"
#include "vgf/vgf_session.h"

namespace vgfio {

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
    copied += (copied.empty() ? "" : "; ") + name_of(i) + ": " +
              (reason != VGFIO_REASON_NONE ? reason_name(reason)
                                           : tensors_[i].boundary->refusal().detail);
  }
  if (copied.empty()) return Status();
  return Status::failed("zero-copy is required, but it was not possible for " + copied);
}

Crossing VgfSession::crossing(size_t index) const {
  const Tensor& tensor = tensors_[index];
  Crossing crossing;
  crossing.output = tensor.output;
  crossing.index = tensor.output ? index - inputs_ : index;
  crossing.host = tensor.host;
  crossing.bytes = tensor.bytes;
  crossing.path = tensor.path;
  if (tensor.path == VGFIO_PATH_COPY || tensor.path == VGFIO_PATH_NONE) {
    crossing.reason = copy_reason(tensor);
  } else if (tensor.path == VGFIO_PATH_STAGED) {
    crossing.reason = tensor.boundary->staged_reason();
  }
  if (tensor.boundary != nullptr && tensor.path == VGFIO_PATH_COPY) {
    crossing.refusal = &tensor.boundary->refusal();
  }
  if (tensor.bound != nullptr) crossing.memory = tensor.bound->memory.get();
  return crossing;
}

void VgfSession::count_paths(Record* record) const {
  if (record == nullptr) return;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    count_crossing(crossing(i), options_.io_mode != VGFIO_IO_COPY, record);
  }
}

std::vector<vgfio_tensor_path> VgfSession::paths() const {
  std::vector<vgfio_tensor_path> paths;
  for (size_t i = 0; i < tensors_.size(); ++i) paths.push_back(describe_crossing(crossing(i)));
  return paths;
}

}  // namespace vgfio
