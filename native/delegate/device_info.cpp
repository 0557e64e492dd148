#include "delegate/device_info.h"

#include "base/names.h"

namespace vgfio {
namespace {

std::string version_text(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
         std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

}  // namespace

DeviceInfo describe_device(const Device& device, vgfio_wait wait) {
  const DeviceSnapshot& snapshot = device.info();
  const DevicePlan& plan = device.plan();
  DeviceInfo info;
  info.name = snapshot.name;
  info.vendor_id = snapshot.vendor_id;
  info.device_id = snapshot.device_id;
  info.driver_name = snapshot.driver_name;
  info.driver_info = snapshot.driver_info;
  info.api_version = version_text(snapshot.api_version);
  info.type = device_type_name(snapshot.type);
  info.emulated = device.emulated();
  if (info.emulated) {
    info.layers.assign(emulation_layer_names().begin(), emulation_layer_names().end());
  }
  info.extensions = plan.extensions;
  info.import_alignment = plan.host_import ? snapshot.import_alignment : 0;
  info.timestamps = plan.timestamp_valid_bits > 0;
  info.timestamp_period_ns = static_cast<double>(snapshot.timestamp_period_ns);
  for (uint32_t i = 0; i < snapshot.memory.memoryTypeCount; ++i) {
    const VkMemoryType& type = snapshot.memory.memoryTypes[i];
    info.memory_types.push_back(
        {type.propertyFlags, type.heapIndex, snapshot.memory.memoryHeaps[type.heapIndex].size});
  }
  info.wait = wait_name(wait);
  return info;
}

}  // namespace vgfio
