// Stands between a device and its vkAllocateMemory and vkFreeMemory: counts the
// imports of host memory and makes them fail in the ways of a bad driver.
#pragma once

#include <cstddef>

#include "vulkan/device.h"

namespace vgfio::testing {

class ImportWatch {
 public:
  enum class Behaviour {
    kPass,    // as the driver does
    kRefuse,  // VK_ERROR_INVALID_EXTERNAL_HANDLE
    kDrop,    // allocates other memory, as a layer that drops the import structure
  };

  // One at a time. Sessions that were made under it may outlive it.
  explicit ImportWatch(Device& device, Behaviour behaviour = Behaviour::kPass);
  ~ImportWatch();
  ImportWatch(const ImportWatch&) = delete;
  ImportWatch& operator=(const ImportWatch&) = delete;

  void set_behaviour(Behaviour behaviour);
  // Imports that were asked for; that exist now; that existed at most.
  size_t attempts() const;
  size_t live() const;
  size_t most() const;

 private:
  Device& device_;
};

}  // namespace vgfio::testing
