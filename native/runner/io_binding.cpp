#include "runner/io_binding.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <executorch/runtime/core/evalue.h>

#include "base/names.h"
#include "runner/mapped_memory.h"
#include "runner/runtime_log.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;
using executorch::aten::TensorImpl;

std::string tensor_name(vgfio_direction direction, size_t index) {
  return std::string(direction_name(direction)) + " " + std::to_string(index);
}

Status check_buffer(const vgfio_tensor_info& info, const std::string& name, const void* data,
                    size_t capacity, vgfio_direction direction, MappedAccess access) {
  if (data == nullptr) return Status::invalid(name + ": the buffer is null");
  if (capacity < info.bytes) {
    return Status::invalid(name + " (" + describe(info) + ") needs " + std::to_string(info.bytes) +
                           " bytes, the buffer has " + std::to_string(capacity));
  }
  const auto address = reinterpret_cast<uintptr_t>(data);
  if (info.element_bytes > 1 && address % info.element_bytes != 0) {
    return Status::invalid(name + ": the buffer is not aligned to its element size of " +
                           std::to_string(info.element_bytes) + " bytes");
  }
  if (access == MappedAccess::kUnmapped) {
    return Status::invalid(name + ": not all of the buffer is readable memory");
  }
  if (access == MappedAccess::kReadOnly && direction == VGFIO_OUTPUT) {
    return Status::invalid(name +
                           ": the buffer is read-only memory; bind memory that can be "
                           "written");
  }
  return {};
}

}  // namespace

IoBinding::IoBinding(et::Method& method, const MethodFacts& facts,
                     std::vector<vgfio_tensor_info> inputs, std::vector<vgfio_tensor_info> outputs)
    : method_(method), facts_(facts) {
  for (const auto& [infos, tensors] :
       {std::pair(&inputs, &inputs_), std::pair(&outputs, &outputs_)}) {
    for (const vgfio_tensor_info& info : *infos) {
      Tensor tensor;
      tensor.info = info;
      tensor.sizes.assign(info.shape, info.shape + info.dim_count);
      tensor.dim_order.assign(info.dim_order, info.dim_order + info.dim_count);
      tensor.strides.assign(info.strides, info.strides + info.dim_count);
      tensor.direct = info.memory_planned == 0;
      tensors->push_back(std::move(tensor));
    }
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    outputs_[i].direct = outputs_[i].direct && !passed_through(i);
  }
  has_planned_inputs_ = std::any_of(inputs_.begin(), inputs_.end(),
                                    [](const Tensor& tensor) { return !tensor.direct; });
}

std::vector<IoBinding::Tensor>& IoBinding::tensors(vgfio_direction direction) {
  return direction == VGFIO_INPUT ? inputs_ : outputs_;
}

bool IoBinding::passed_through(size_t output) const {
  if (output >= facts_.outputs.size()) return false;
  const int32_t value = facts_.outputs[output].value;
  const auto same = [value](const ValueFacts& other) { return other.value == value; };
  const auto outputs = facts_.outputs.begin();
  return std::any_of(facts_.inputs.begin(), facts_.inputs.end(), same) ||
         std::any_of(outputs, outputs + static_cast<std::ptrdiff_t>(output), same);
}

Result<IoBinding::Tensor*> IoBinding::find(vgfio_direction direction, size_t index) {
  auto& all = tensors(direction);
  if (direction > VGFIO_OUTPUT || index >= all.size()) {
    return Status::invalid("there is no " + tensor_name(direction, index) + "; the method has " +
                           std::to_string(inputs_.size()) + " inputs and " +
                           std::to_string(outputs_.size()) + " outputs");
  }
  return &all[index];
}

