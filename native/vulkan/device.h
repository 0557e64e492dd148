// An open device with its queue: what everything above is created on.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "base/status.h"
#include "vulkan/import_canary.h"
#include "vulkan/loader.h"

namespace vgfio {

// Shared by the sessions that run on it; the last one closes it.
class Device {
 public:
  // Native VK_ARM_* first, then the emulation layers; within each the rule of
  // plan_device().
  static Result<std::shared_ptr<Device>> open(const DeviceRequest& request);
  // A device that somebody else opened with these extensions, with one of its
  // queues, and destroys, later than this object.
  struct Open {
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    uint32_t queue_family = 0;
    std::vector<std::string> extensions;
  };
  static Result<std::shared_ptr<Device>> adopt(std::shared_ptr<const Instance> instance,
                                               const Open& open);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceFunctions& vk() const { return functions_; }
  // For tests: entries may be replaced to make a call fail.
  DeviceFunctions& mutable_functions() { return functions_; }
  VkDevice handle() const { return device_; }
  VkQueue queue() const { return queue_; }
  // Held around vkQueueSubmit: Vulkan wants one thread at a time on a queue.
  std::mutex& queue_mutex() { return queue_mutex_; }

  const Instance& instance() const { return *instance_; }
  const DeviceSnapshot& info() const { return instance_->devices()[plan_.index]; }
  const DevicePlan& plan() const { return plan_; }
  bool emulated() const { return instance_->emulation_layers(); }
  bool is_cpu() const { return info().type == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  // Whether an import really aliases the caller's memory (reason NONE), found out
  // once; asked again only while something kept the device from answering.
  Refusal import_canary();

 private:
  Device() = default;
  static Result<std::shared_ptr<Device>> create(std::shared_ptr<const Instance> instance,
                                                const DevicePlan& plan);
  Status load_functions();

  std::shared_ptr<const Instance> instance_;
  DevicePlan plan_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::mutex queue_mutex_;
  DeviceFunctions functions_;
  std::mutex canary_mutex_;
  std::optional<Refusal> canary_;  // once it is decided
};

}  // namespace vgfio
