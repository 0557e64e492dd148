#include "vulkan/snapshot.h"

#include "vulkan/error.h"
#include "vulkan/features.h"

namespace vgfio {
namespace {

Result<std::set<std::string>> read_extensions(const InstanceFunctions& vk,
                                              VkPhysicalDevice device) {
  uint32_t count = 0;
  VGFIO_RETURN_IF_ERROR(
      VGFIO_VK(vk, EnumerateDeviceExtensionProperties, device, nullptr, &count, nullptr));
  std::vector<VkExtensionProperties> properties(count);
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(vk, EnumerateDeviceExtensionProperties, device, nullptr, &count,
                                 properties.data()));
  std::set<std::string> names;
  for (uint32_t i = 0; i < count; ++i) names.insert(properties[i].extensionName);
  return names;
}

void read_properties(const InstanceFunctions& vk, VkPhysicalDevice device,
                     DeviceSnapshot& snapshot) {
  VkPhysicalDeviceTensorPropertiesARM tensor{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM};
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT host{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver};
  if (snapshot.extensions.count(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) > 0) {
    host.pNext = properties.pNext;
    properties.pNext = &host;
  }
  if (snapshot.extensions.count(VK_ARM_TENSORS_EXTENSION_NAME) > 0) {
    tensor.pNext = properties.pNext;
    properties.pNext = &tensor;
  }
  vk.GetPhysicalDeviceProperties2(device, &properties);

  const VkPhysicalDeviceProperties& core = properties.properties;
  snapshot.name = core.deviceName;
  snapshot.vendor_id = core.vendorID;
  snapshot.device_id = core.deviceID;
  snapshot.api_version = core.apiVersion;
  snapshot.type = core.deviceType;
  snapshot.timestamp_period_ns = core.limits.timestampPeriod;
  snapshot.driver_name = driver.driverName;
  snapshot.driver_info = driver.driverInfo;
  snapshot.import_alignment = host.minImportedHostPointerAlignment;
  snapshot.max_tensor_dimensions = tensor.maxTensorDimensionCount;
}

void read_features(const InstanceFunctions& vk, VkPhysicalDevice device,
                   DeviceSnapshot& snapshot) {
  FeatureChain chain;
  const bool arm = snapshot.extensions.count(VK_ARM_TENSORS_EXTENSION_NAME) > 0 &&
                   snapshot.extensions.count(VK_ARM_DATA_GRAPH_EXTENSION_NAME) > 0;
  if (!arm) chain.leave_out_arm();
  vk.GetPhysicalDeviceFeatures2(device, &chain.core);
  snapshot.features = feature_names(chain);
}

void read_queue_families(const InstanceFunctions& vk, VkPhysicalDevice device,
                         DeviceSnapshot& snapshot) {
  uint32_t count = 0;
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t i = 0; i < count; ++i) {
    snapshot.queue_families.push_back({families[i].queueFlags, families[i].timestampValidBits});
  }
}

}  // namespace

Result<DeviceSnapshot> snapshot_device(const InstanceFunctions& vk, VkPhysicalDevice device) {
  DeviceSnapshot snapshot;
  VGFIO_ASSIGN_OR_RETURN(snapshot.extensions, read_extensions(vk, device));
  read_properties(vk, device, snapshot);
  if (snapshot.api_version < VK_API_VERSION_1_3) return snapshot;
  read_features(vk, device, snapshot);
  read_queue_families(vk, device, snapshot);
  vk.GetPhysicalDeviceMemoryProperties(device, &snapshot.memory);
  return snapshot;
}

}  // namespace vgfio
