#include "vulkan/memory.h"

#include "vulkan/error.h"

namespace vgfio {

Result<DeviceMemory> allocate_memory(Device& device, const VkMemoryRequirements& requirements,
                                     const MemoryWish& wish, bool map) {
  const VkPhysicalDeviceMemoryProperties& types = device.info().memory;
  const std::optional<uint32_t> type =
      choose_memory_type(types, requirements.memoryTypeBits, wish);
  if (!type) {
    return Status::unsupported("no memory type with flags " + std::to_string(wish.required) +
                               " among bits " + std::to_string(requirements.memoryTypeBits));
  }
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = requirements.size;
  info.memoryTypeIndex = *type;
  VkDeviceMemory raw = VK_NULL_HANDLE;
  VGFIO_RETURN_IF_ERROR(
      VGFIO_VK(device.vk(), AllocateMemory, device.handle(), &info, nullptr, &raw));

  DeviceMemory memory;
  memory.handle = Handle<VkDeviceMemory>(device.handle(), raw, device.vk().FreeMemory);
  memory.size = requirements.size;
  memory.type = *type;
  memory.flags = types.memoryTypes[*type].propertyFlags;
  if (map) {
    void* address = nullptr;
    VGFIO_RETURN_IF_ERROR(VGFIO_VK(device.vk(), MapMemory, device.handle(), raw, 0, VK_WHOLE_SIZE,
                                   0, &address));
    memory.mapped = static_cast<std::byte*>(address);
  }
  return memory;
}

}  // namespace vgfio
