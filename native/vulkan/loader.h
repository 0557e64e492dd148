// The Vulkan loader and an instance of it, opened at run time so that a machine
// without a loader gets an explanation instead of a link error.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "vulkan/device_plan.h"
#include "vulkan/functions.h"

namespace vgfio {

// The emulation layers in the order in which they must be enabled: the graph
// layer above the tensor layer.
const std::vector<const char*>& emulation_layer_names();

// Folder with the manifests of the emulation layers: ET_VGF_LAYER_PATH, else
// "layers" beside the program or library; empty if there is none.
std::string emulation_layer_folder();

// An open loader. Lives until the process ends: layers and drivers do not
// survive being unloaded and loaded again.
class Loader {
 public:
  // Opens the loader once, after telling it about the emulation layers.
  static Result<const Loader*> open();

  const GlobalFunctions& functions() const { return functions_; }
  // Names of the instance layers that the loader finds.
  Result<std::vector<std::string>> layers() const;

 private:
  GlobalFunctions functions_;
};

// A VkInstance, owned unless it was adopted.
class Instance {
 public:
  // With or without the emulation layers.
  static Result<std::shared_ptr<const Instance>> create(bool emulation_layers);
  // An instance that somebody else opened and destroys, later than this object.
  static Result<std::shared_ptr<const Instance>> adopt(VkInstance instance,
                                                       PFN_vkGetInstanceProcAddr load);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  VkInstance handle() const { return instance_; }
  const InstanceFunctions& functions() const { return functions_; }
  const std::vector<VkPhysicalDevice>& physical_devices() const { return physical_devices_; }
  // One snapshot per physical device, in the same order.
  const std::vector<DeviceSnapshot>& devices() const { return devices_; }
  bool emulation_layers() const { return emulation_layers_; }

 private:
  Instance() = default;
  Status load_functions(PFN_vkGetInstanceProcAddr load);
  Status list_devices();

  VkInstance instance_ = VK_NULL_HANDLE;
  InstanceFunctions functions_;
  std::vector<VkPhysicalDevice> physical_devices_;
  std::vector<DeviceSnapshot> devices_;
  bool emulation_layers_ = false;
};

}  // namespace vgfio
