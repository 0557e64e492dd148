// Element formats that a VGF may name, as far as host memory is concerned.
#pragma once

#include <cstddef>
#include <optional>

#include "vulkan/arm_extensions.h"

namespace vgfio {

struct FormatInfo {
  const char* name;      // without VK_FORMAT_
  size_t element_bytes;  // of one texel or tensor element, all components
  uint32_t components;
};

// Nullopt for formats without a plain element size (packed, compressed,
// multi-planar ones).
std::optional<FormatInfo> format_info(VkFormat format);

}  // namespace vgfio
