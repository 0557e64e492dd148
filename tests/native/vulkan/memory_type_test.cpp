#include <gtest/gtest.h>

#include "vulkan/device_plan.h"
#include "fake_device.h"

namespace vgfio::testing {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

// As a discrete GPU lists them: local, write-combined, cached, bus window.
const VkPhysicalDeviceMemoryProperties kDiscrete =
    memory_types({kLocal, kMapped, kMapped | kCached, kLocal | kMapped});

TEST(ChooseMemoryType, FirstOneWithoutAWish) {
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1111, {}), 0U);
}

TEST(ChooseMemoryType, OnlyAmongTheAllowedBits) {
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1010, {kMapped, 0, 0}), 1U);
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1000, {kMapped, 0, 0}), 3U);
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b0001, {kMapped, 0, 0}), std::nullopt);
  EXPECT_EQ(choose_memory_type(kDiscrete, 0, {}), std::nullopt);
  // Bits past the device's last type mean nothing.
  EXPECT_EQ(choose_memory_type(kDiscrete, 0xFFFFFFF0, {}), std::nullopt);
}

TEST(ChooseMemoryType, PrefersCachedMemoryAwayFromTheBusWindow) {
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1111, {kMapped, kCached, kLocal}), 2U);
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1011, {kMapped, kCached, kLocal}), 1U);
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1000, {kMapped, kCached, kLocal}), 3U);
}

TEST(ChooseMemoryType, AvoidsWhatItCan) {
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1100, {kMapped, 0, kCached | kLocal}), 2U);
  EXPECT_EQ(choose_memory_type(kDiscrete, 0b1110, {kMapped, 0, kCached | kLocal}), 1U);
}

TEST(ChooseMemoryType, APreferenceWeighsMoreThanAnAvoidance) {
  const auto memory = memory_types({kMapped, kMapped | kCached | kLocal});
  EXPECT_EQ(choose_memory_type(memory, 0b11, {kMapped, kCached, kLocal}), 1U);
}

TEST(ChooseMemoryType, WhatIsRequiredIsRequired) {
  EXPECT_EQ(choose_memory_type(memory_types({kMapped}), 1, {kMapped | kCached, 0, 0}),
            std::nullopt);
}

}  // namespace
}  // namespace vgfio::testing
