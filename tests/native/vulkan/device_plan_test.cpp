#include "vulkan/device_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_device.h"

namespace vgfio::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto kDiscrete = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
constexpr auto kIntegrated = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
constexpr auto kVirtual = VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
constexpr auto kCpu = VK_PHYSICAL_DEVICE_TYPE_CPU;
constexpr auto kOther = VK_PHYSICAL_DEVICE_TYPE_OTHER;

TEST(DevicePlan, TakesTheBestTypeWhateverTheOrder) {
  const std::vector<VkPhysicalDeviceType> best_first = {kDiscrete, kIntegrated, kVirtual, kCpu,
                                                        kOther};
  for (size_t best = 0; best < best_first.size(); ++best) {
    std::vector<DeviceSnapshot> devices;
    for (size_t i = best_first.size(); i-- > best;) {
      devices.push_back(capable_device("device", best_first[i]));
    }
    const Result<DevicePlan> plan = plan_device(devices, {});
    ASSERT_TRUE(plan.ok()) << plan.status().detail();
    EXPECT_EQ(devices[plan->index].type, best_first[best]);
  }
}

TEST(DevicePlan, TakesTheFirstOfEqualDevices) {
  const Result<DevicePlan> plan =
      plan_device({capable_device("a", kDiscrete), capable_device("b", kDiscrete)}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->index, 0U);
}

TEST(DevicePlan, ALesserDeviceThatCanBeatsABetterOneThatCannot) {
  const Result<DevicePlan> plan =
      plan_device({plain_device("big", kDiscrete), capable_device("small", kCpu)}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->index, 1U);
}

TEST(DevicePlan, WithoutNativeSupportNamesWhatEachDeviceLacks) {
  const Result<DevicePlan> plan =
      plan_device({plain_device("one", kDiscrete), plain_device("two", kCpu)}, {});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.status().code(), VGFIO_UNSUPPORTED);
  EXPECT_THAT(plan.status().detail(), HasSubstr("\"one\" lacks VK_ARM_tensors, VK_ARM_data_graph"));
  EXPECT_THAT(plan.status().detail(), HasSubstr("\"two\" lacks"));
}

TEST(DevicePlan, WithoutAnyDeviceSaysWhatToInstall) {
  const Result<DevicePlan> plan = plan_device({}, {});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.status().code(), VGFIO_UNSUPPORTED);
  EXPECT_THAT(plan.status().detail(), HasSubstr("install a driver"));
}

class RequestedDevice : public ::testing::Test {
 protected:
  const std::vector<DeviceSnapshot> devices_ = {capable_device("Mali-G1", kIntegrated),
                                                capable_device("GeForce 1", kDiscrete),
                                                plain_device("llvmpipe", kCpu)};
};

TEST_F(RequestedDevice, ByPartOfTheNameInAnyCase) {
  for (const char* request : {"mali", "MALI-G", "ali-g1"}) {
    const Result<DevicePlan> plan = plan_device(devices_, {request});
    ASSERT_TRUE(plan.ok()) << request << ": " << plan.status().detail();
    EXPECT_EQ(plan->index, 0U) << request;
  }
}

TEST_F(RequestedDevice, ByIndexBeforeByName) {
  // "1" is an index, though a name of another device holds it too.
  const Result<DevicePlan> plan = plan_device(devices_, {"1"});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->index, 1U);
}

TEST_F(RequestedDevice, UnknownNamesAndIndicesAreRefusedWithTheChoice) {
  for (const char* request : {"radeon", "3", "99999999999999999999"}) {
    const Result<DevicePlan> plan = plan_device(devices_, {request});
    ASSERT_FALSE(plan.ok()) << request;
    EXPECT_EQ(plan.status().code(), VGFIO_INVALID_REQUEST) << request;
    EXPECT_THAT(plan.status().detail(), HasSubstr(request));
    EXPECT_THAT(plan.status().detail(), HasSubstr("0 \"Mali-G1\", 1 \"GeForce 1\""));
  }
}