Status IoBinding::bind(vgfio_direction direction, size_t index, void* data, size_t capacity,
                       bool own_memory) {
  VGFIO_ASSIGN_OR_RETURN(Tensor * tensor, find(direction, index));
  const MappedAccess access = mapped_access(data, data == nullptr ? 0 : capacity);
  VGFIO_RETURN_IF_ERROR(
      check_buffer(tensor->info, tensor_name(direction, index), data, capacity, direction, access));
  auto* bytes = static_cast<std::byte*>(data);
  // The new region before the old one goes: the same buffer bound again keeps
  // what the delegate derived from it.
  NotedRegion region;
  if (!own_memory) {
    region = NotedRegion(HostRegion{bytes, capacity, access == MappedAccess::kReadOnly, false});
  }
  tensor->data = bytes;
  const RuntimeLogCapture capture;
  const Status status =
      direction == VGFIO_INPUT ? set_input(*tensor, index) : set_output(*tensor, index);
  tensor->region = std::move(region);
  return status;
}

Status IoBinding::set_input(Tensor& tensor, size_t index) {
  const auto meta = method_.method_meta().input_tensor_meta(index);
  if (!meta.ok()) return runtime_status(meta.error(), VGFIO_INVALID_REQUEST, "input is no tensor");
  tensor.value = std::make_unique<TensorImpl>(
      meta->scalar_type(), static_cast<ssize_t>(tensor.sizes.size()), tensor.sizes.data(),
      tensor.data, tensor.dim_order.data(), tensor.strides.data());
  const et::Error error =
      method_.set_input(et::EValue(executorch::aten::Tensor(tensor.value.get())), index);
  if (error == et::Error::Ok) return {};
  return runtime_status(error, VGFIO_RUN_FAILED,
                        tensor_name(VGFIO_INPUT, index) + " cannot be set");
}

Status IoBinding::set_output(Tensor& tensor, size_t index) {
  if (!tensor.direct) return {};
  const et::Error error = method_.set_output_data_ptr(tensor.data, tensor.info.bytes, index);
  if (error == et::Error::Ok) return {};
  return runtime_status(error, VGFIO_RUN_FAILED,
                        tensor_name(VGFIO_OUTPUT, index) + " cannot be set");
}

Status IoBinding::unbind(vgfio_direction direction, size_t index) {
  VGFIO_ASSIGN_OR_RETURN(Tensor * tensor, find(direction, index));
  tensor->data = nullptr;
  tensor->region.reset();
  return {};
}

Status IoBinding::check_complete() const {
  for (const auto& [direction, all] :
       {std::pair(VGFIO_INPUT, &inputs_), std::pair(VGFIO_OUTPUT, &outputs_)}) {
    for (size_t i = 0; i < all->size(); ++i) {
      if ((*all)[i].data == nullptr) {
        return Status::invalid(tensor_name(direction, i) +
                               " has no buffer; bind one before the "
                               "run");
      }
    }
  }
  return {};
}

Status IoBinding::copy_planned_inputs() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].direct) continue;
    const et::Error error =
        method_.set_input(et::EValue(executorch::aten::Tensor(inputs_[i].value.get())), i);
    if (error != et::Error::Ok) {
      return runtime_status(error, VGFIO_RUN_FAILED,
                            tensor_name(VGFIO_INPUT, i) + " cannot be copied in");
    }
  }
  return {};
}

Status IoBinding::end_run() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Tensor& tensor = outputs_[i];
    if (tensor.direct || tensor.data == nullptr) continue;
    const et::EValue& value = method_.get_output(i);
    if (!value.isTensor()) return Status::failed(tensor_name(VGFIO_OUTPUT, i) + " is no tensor");
    const auto& output = value.toTensor();
    const void* source = output.const_data_ptr();
    if (source == nullptr || output.nbytes() > tensor.info.bytes) {
      return Status::failed(tensor_name(VGFIO_OUTPUT, i) + " was not written");
    }
    if (source != tensor.data) std::memcpy(tensor.data, source, output.nbytes());
  }
  return {};
}

std::byte* IoBinding::data(vgfio_direction direction, size_t index) const {
  const auto& all = direction == VGFIO_INPUT ? inputs_ : outputs_;
  return index < all.size() ? all[index].data : nullptr;
}

}  // namespace vgfio
