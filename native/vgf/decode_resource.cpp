#include "vgf/decode_resource.h"

#include <algorithm>
#include <limits>

#include "vgf/format.h"

namespace vgfio {
namespace {

namespace lib = mlsdk::vgflib;

// How a VGF writes a dimension that is not known before the model runs.
constexpr int64_t kDynamic = -1;

ResourceRole role_of(lib::ResourceCategory category) {
  switch (category) {
    case lib::ResourceCategory::INPUT:
      return ResourceRole::kInput;
    case lib::ResourceCategory::OUTPUT:
      return ResourceRole::kOutput;
    case lib::ResourceCategory::CONSTANT:
      return ResourceRole::kConstant;
    default:
      return ResourceRole::kIntermediate;
  }
}

// The descriptor type as a number: the file may hold anything, and older headers
// do not list the tensor type in the enumeration.
Result<ResourceKind> kind_of(int descriptor, size_t index) {
  switch (descriptor) {
    case static_cast<int>(VK_DESCRIPTOR_TYPE_TENSOR_ARM):
      return ResourceKind::kTensor;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return ResourceKind::kBuffer;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return ResourceKind::kImage;
    default:
      return bad(at("resource", index) + " has descriptor type " +
                 std::to_string(descriptor) + ", which is not supported");
  }
}

// Product of the shape and the element size; nullopt on overflow or a dimension
// below 1.
std::optional<uint64_t> packed_bytes(const std::vector<int64_t>& shape, uint64_t element_bytes) {
  uint64_t bytes = element_bytes;
  for (const int64_t dimension : shape) {
    if (dimension < 1 ||
        bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) /
                    static_cast<uint64_t>(dimension)) {
      return std::nullopt;
    }
    bytes *= static_cast<uint64_t>(dimension);
  }
  return bytes;
}

// What core Vulkan has; nothing for anything else.
std::optional<SamplerConfig> sampler_of(const lib::ModelResourceTableDecoder& table,
                                        lib::SamplerConfigHandle handle) {
  const uint32_t min_filter = table.getSamplerConfigMinFilter(handle);
  const uint32_t mag_filter = table.getSamplerConfigMagFilter(handle);
  const uint32_t address_u = table.getSamplerConfigAddressModeU(handle);
  const uint32_t address_v = table.getSamplerConfigAddressModeV(handle);
  const uint32_t border = table.getSamplerConfigBorderColor(handle);
  if (std::max(min_filter, mag_filter) > VK_FILTER_LINEAR ||
      std::max(address_u, address_v) > VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
      border > VK_BORDER_COLOR_INT_OPAQUE_WHITE) {
    return std::nullopt;
  }
  return SamplerConfig{
      static_cast<VkFilter>(min_filter), static_cast<VkFilter>(mag_filter),
      static_cast<VkSamplerAddressMode>(address_u), static_cast<VkSamplerAddressMode>(address_v),
      static_cast<VkBorderColor>(border)};
}

// Positive multiples of the element size, no dimension reaching into the one
// outside it: what Vulkan asks of the strides of a tensor.
bool strides_fit(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides,
                 uint64_t element_bytes) {
  auto inner = static_cast<int64_t>(element_bytes);  // bytes inside the dimension
  if (strides.back() != inner) return false;
  for (size_t i = shape.size(); i-- > 0;) {
    if (strides[i] < inner || strides[i] % static_cast<int64_t>(element_bytes) != 0 ||
        strides[i] > std::numeric_limits<int64_t>::max() / shape[i]) {
      return false;
    }
    inner = strides[i] * shape[i];
  }
  return true;
}

Status check_image_shape(const Resource& resource, const FormatInfo& format, size_t index) {
  const std::vector<int64_t>& shape = resource.shape;
  const bool batch_of_one = shape.size() == 4 && shape[0] == 1;
  if (!batch_of_one && shape.size() != 3) {
    return bad(at("image resource", index) + " is not [1,] height, width, channels");
  }
  if (shape.back() != format.components) {
    return bad(at("image resource", index) + " has " + std::to_string(shape.back()) +
               " channels, its format " + format.name + " has " +
               std::to_string(format.components));
  }
  constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();
  if (shape[shape.size() - 2] > kMaxExtent || shape[shape.size() - 3] > kMaxExtent) {
    return bad(at("image resource", index) + " is larger than an image can be");
  }
  return Status();
}

}  // namespace

Result<Resource> decode_resource(const lib::ModelResourceTableDecoder& table, uint32_t index) {
  Resource resource;
  resource.role = role_of(table.getCategory(index));
  const int descriptor =
      table.getDescriptorType(index).value_or(static_cast<int>(VK_DESCRIPTOR_TYPE_TENSOR_ARM));
  VGFIO_ASSIGN_OR_RETURN(resource.kind, kind_of(descriptor, index));
  resource.descriptor = static_cast<VkDescriptorType>(descriptor);
  const int number = table.getVkFormat(index);
  const std::optional<FormatInfo> format =
      number < 0 ? std::nullopt : format_info(static_cast<VkFormat>(number));
  if (!format) {
    return Status::unsupported(at("VGF resource", index) + " has format " +
                               std::to_string(number) + ", which is not supported");
  }
  resource.format = static_cast<VkFormat>(number);
  const auto shape = table.getTensorShape(index);
  resource.shape.assign(shape.begin(), shape.end());
  if (resource.shape.empty()) resource.shape = {1};
  if (std::count(resource.shape.begin(), resource.shape.end(), kDynamic) != 0) {
    return Status::invalid(at("VGF resource", index) +
                           " has a dynamic dimension; dynamic shapes are not supported: export "
                           "with static ones");
  }
  const auto strides = table.getTensorStride(index);
  resource.strides.assign(strides.begin(), strides.end());
  if (!resource.strides.empty() && resource.strides.size() != resource.shape.size()) {
    return bad(at("resource", index) + " has not as many strides as dimensions");
  }
  resource.element_bytes = format->element_bytes;
  // The channels of an image are inside its texels.
  std::vector<int64_t> counted = resource.shape;
  if (resource.kind == ResourceKind::kImage) {
    VGFIO_RETURN_IF_ERROR(check_image_shape(resource, *format, index));
    counted.pop_back();
  }
  const std::optional<uint64_t> bytes = packed_bytes(counted, resource.element_bytes);
  if (!bytes) {
    return bad(at("resource", index) + " has a dimension below 1 or too large a shape");
  }
  resource.bytes = *bytes;
  if (!resource.strides.empty() &&
      !strides_fit(resource.shape, resource.strides, resource.element_bytes)) {
    return bad(at("resource", index) + " has strides that do not fit its shape");
  }
  resource.alias_group = table.getAliasGroupId(index);
  if (const auto handle = table.getSamplerConfigHandle(index)) {
    resource.sampler = sampler_of(table, handle);
    if (!resource.sampler) {
      return bad(at("resource", index) + " has a sampler setting that is not supported");
    }
  }
  return resource;
}

}  // namespace vgfio