TEST_F(RequestedDevice, IsNotReplacedByAnotherOneThatCould) {
  const Result<DevicePlan> plan = plan_device(devices_, {"llvmpipe"});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.status().code(), VGFIO_UNSUPPORTED);
  EXPECT_THAT(plan.status().detail(), HasSubstr("device \"llvmpipe\" lacks VK_ARM_tensors"));
}

TEST(MissingForVgf, NothingOnACapableDevice) {
  EXPECT_THAT(missing_for_vgf(capable_device("device", kCpu)), IsEmpty());
}

TEST(MissingForVgf, EachThingByItsName) {
  DeviceSnapshot old = capable_device("device", kCpu);
  old.api_version = VK_API_VERSION_1_2;
  EXPECT_THAT(missing_for_vgf(old), ElementsAre("Vulkan 1.3"));
  for (const char* extension : {"VK_ARM_tensors", "VK_ARM_data_graph"}) {
    DeviceSnapshot device = capable_device("device", kCpu);
    device.extensions.erase(extension);
    EXPECT_THAT(missing_for_vgf(device), ElementsAre(extension));
  }
  for (const char* feature : {"tensors", "dataGraph", "synchronization2"}) {
    DeviceSnapshot device = capable_device("device", kCpu);
    device.features.erase(feature);
    EXPECT_THAT(missing_for_vgf(device), ElementsAre(std::string("feature ") + feature));
  }
}

TEST(MissingForVgf, AQueueMustHaveBothFlags) {
  DeviceSnapshot device = capable_device("device", kCpu);
  device.queue_families = {{VK_QUEUE_COMPUTE_BIT, 64}, {VK_QUEUE_DATA_GRAPH_BIT_ARM, 64}};
  EXPECT_THAT(missing_for_vgf(device), ElementsAre("a queue for compute and data graphs"));
}

TEST(DevicePlan, TakesTheQueueFamilyWithBothFlagsAndItsTimestamps) {
  DeviceSnapshot device = capable_device("device", kDiscrete);
  device.queue_families = {{VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, 64},
                           {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_DATA_GRAPH_BIT_ARM, 36}};
  const Result<DevicePlan> plan = plan_device({device}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->queue_family, 1U);
  EXPECT_EQ(plan->timestamp_valid_bits, 36U);
}

TEST(DevicePlan, EnablesHostImportOnlyWithExtensionAndAlignment) {
  DeviceSnapshot device = capable_device("device", kCpu);
  Result<DevicePlan> plan = plan_device({device}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(plan->host_import);
  EXPECT_THAT(plan->extensions, Contains("VK_EXT_external_memory_host"));

  device.import_alignment = 0;
  plan = plan_device({device}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan->host_import);
  EXPECT_THAT(plan->extensions, Not(Contains("VK_EXT_external_memory_host")));
}

TEST(DevicePlan, EnablesOnlyWhatTheSnapshotHas) {
  DeviceSnapshot device = capable_device("device", kCpu);
  device.extensions.insert("VK_KHR_maintenance5");
  device.extensions.insert("VK_KHR_swapchain");
  device.features.insert("shaderInt8");
  const Result<DevicePlan> plan = plan_device({device}, {});
  ASSERT_TRUE(plan.ok());
  for (const std::string& extension : plan->extensions) {
    EXPECT_EQ(device.extensions.count(extension), 1U) << extension;
  }
  EXPECT_THAT(plan->extensions, Contains("VK_KHR_maintenance5"));
  EXPECT_THAT(plan->extensions, Not(Contains("VK_KHR_swapchain")));
  EXPECT_EQ(plan->features, device.features);
}

TEST(DeviceTypeName, EachOne) {
  EXPECT_STREQ(device_type_name(kDiscrete), "discrete_gpu");
  EXPECT_STREQ(device_type_name(kIntegrated), "integrated_gpu");
  EXPECT_STREQ(device_type_name(kVirtual), "virtual_gpu");
  EXPECT_STREQ(device_type_name(kCpu), "cpu");
  EXPECT_STREQ(device_type_name(kOther), "other");
  EXPECT_STREQ(device_type_name(VkPhysicalDeviceType(77)), "other");
}

}  // namespace
}  // namespace vgfio::testing
