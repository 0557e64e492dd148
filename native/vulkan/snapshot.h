// Reads a physical device into a DeviceSnapshot.
#pragma once

#include "base/status.h"
#include "vulkan/device_plan.h"
#include "vulkan/functions.h"

namespace vgfio {

Result<DeviceSnapshot> snapshot_device(const InstanceFunctions& vk, VkPhysicalDevice device);

}  // namespace vgfio
