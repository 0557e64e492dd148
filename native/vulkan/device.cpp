#include "vulkan/device.h"

#include <algorithm>

#include "vulkan/error.h"
#include "vulkan/features.h"

namespace vgfio {

Result<std::shared_ptr<Device>> Device::open(const DeviceRequest& request) {
  VGFIO_ASSIGN_OR_RETURN(std::shared_ptr<const Instance> native, Instance::create(false));
  const Result<DevicePlan> native_plan = plan_device(native->devices(), request);
  if (native_plan.ok()) return create(std::move(native), *native_plan);
  // A machine without any device, or a wrong name, is not mended by the layers.
  if (native->devices().empty() || native_plan.status().code() == VGFIO_INVALID_REQUEST) {
    return native_plan.status();
  }
  VGFIO_ASSIGN_OR_RETURN(std::shared_ptr<const Instance> emulated, Instance::create(true));
  VGFIO_ASSIGN_OR_RETURN(const DevicePlan plan, plan_device(emulated->devices(), request));
  return create(std::move(emulated), plan);
}

Result<std::shared_ptr<Device>> Device::create(std::shared_ptr<const Instance> instance,
                                               const DevicePlan& plan) {
  const float priority = 1.0F;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = plan.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  std::vector<const char*> extensions;
  for (const std::string& extension : plan.extensions) extensions.push_back(extension.c_str());
  FeatureChain features;
  set_features(plan.features, features);

  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features.core};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();

  std::shared_ptr<Device> device(new Device);
  device->instance_ = std::move(instance);
  device->plan_ = plan;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device->instance_->functions(), CreateDevice,
                                 device->instance_->physical_devices()[plan.index], &info, nullptr,
                                 &device->device_));
  VGFIO_RETURN_IF_ERROR(device->load_functions());
  device->functions_.GetDeviceQueue(device->device_, plan.queue_family, 0, &device->queue_);
  return device;
}

Result<std::shared_ptr<Device>> Device::adopt(std::shared_ptr<const Instance> instance,
                                              const Open& open) {
  const auto& known = instance->physical_devices();
  const auto found = std::find(known.begin(), known.end(), open.physical);
  if (found == known.end()) return Status::unsupported("the device is not one of its instance");
  std::shared_ptr<Device> device(new Device);
  device->instance_ = std::move(instance);
  device->device_ = open.device;
  device->queue_ = open.queue;
  DevicePlan& plan = device->plan_;
  plan.index = static_cast<size_t>(found - known.begin());
  plan.queue_family = open.queue_family;
  plan.extensions = open.extensions;
  const DeviceSnapshot& info = device->info();
  plan.host_import = info.import_alignment > 0 &&
                     std::find(plan.extensions.begin(), plan.extensions.end(),
                               VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) != plan.extensions.end();
  if (plan.queue_family < info.queue_families.size()) {
    plan.timestamp_valid_bits = info.queue_families[plan.queue_family].timestamp_valid_bits;
  }
  const Status loaded = device->load_functions();
  device->functions_.DestroyDevice = nullptr;  // its owner's business
  VGFIO_RETURN_IF_ERROR(loaded);
  return device;
}

Status Device::load_functions() {
  const auto load = instance_->functions().GetDeviceProcAddr;
#define VGFIO_LOAD(name) \
  functions_.name = reinterpret_cast<PFN_vk##name>(load(device_, "vk" #name));
  VGFIO_DEVICE_FUNCTIONS(VGFIO_LOAD)
  if (plan_.host_import) {
    VGFIO_OPTIONAL_DEVICE_FUNCTIONS(VGFIO_LOAD)
  }
#undef VGFIO_LOAD
#define VGFIO_CHECK(name) \
  if (functions_.name == nullptr) return Status::unsupported("the device lacks vk" #name);
  VGFIO_DEVICE_FUNCTIONS(VGFIO_CHECK)
#undef VGFIO_CHECK
  return Status();
}

Refusal Device::import_canary() {
  const std::lock_guard lock(canary_mutex_);
  if (canary_) return *canary_;
  Refusal outcome = run_import_canary(*this);
  if (outcome.reason == VGFIO_REASON_NONE ||
      outcome.reason == VGFIO_REASON_IMPORT_DOES_NOT_ALIAS) {
    canary_ = outcome;
  }
  return outcome;
}

Device::~Device() {
  if (device_ != VK_NULL_HANDLE && functions_.DestroyDevice != nullptr) {
    functions_.DestroyDevice(device_, nullptr);
  }
}

}  // namespace vgfio
