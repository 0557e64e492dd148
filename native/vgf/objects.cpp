#include "vgf/objects.h"

#include "vulkan/error.h"

namespace vgfio {
namespace {

constexpr VkExternalMemoryHandleTypeFlags kHostAllocation =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

Result<ResourceObject> create_tensor(Device& device, const Resource& resource,
                                     const ObjectOptions& options) {
  const VkTensorDescriptionARM description = describe_tensor(resource, options.image_aliasing);
  VkExternalMemoryTensorCreateInfoARM external{
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_TENSOR_CREATE_INFO_ARM};
  external.handleTypes = kHostAllocation;
  VkTensorCreateInfoARM info{VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM};
  if (options.imported) info.pNext = &external;
  info.pDescription = &description;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VGFIO_CREATE(tensor, device.vk(), device.handle(), TensorARM, &info);

  ResourceObject object;
  object.tensor = std::move(tensor);
  VkTensorMemoryRequirementsInfoARM query{VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM};
  query.tensor = object.tensor.get();
  VkMemoryRequirements2 answer{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  device.vk().GetTensorMemoryRequirementsARM(device.handle(), &query, &answer);
  object.requirements = answer.memoryRequirements;
  return object;
}

Result<ResourceObject> create_buffer(Device& device, const Resource& resource,
                                     const ObjectOptions& options) {
  VkExternalMemoryBufferCreateInfo external{
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = kHostAllocation;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  if (options.imported) info.pNext = &external;
  info.size = resource.bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (resource.descriptor == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) {
    info.usage |= VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  }
  VGFIO_CREATE(buffer, device.vk(), device.handle(), Buffer, &info);
  ResourceObject object;
  object.buffer = std::move(buffer);
  device.vk().GetBufferMemoryRequirements(device.handle(), object.buffer.get(),
                                          &object.requirements);
  return object;
}

Result<Handle<VkSampler>> create_sampler(Device& device, const SamplerConfig& config) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.minFilter = config.min_filter;
  info.magFilter = config.mag_filter;
  info.addressModeU = config.address_u;
  info.addressModeV = config.address_v;
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.borderColor = config.border;
  VGFIO_CREATE(sampler, device.vk(), device.handle(), Sampler, &info);
  return sampler;
}

Result<ResourceObject> create_image(Device& device, const Resource& resource,
                                    const ObjectOptions& options) {
  const ImageExtent extent = image_extent(resource);
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = resource.format;
  info.extent = {extent.width, extent.height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  // Images in one memory must agree in how they are created.
  const bool storage = resource.descriptor == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  if (storage || options.shared_memory) info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  if (!storage || options.shared_memory) info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (options.shared_memory) info.flags |= VK_IMAGE_CREATE_ALIAS_BIT;
  if (options.image_aliasing) info.usage |= VK_IMAGE_USAGE_TENSOR_ALIASING_BIT_ARM;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  VGFIO_CREATE(image, device.vk(), device.handle(), Image, &info);
  ResourceObject object;
  object.image = std::move(image);
  device.vk().GetImageMemoryRequirements(device.handle(), object.image.get(),
                                         &object.requirements);
  if (resource.descriptor == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
    VGFIO_ASSIGN_OR_RETURN(
        object.sampler, create_sampler(device, resource.sampler.value_or(SamplerConfig())));
  }
  return object;
}

Status bind_tensor(Device& device, const Resource& resource, VkDeviceMemory memory,
                   VkDeviceSize offset, ResourceObject& object) {
  VkBindTensorMemoryInfoARM info{VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM};
  info.tensor = object.tensor.get();
  info.memory = memory;
  info.memoryOffset = offset;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device.vk(), BindTensorMemoryARM, device.handle(), 1, &info));
  VkTensorViewCreateInfoARM view_info{VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM};
  view_info.tensor = object.tensor.get();
  view_info.format = resource.format;
  VGFIO_CREATE(view, device.vk(), device.handle(), TensorViewARM, &view_info);
  object.tensor_view = std::move(view);
  return Status();
}

Status bind_image(Device& device, const Resource& resource, VkDeviceMemory memory,
                  VkDeviceSize offset, ResourceObject& object) {
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device.vk(), BindImageMemory, device.handle(),
                                 object.image.get(), memory, offset));
  VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = object.image.get();
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = resource.format;
  info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VGFIO_CREATE(view, device.vk(), device.handle(), ImageView, &info);
  object.image_view = std::move(view);
  return Status();
}

}  // namespace

Result<ResourceObject> create_object(Device& device, const Resource& resource,
                                     const ObjectOptions& options) {
  switch (resource.kind) {
    case ResourceKind::kBuffer:
      return create_buffer(device, resource, options);
    case ResourceKind::kImage:
      return create_image(device, resource, options);
    default:
      return create_tensor(device, resource, options);
  }
}

Resource host_twin(const Resource& resource) {
  Resource twin = resource;
  twin.strides.clear();
  twin.alias_group.reset();
  if (resource.kind == ResourceKind::kImage) {
    twin.kind = ResourceKind::kBuffer;
    twin.descriptor = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
  return twin;
}

Status bind_object(Device& device, const Resource& resource, VkDeviceMemory memory,
                   VkDeviceSize offset, ResourceObject& object) {
  switch (resource.kind) {
    case ResourceKind::kBuffer:
      return VGFIO_VK(device.vk(), BindBufferMemory, device.handle(), object.buffer.get(), memory,
                      offset);
    case ResourceKind::kImage:
      return bind_image(device, resource, memory, offset, object);
    default:
      return bind_tensor(device, resource, memory, offset, object);
  }
}

VkTensorDescriptionARM describe_tensor(const Resource& resource, bool image_aliasing) {
  VkTensorDescriptionARM description{VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM};
  description.tiling =
      image_aliasing ? VK_TENSOR_TILING_OPTIMAL_ARM : VK_TENSOR_TILING_LINEAR_ARM;
  description.format = resource.format;
  description.dimensionCount = static_cast<uint32_t>(resource.shape.size());
  description.pDimensions = resource.shape.data();
  // Only linear tensors may have strides.
  description.pStrides =
      image_aliasing || resource.strides.empty() ? nullptr : resource.strides.data();
  description.usage = VK_TENSOR_USAGE_SHADER_BIT_ARM | VK_TENSOR_USAGE_DATA_GRAPH_BIT_ARM |
                      VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM | VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM;
  if (image_aliasing) description.usage |= VK_TENSOR_USAGE_IMAGE_ALIASING_BIT_ARM;
  return description;
}

}  // namespace vgfio
