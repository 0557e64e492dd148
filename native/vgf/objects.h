// The Vulkan objects of a resource: created without memory, bound to it, viewed.
#pragma once

#include "vgf/model.h"
#include "vulkan/memory.h"

namespace vgfio {

struct ObjectOptions {
  bool imported = false;        // its memory may be the caller's
  bool image_aliasing = false;  // see ResourcePlan
  bool shared_memory = false;   // in a memory group
};

// One tensor, buffer or image with its view. Movable; the memory it is bound to
// must outlive it.
struct ResourceObject {
  Handle<VkTensorARM> tensor;
  Handle<VkTensorViewARM> tensor_view;
  Handle<VkBuffer> buffer;
  Handle<VkImage> image;
  Handle<VkImageView> image_view;
  Handle<VkSampler> sampler;
  VkMemoryRequirements requirements{};
};

// The object that a segment binds.
Result<ResourceObject> create_object(Device& device, const Resource& resource,
                                     const ObjectOptions& options);

// The host-visible twin of a staged resource: a packed tensor for tensors, a
// buffer for buffers and images.
Resource host_twin(const Resource& resource);

// Binds memory and creates the view. Once per object.
Status bind_object(Device& device, const Resource& resource, VkDeviceMemory memory,
                   VkDeviceSize offset, ResourceObject& object);

// Description for object creation and for pipeline creation; both must agree.
// Points into `resource`, which must outlive it.
VkTensorDescriptionARM describe_tensor(const Resource& resource, bool image_aliasing);

}  // namespace vgfio
