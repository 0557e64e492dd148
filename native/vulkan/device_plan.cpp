#include "vulkan/device_plan.h"

#include <algorithm>
#include <cctype>

#include "vulkan/features.h"

namespace vgfio {
namespace {

constexpr VkQueueFlags kGraphQueue = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_DATA_GRAPH_BIT_ARM;

int rank_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 3;
    default:
      return 4;
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string describe(const std::vector<DeviceSnapshot>& devices) {
  std::vector<std::string> names;
  for (size_t i = 0; i < devices.size(); ++i) {
    names.push_back(std::to_string(i) + " \"" + devices[i].name + "\"");
  }
  return names.empty() ? "none" : join(names);
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 4 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

Result<size_t> find_requested(const std::vector<DeviceSnapshot>& devices,
                              const std::string& request) {
  if (is_number(request) && std::stoul(request) < devices.size()) return std::stoul(request);
  for (size_t i = 0; i < devices.size(); ++i) {
    if (lower(devices[i].name).find(lower(request)) != std::string::npos) return i;
  }
  return Status::invalid("no device matches \"" + request + "\"; devices are: " +
                         describe(devices));
}

Result<size_t> find_best(const std::vector<DeviceSnapshot>& devices) {
  std::optional<size_t> best;
  std::string lacks;
  for (size_t i = 0; i < devices.size(); ++i) {
    const std::vector<std::string> missing = missing_for_vgf(devices[i]);
    if (!missing.empty()) {
      lacks += "; \"" + devices[i].name + "\" lacks " + join(missing);
    } else if (!best || rank_of(devices[i].type) < rank_of(devices[*best].type)) {
      best = i;
    }
  }
  if (best) return *best;
  return Status::unsupported("no Vulkan device can run a VGF" + lacks);
}

std::optional<uint32_t> graph_queue_family(const DeviceSnapshot& device) {
  for (uint32_t i = 0; i < device.queue_families.size(); ++i) {
    if ((device.queue_families[i].flags & kGraphQueue) == kGraphQueue) return i;
  }
  return std::nullopt;
}

}  // namespace

const char* device_type_name(VkPhysicalDeviceType type) {
  static constexpr std::array<const char*, 5> names = {"discrete_gpu", "integrated_gpu",
                                                       "virtual_gpu", "cpu", "other"};
  return names[static_cast<size_t>(rank_of(type))];
}

std::vector<std::string> missing_for_vgf(const DeviceSnapshot& device) {
  std::vector<std::string> missing;
  if (device.api_version < VK_API_VERSION_1_3) missing.push_back("Vulkan 1.3");
  for (const char* extension : {VK_ARM_TENSORS_EXTENSION_NAME, VK_ARM_DATA_GRAPH_EXTENSION_NAME}) {
    if (device.extensions.count(extension) == 0) missing.push_back(extension);
  }
  for (const Feature& feature : known_features()) {
    if (feature.required && device.features.count(feature.name) == 0) {
      missing.push_back(std::string("feature ") + feature.name);
    }
  }
  if (!graph_queue_family(device)) missing.push_back("a queue for compute and data graphs");
  return missing;
}

Result<DevicePlan> plan_device(const std::vector<DeviceSnapshot>& devices,
                               const DeviceRequest& request) {
  if (devices.empty()) {
    return Status::unsupported(
        "no Vulkan device found; install a driver (Debian: mesa-vulkan-drivers has one for the "
        "CPU)");
  }
  VGFIO_ASSIGN_OR_RETURN(const size_t index, request.device.empty()
                                                 ? find_best(devices)
                                                 : find_requested(devices, request.device));
  const DeviceSnapshot& device = devices[index];
  const std::vector<std::string> missing = missing_for_vgf(device);
  if (!missing.empty()) {
    return Status::unsupported("device \"" + device.name + "\" lacks " + join(missing));
  }

  DevicePlan plan;
  plan.index = index;
  plan.queue_family = *graph_queue_family(device);
  plan.timestamp_valid_bits = device.queue_families[plan.queue_family].timestamp_valid_bits;
  plan.extensions = {VK_ARM_TENSORS_EXTENSION_NAME, VK_ARM_DATA_GRAPH_EXTENSION_NAME};
  plan.host_import = device.import_alignment > 0 &&
                     device.extensions.count(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) > 0;
  // maintenance5 and deferred host operations are what VK_ARM_data_graph
  // depends on; a layer that emulates it may come without them.
  for (const char* optional : {"VK_KHR_maintenance5", "VK_KHR_deferred_host_operations",
                               "VK_KHR_shader_bfloat16", "VK_EXT_shader_float8"}) {
    if (device.extensions.count(optional) > 0) plan.extensions.push_back(optional);
  }
  if (plan.host_import) plan.extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  plan.features = device.features;
  return plan;
}

std::optional<uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties& memory,
                                           uint32_t type_bits, const MemoryWish& wish) {
  std::optional<uint32_t> best;
  int best_score = -1;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
    if ((type_bits >> i & 1) == 0 || (flags & wish.required) != wish.required) continue;
    const int score = ((flags & wish.preferred) == wish.preferred ? 2 : 0) +
                      ((flags & wish.avoided) == 0 ? 1 : 0);
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

}  // namespace vgfio
