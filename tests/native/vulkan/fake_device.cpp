#include "fake_device.h"

#include "vulkan/features.h"

namespace vgfio::testing {

DeviceSnapshot capable_device(const std::string& name, VkPhysicalDeviceType type) {
  DeviceSnapshot device;
  device.name = name;
  device.api_version = VK_API_VERSION_1_3;
  device.type = type;
  device.extensions = {VK_ARM_TENSORS_EXTENSION_NAME, VK_ARM_DATA_GRAPH_EXTENSION_NAME,
                       VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME};
  for (const Feature& feature : known_features()) {
    if (feature.required) device.features.insert(feature.name);
  }
  device.queue_families = {
      {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_DATA_GRAPH_BIT_ARM, 64}};
  device.import_alignment = 4096;
  device.timestamp_period_ns = 1.0F;
  return device;
}

DeviceSnapshot plain_device(const std::string& name, VkPhysicalDeviceType type) {
  DeviceSnapshot device = capable_device(name, type);
  device.extensions.erase(VK_ARM_TENSORS_EXTENSION_NAME);
  device.extensions.erase(VK_ARM_DATA_GRAPH_EXTENSION_NAME);
  device.features.erase("tensors");
  device.features.erase("dataGraph");
  device.queue_families[0].flags &= ~VkQueueFlags{VK_QUEUE_DATA_GRAPH_BIT_ARM};
  return device;
}

VkPhysicalDeviceMemoryProperties memory_types(const std::vector<VkMemoryPropertyFlags>& flags) {
  VkPhysicalDeviceMemoryProperties memory{};
  memory.memoryHeapCount = 1;
  memory.memoryTypeCount = static_cast<uint32_t>(flags.size());
  for (size_t i = 0; i < flags.size(); ++i) memory.memoryTypes[i].propertyFlags = flags[i];
  return memory;
}

}  // namespace vgfio::testing
