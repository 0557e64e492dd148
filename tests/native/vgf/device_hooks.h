// Stands between a device and all its functions: counts the calls, makes one of
// them fail, and counts the objects that are not destroyed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vulkan/device.h"

namespace vgfio::testing {

// A function of DeviceFunctions: its place in the list there.
using FunctionIndex = size_t;

class DeviceHooks {
 public:
  // One at a time. Sessions that were made under it may outlive it, but are not
  // counted any more.
  explicit DeviceHooks(Device& device);
  ~DeviceHooks();
  DeviceHooks(const DeviceHooks&) = delete;
  DeviceHooks& operator=(const DeviceHooks&) = delete;

  // The functions that return a VkResult.
  static std::vector<FunctionIndex> that_can_fail();
  static std::string name(FunctionIndex function);  // "vkCreateFence"
  static FunctionIndex index(const std::string& name);

  // The nth call from now on, from 1, returns `result` without being made, once.
  void fail(FunctionIndex function, uint64_t nth, VkResult result);
  bool failed() const;
  uint64_t calls(FunctionIndex function) const;

  // What was created, allocated and not destroyed: "Fence" -> 1. Empty if all
  // is well. Descriptor sets go with their pool and are not counted.
  std::map<std::string, int64_t> leaks() const;

 private:
  Device& device_;
};

}  // namespace vgfio::testing
