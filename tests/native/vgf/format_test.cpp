#include "vgf/format.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace vgfio {
namespace {

TEST(FormatInfo, OfFormatsThatModelsUse) {
  const auto check = [](int format, const char* name, size_t bytes, uint32_t components) {
    const std::optional<FormatInfo> info = format_info(static_cast<VkFormat>(format));
    ASSERT_TRUE(info.has_value()) << name;
    EXPECT_STREQ(info->name, name);
    EXPECT_EQ(info->element_bytes, bytes) << name;
    EXPECT_EQ(info->components, components) << name;
  };
  check(VK_FORMAT_R32_SFLOAT, "R32_SFLOAT", 4, 1);
  check(VK_FORMAT_R16_SFLOAT, "R16_SFLOAT", 2, 1);
  check(VK_FORMAT_R8_SINT, "R8_SINT", 1, 1);
  check(VK_FORMAT_R32_SINT, "R32_SINT", 4, 1);
  check(VK_FORMAT_R64_SINT, "R64_SINT", 8, 1);
  check(VK_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4, 4);
  check(VK_FORMAT_R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 8, 4);
  check(VK_FORMAT_B10G11R11_UFLOAT_PACK32, "B10G11R11_UFLOAT_PACK32", 4, 3);
  check(1000460000, "R8_BOOL_ARM", 1, 1);
  check(1000460001, "R16_SFLOAT_FPENCODING_BFLOAT16_ARM", 2, 1);
}

TEST(FormatInfo, NoneForFormatsWithoutAPlainElementSize) {
  for (const VkFormat format : {VK_FORMAT_UNDEFINED, VK_FORMAT_BC7_UNORM_BLOCK,
                                VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, VK_FORMAT_D32_SFLOAT}) {
    EXPECT_FALSE(format_info(format).has_value()) << format;
  }
}

// Of the formats without packing all components have the same size, which is in
// the name as often as there are components.
TEST(FormatInfo, TheTableAgreesWithItsNames) {
  std::set<std::string> names;
  for (int number = 0; number < 200; ++number) {
    const std::optional<FormatInfo> info = format_info(static_cast<VkFormat>(number));
    if (!info) continue;
    const std::string name = info->name;
    EXPECT_TRUE(names.insert(name).second) << name;
    if (name.find("_PACK") != std::string::npos) continue;
    size_t bits = 0;
    size_t components = 0;
    for (size_t i = 0; name[i] != '_'; ++components) {
      size_t digits = 0;
      bits += std::stoul(name.substr(i + 1), &digits);
      i += 1 + digits;
    }
    EXPECT_EQ(info->components, components) << name;
    EXPECT_EQ(info->element_bytes * 8, bits) << name;
  }
  EXPECT_GT(names.size(), 40U);
}

}  // namespace
}  // namespace vgfio
