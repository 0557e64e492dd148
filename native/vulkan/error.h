// One path for checked Vulkan calls: which call, which VkResult, where.
#pragma once

#include "base/status.h"
#include "vulkan/arm_extensions.h"

namespace vgfio {

// "VK_ERROR_OUT_OF_DEVICE_MEMORY", or the number where it has no name here.
std::string vk_result_name(VkResult result);

// Ok for VK_SUCCESS. Errors that say "this device has not got it" are
// unsupported, the others failed.
Status vk_status(VkResult result, const char* call, const char* file, int line);

}  // namespace vgfio

// Status of a call on a function table: VGFIO_VK(vk, CreateFence, device, ...).
#define VGFIO_VK(table, name, ...) \
  ::vgfio::vk_status((table).name(__VA_ARGS__), "vk" #name, __FILE__, __LINE__)
