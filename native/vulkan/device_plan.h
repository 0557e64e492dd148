// From what a machine has to what will be used: an immutable snapshot of every
// device, and a pure function that picks one or says by name what is missing.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "vulkan/arm_extensions.h"

namespace vgfio {

struct QueueFamily {
  VkQueueFlags flags = 0;
  uint32_t timestamp_valid_bits = 0;
};

struct DeviceSnapshot {
  std::string name;
  std::string driver_name;
  std::string driver_info;
  uint32_t vendor_id = 0;
  uint32_t device_id = 0;
  uint32_t api_version = 0;  // VK_MAKE_API_VERSION
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  std::set<std::string> extensions;
  std::set<std::string> features;  // of known_features()
  std::vector<QueueFamily> queue_families;
  VkPhysicalDeviceMemoryProperties memory{};
  VkDeviceSize import_alignment = 0;  // 0 without VK_EXT_external_memory_host
  float timestamp_period_ns = 0;
  uint32_t max_tensor_dimensions = 0;
};

struct DeviceRequest {
  // Part of a device's name (letter case ignored) or its index; empty: the rule.
  std::string device;
};

struct DevicePlan {
  size_t index = 0;  // among the snapshots
  uint32_t queue_family = 0;
  std::vector<std::string> extensions;
  std::set<std::string> features;
  bool host_import = false;
  uint32_t timestamp_valid_bits = 0;  // 0: no timestamps on that queue
};

// "discrete_gpu", "integrated_gpu", "virtual_gpu", "cpu" or "other".
const char* device_type_name(VkPhysicalDeviceType type);

// What the device lacks to run a VGF, by name; empty if nothing.
std::vector<std::string> missing_for_vgf(const DeviceSnapshot& device);

// The rule: of the devices that lack nothing, the first of the best type
// (discrete, integrated, virtual GPU, CPU, other). A request by name or index
// is taken as it is and fails if that device lacks something.
Result<DevicePlan> plan_device(const std::vector<DeviceSnapshot>& devices,
                               const DeviceRequest& request);

// Index of a memory type in `type_bits` that has all of `required`, preferring
// one with all of `preferred` and none of `avoided`; nullopt if there is none.
struct MemoryWish {
  VkMemoryPropertyFlags required = 0;
  VkMemoryPropertyFlags preferred = 0;
  VkMemoryPropertyFlags avoided = 0;
};
std::optional<uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties& memory,
                                           uint32_t type_bits, const MemoryWish& wish);

}  // namespace vgfio
