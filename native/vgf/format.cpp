#include "vgf/format.h"

#include <map>

namespace vgfio {
namespace {

// Formats of VK_ARM_tensors (extension 460) that older headers do not name.
constexpr auto kBool = VkFormat(1000460000);
constexpr auto kBfloat16 = VkFormat(1000460001);
constexpr auto kFloat8E4M3 = VkFormat(1000460002);
constexpr auto kFloat8E5M2 = VkFormat(1000460003);

const std::map<VkFormat, FormatInfo>& table() {
  static const std::map<VkFormat, FormatInfo> formats = {
      {kBool, {"R8_BOOL_ARM", 1, 1}},
      {kBfloat16, {"R16_SFLOAT_FPENCODING_BFLOAT16_ARM", 2, 1}},
      {kFloat8E4M3, {"R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM", 1, 1}},
      {kFloat8E5M2, {"R8_SFLOAT_FPENCODING_FLOAT8E5M2_ARM", 1, 1}},
      {VK_FORMAT_R8_UNORM, {"R8_UNORM", 1, 1}},
      {VK_FORMAT_R8_SNORM, {"R8_SNORM", 1, 1}},
      {VK_FORMAT_R8_UINT, {"R8_UINT", 1, 1}},
      {VK_FORMAT_R8_SINT, {"R8_SINT", 1, 1}},
      {VK_FORMAT_R8_SRGB, {"R8_SRGB", 1, 1}},
      {VK_FORMAT_R8G8_UNORM, {"R8G8_UNORM", 2, 2}},
      {VK_FORMAT_R8G8_SNORM, {"R8G8_SNORM", 2, 2}},
      {VK_FORMAT_R8G8_UINT, {"R8G8_UINT", 2, 2}},
      {VK_FORMAT_R8G8_SINT, {"R8G8_SINT", 2, 2}},
      {VK_FORMAT_R8G8_SRGB, {"R8G8_SRGB", 2, 2}},
      {VK_FORMAT_R8G8B8_UNORM, {"R8G8B8_UNORM", 3, 3}},
      {VK_FORMAT_R8G8B8_SNORM, {"R8G8B8_SNORM", 3, 3}},
      {VK_FORMAT_R8G8B8_UINT, {"R8G8B8_UINT", 3, 3}},
      {VK_FORMAT_R8G8B8_SINT, {"R8G8B8_SINT", 3, 3}},
      {VK_FORMAT_R8G8B8_SRGB, {"R8G8B8_SRGB", 3, 3}},
      {VK_FORMAT_R8G8B8A8_UNORM, {"R8G8B8A8_UNORM", 4, 4}},
      {VK_FORMAT_R8G8B8A8_SNORM, {"R8G8B8A8_SNORM", 4, 4}},
      {VK_FORMAT_R8G8B8A8_UINT, {"R8G8B8A8_UINT", 4, 4}},
      {VK_FORMAT_R8G8B8A8_SINT, {"R8G8B8A8_SINT", 4, 4}},
      {VK_FORMAT_R8G8B8A8_SRGB, {"R8G8B8A8_SRGB", 4, 4}},
      {VK_FORMAT_R16_UNORM, {"R16_UNORM", 2, 1}},
      {VK_FORMAT_R16_SNORM, {"R16_SNORM", 2, 1}},
      {VK_FORMAT_R16_UINT, {"R16_UINT", 2, 1}},
      {VK_FORMAT_R16_SINT, {"R16_SINT", 2, 1}},
      {VK_FORMAT_R16_SFLOAT, {"R16_SFLOAT", 2, 1}},
      {VK_FORMAT_R16G16_UNORM, {"R16G16_UNORM", 4, 2}},
      {VK_FORMAT_R16G16_SNORM, {"R16G16_SNORM", 4, 2}},
      {VK_FORMAT_R16G16_UINT, {"R16G16_UINT", 4, 2}},
      {VK_FORMAT_R16G16_SINT, {"R16G16_SINT", 4, 2}},
      {VK_FORMAT_R16G16_SFLOAT, {"R16G16_SFLOAT", 4, 2}},
      {VK_FORMAT_R16G16B16_UNORM, {"R16G16B16_UNORM", 6, 3}},
      {VK_FORMAT_R16G16B16_SNORM, {"R16G16B16_SNORM", 6, 3}},
      {VK_FORMAT_R16G16B16_UINT, {"R16G16B16_UINT", 6, 3}},
      {VK_FORMAT_R16G16B16_SINT, {"R16G16B16_SINT", 6, 3}},
      {VK_FORMAT_R16G16B16_SFLOAT, {"R16G16B16_SFLOAT", 6, 3}},
      {VK_FORMAT_R16G16B16A16_UNORM, {"R16G16B16A16_UNORM", 8, 4}},
      {VK_FORMAT_R16G16B16A16_SNORM, {"R16G16B16A16_SNORM", 8, 4}},
      {VK_FORMAT_R16G16B16A16_UINT, {"R16G16B16A16_UINT", 8, 4}},
      {VK_FORMAT_R16G16B16A16_SINT, {"R16G16B16A16_SINT", 8, 4}},
      {VK_FORMAT_R16G16B16A16_SFLOAT, {"R16G16B16A16_SFLOAT", 8, 4}},
      {VK_FORMAT_R32_UINT, {"R32_UINT", 4, 1}},
      {VK_FORMAT_R32_SINT, {"R32_SINT", 4, 1}},
      {VK_FORMAT_R32_SFLOAT, {"R32_SFLOAT", 4, 1}},
      {VK_FORMAT_R32G32_UINT, {"R32G32_UINT", 8, 2}},
      {VK_FORMAT_R32G32_SINT, {"R32G32_SINT", 8, 2}},
      {VK_FORMAT_R32G32_SFLOAT, {"R32G32_SFLOAT", 8, 2}},
      {VK_FORMAT_R32G32B32_UINT, {"R32G32B32_UINT", 12, 3}},
      {VK_FORMAT_R32G32B32_SINT, {"R32G32B32_SINT", 12, 3}},
      {VK_FORMAT_R32G32B32_SFLOAT, {"R32G32B32_SFLOAT", 12, 3}},
      {VK_FORMAT_R32G32B32A32_UINT, {"R32G32B32A32_UINT", 16, 4}},
      {VK_FORMAT_R32G32B32A32_SINT, {"R32G32B32A32_SINT", 16, 4}},
      {VK_FORMAT_R32G32B32A32_SFLOAT, {"R32G32B32A32_SFLOAT", 16, 4}},
      {VK_FORMAT_R64_UINT, {"R64_UINT", 8, 1}},
      {VK_FORMAT_R64_SINT, {"R64_SINT", 8, 1}},
      {VK_FORMAT_R64_SFLOAT, {"R64_SFLOAT", 8, 1}},
      {VK_FORMAT_R64G64_UINT, {"R64G64_UINT", 16, 2}},
      {VK_FORMAT_R64G64_SINT, {"R64G64_SINT", 16, 2}},
      {VK_FORMAT_R64G64_SFLOAT, {"R64G64_SFLOAT", 16, 2}},
      {VK_FORMAT_R64G64B64_UINT, {"R64G64B64_UINT", 24, 3}},
      {VK_FORMAT_R64G64B64_SINT, {"R64G64B64_SINT", 24, 3}},
      {VK_FORMAT_R64G64B64_SFLOAT, {"R64G64B64_SFLOAT", 24, 3}},
      {VK_FORMAT_R64G64B64A64_UINT, {"R64G64B64A64_UINT", 32, 4}},
      {VK_FORMAT_R64G64B64A64_SINT, {"R64G64B64A64_SINT", 32, 4}},
      {VK_FORMAT_R64G64B64A64_SFLOAT, {"R64G64B64A64_SFLOAT", 32, 4}},
      {VK_FORMAT_B8G8R8A8_UNORM, {"B8G8R8A8_UNORM", 4, 4}},
      {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {"B10G11R11_UFLOAT_PACK32", 4, 3}},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {"A2B10G10R10_UNORM_PACK32", 4, 4}},
  };
  return formats;
}

}  // namespace

std::optional<FormatInfo> format_info(VkFormat format) {
  const auto found = table().find(format);
  if (found == table().end()) return std::nullopt;
  return found->second;
}

std::string format_name(VkFormat format) {
  const std::optional<FormatInfo> info = format_info(format);
  return info ? info->name : "format " + std::to_string(static_cast<int>(format));
}

}  // namespace vgfio
