#include "vulkan/error.h"

#include <cstring>

namespace vgfio {

std::string vk_result_name(VkResult result) {
#define VGFIO_NAME(name) \
  case name:             \
    return #name
  switch (result) {
    VGFIO_NAME(VK_SUCCESS);
    VGFIO_NAME(VK_NOT_READY);
    VGFIO_NAME(VK_TIMEOUT);
    VGFIO_NAME(VK_INCOMPLETE);
    VGFIO_NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
    VGFIO_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    VGFIO_NAME(VK_ERROR_INITIALIZATION_FAILED);
    VGFIO_NAME(VK_ERROR_DEVICE_LOST);
    VGFIO_NAME(VK_ERROR_MEMORY_MAP_FAILED);
    VGFIO_NAME(VK_ERROR_LAYER_NOT_PRESENT);
    VGFIO_NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
    VGFIO_NAME(VK_ERROR_FEATURE_NOT_PRESENT);
    VGFIO_NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
    VGFIO_NAME(VK_ERROR_TOO_MANY_OBJECTS);
    VGFIO_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED);
    VGFIO_NAME(VK_ERROR_FRAGMENTED_POOL);
    VGFIO_NAME(VK_ERROR_UNKNOWN);
    VGFIO_NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
    VGFIO_NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE);
    VGFIO_NAME(VK_ERROR_FRAGMENTATION);
    default:
      return "VkResult " + std::to_string(static_cast<int>(result));
  }
#undef VGFIO_NAME
}

Status vk_status(VkResult result, const char* call, const char* file, int line) {
  if (result == VK_SUCCESS) return Status();
  const char* slash = std::strrchr(file, '/');
  std::string detail = std::string(call) + " returned " + vk_result_name(result) + " (" +
                       (slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line) + ")";
  switch (result) {
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_INCOMPATIBLE_DRIVER:
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
      return Status::unsupported(std::move(detail));
    default:
      return Status::failed(std::move(detail));
  }
}

}  // namespace vgfio
