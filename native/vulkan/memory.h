// Device memory: allocated or imported, mapped where the host can see it.
#pragma once

#include <cstddef>

#include "vulkan/device.h"
#include "vulkan/handles.h"

namespace vgfio {

// Owns a VkDeviceMemory and its mapping. Freeing unmaps.
struct DeviceMemory {
  Handle<VkDeviceMemory> handle;
  VkDeviceSize size = 0;
  uint32_t type = 0;
  VkMemoryPropertyFlags flags = 0;
  std::byte* mapped = nullptr;  // null unless host-visible and asked for
  bool imported = false;
};

// Allocates `requirements.size` bytes in a type that fits the wish. Unsupported
// if there is no such type, failed if the device has no memory left.
Result<DeviceMemory> allocate_memory(Device& device, const VkMemoryRequirements& requirements,
                                     const MemoryWish& wish, bool map);

}  // namespace vgfio
