#include "runner/tensor_info.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

#include "base/aligned_buffer.h"
#include "base/names.h"
#include "runner/runtime_log.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;
using executorch::aten::ScalarType;

void copy_name(char (&destination)[VGFIO_NAME_CAPACITY], const std::string& name) {
  std::snprintf(destination, sizeof(destination), "%s", name.c_str());
}

Result<vgfio_tensor_info> describe_tensor(const et::TensorInfo& tensor, const std::string& name) {
  const size_t dims = tensor.sizes().size();
  if (dims > VGFIO_MAX_DIMS || tensor.dim_order().size() != dims) {
    return Status::invalid(name + " has " + std::to_string(dims) + " dimensions; at most " +
                           std::to_string(VGFIO_MAX_DIMS) + " are supported");
  }
  vgfio_tensor_info info{};
  info.struct_size = sizeof(info);
  info.dim_count = static_cast<uint32_t>(dims);
  const std::string own_name(tensor.name());
  copy_name(info.name, own_name.empty() ? name : own_name);
  copy_name(info.dtype, dtype_name(tensor.scalar_type()));
  info.bytes = tensor.nbytes();
  info.memory_planned = tensor.is_memory_planned() ? 1 : 0;
  info.element_bytes = static_cast<uint32_t>(et::elementSize(tensor.scalar_type()));
  std::copy_n(tensor.sizes().begin(), dims, info.shape);
  std::copy_n(tensor.dim_order().begin(), dims, info.dim_order);
  int64_t stride = 1;
  for (size_t i = dims; i-- > 0;) {
    const uint8_t dim = info.dim_order[i];
    if (dim >= dims) return Status::invalid(name + " has a damaged dim order");
    info.strides[dim] = stride;
    stride *= std::max<int64_t>(info.shape[dim], 1);
  }
  return info;
}

}  // namespace

std::string dtype_name(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
      return "uint8";
    case ScalarType::Char:
      return "int8";
    case ScalarType::Short:
      return "int16";
    case ScalarType::Int:
      return "int32";
    case ScalarType::Long:
      return "int64";
    case ScalarType::Half:
      return "float16";
    case ScalarType::Float:
      return "float32";
    case ScalarType::Double:
      return "float64";
    case ScalarType::UInt16:
      return "uint16";
    case ScalarType::UInt32:
      return "uint32";
    case ScalarType::UInt64:
      return "uint64";
    default:
      break;
  }
  std::string name = et::toString(type);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

std::string describe(const vgfio_tensor_info& info) {
  std::string text = std::string(info.dtype) + " [";
  for (uint32_t i = 0; i < info.dim_count; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(info.shape[i]);
  }
  return text + "]";
}

Result<std::vector<vgfio_tensor_info>> describe_tensors(const et::MethodMeta& meta,
                                                        vgfio_direction direction) {
  const bool input = direction == VGFIO_INPUT;
  const size_t count = input ? meta.num_inputs() : meta.num_outputs();
  std::vector<vgfio_tensor_info> infos;
  const RuntimeLogCapture capture;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = std::string(direction_name(direction)) + " " + std::to_string(i);
    const auto tag = input ? meta.input_tag(i) : meta.output_tag(i);
    if (tag.ok() && *tag != et::Tag::Tensor) {
      infos.emplace_back();
      continue;
    }
    const auto tensor = input ? meta.input_tensor_meta(i) : meta.output_tensor_meta(i);
    if (!tensor.ok()) {
      return runtime_status(tensor.error(), VGFIO_INVALID_REQUEST, name + " is damaged");
    }
    VGFIO_ASSIGN_OR_RETURN(const vgfio_tensor_info info, describe_tensor(*tensor, name));
    infos.push_back(info);
  }
  return infos;
}

void set_requirements(std::vector<vgfio_tensor_info>& infos, uint64_t alignment) {
  for (vgfio_tensor_info& info : infos) {
    info.required_alignment = std::max<uint64_t>(alignment, info.element_bytes);
    info.required_capacity = round_up(std::max<uint64_t>(info.bytes, 1), alignment);
  }
}

}  // namespace vgfio
