// Snapshots of devices that no machine has to have.
#pragma once

#include "vulkan/device_plan.h"

namespace vgfio::testing {

// A device that lacks nothing: one queue family for everything, an import
// alignment of 4096 and 64-bit timestamps.
DeviceSnapshot capable_device(const std::string& name, VkPhysicalDeviceType type);

// The same without VK_ARM_*: what a driver is before the emulation layers.
DeviceSnapshot plain_device(const std::string& name, VkPhysicalDeviceType type);

// Memory types with these flags, all in one heap.
VkPhysicalDeviceMemoryProperties memory_types(const std::vector<VkMemoryPropertyFlags>& flags);

}  // namespace vgfio::testing
