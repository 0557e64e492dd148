// vgfio_probe_devices(): what this machine offers, as JSON.
#include <nlohmann/json.hpp>

#include "delegate/register.h"
#include "vulkan/loader.h"

namespace vgfio {
namespace {

using Json = nlohmann::ordered_json;

Json describe_device(const DeviceSnapshot& device, bool emulated) {
  const std::vector<std::string> missing = missing_for_vgf(device);
  Json optional = Json::array();
  if (device.import_alignment == 0) optional.push_back("VK_EXT_external_memory_host");
  return {
      {"name", device.name},
      {"type", device_type_name(device.type)},
      {"driver_name", device.driver_name},
      {"driver_info", device.driver_info},
      {"emulated", emulated},
      {"usable", missing.empty()},
      {"missing", missing},
      {"missing_for_zero_copy", optional},
      {"import_alignment", device.import_alignment},
      {"max_tensor_dimensions", device.max_tensor_dimensions},
  };
}

// One pass over the devices, with or without the emulation layers.
Json probe_pass(bool emulated) {
  Json pass = {{"emulation_layers", emulated}, {"error", nullptr}, {"devices", Json::array()}};
  const auto instance = Instance::create(emulated);
  if (!instance.ok()) {
    pass["error"] = instance.status().detail();
    return pass;
  }
  for (const DeviceSnapshot& device : (*instance)->devices()) {
    pass["devices"].push_back(describe_device(device, emulated));
  }
  return pass;
}

}  // namespace

const char* probe_vgf_devices() {
  static thread_local std::string text;
  text = Json::array({probe_pass(false), probe_pass(true)})
             .dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.c_str();
}

}  // namespace vgfio
