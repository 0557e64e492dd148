#include "vulkan/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::HasSubstr;

TEST(VkResultName, KnownAndUnknown) {
  EXPECT_EQ(vk_result_name(VK_SUCCESS), "VK_SUCCESS");
  EXPECT_EQ(vk_result_name(VK_ERROR_DEVICE_LOST), "VK_ERROR_DEVICE_LOST");
  EXPECT_EQ(vk_result_name(VK_ERROR_INVALID_EXTERNAL_HANDLE), "VK_ERROR_INVALID_EXTERNAL_HANDLE");
  EXPECT_EQ(vk_result_name(VkResult(-123456)), "VkResult -123456");
}

TEST(VkStatus, SuccessIsOk) { EXPECT_TRUE(vk_status(VK_SUCCESS, "vkX", __FILE__, 1).ok()); }

TEST(VkStatus, NamesCallResultFileAndLine) {
  const Status status = vk_status(VK_ERROR_DEVICE_LOST, "vkQueueSubmit", "/a/b/commands.cpp", 42);
  EXPECT_EQ(status.detail(), "vkQueueSubmit returned VK_ERROR_DEVICE_LOST (commands.cpp:42)");
}

TEST(VkStatus, WhatTheDeviceHasNotGotIsUnsupportedTheRestFailed) {
  for (const VkResult result :
       {VK_ERROR_LAYER_NOT_PRESENT, VK_ERROR_EXTENSION_NOT_PRESENT, VK_ERROR_FEATURE_NOT_PRESENT,
        VK_ERROR_INCOMPATIBLE_DRIVER, VK_ERROR_FORMAT_NOT_SUPPORTED}) {
    EXPECT_EQ(vk_status(result, "vkX", "f", 1).code(), VGFIO_UNSUPPORTED)
        << vk_result_name(result);
  }
  for (const VkResult result :
       {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST,
        VK_TIMEOUT, VK_NOT_READY, VK_ERROR_UNKNOWN, VkResult(-123456)}) {
    EXPECT_EQ(vk_status(result, "vkX", "f", 1).code(), VGFIO_RUN_FAILED)
        << vk_result_name(result);
  }
}

TEST(VkCall, TheMacroNamesTheCallOfTheTable) {
  struct Table {
    VkResult (*CreateFence)(int) = [](int) { return VK_ERROR_OUT_OF_HOST_MEMORY; };
  } table;
  EXPECT_THAT(VGFIO_VK(table, CreateFence, 1).detail(),
              HasSubstr("vkCreateFence returned VK_ERROR_OUT_OF_HOST_MEMORY (error_test.cpp:"));
}

}  // namespace
}  // namespace vgfio
