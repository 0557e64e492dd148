// Move-only owners of Vulkan objects. Every object that this project creates is
// in one of these from the call that creates it on.
#pragma once

#include <utility>

#include "vulkan/arm_extensions.h"

namespace vgfio {

// Owns an object that vkDestroyX(device, object, nullptr) ends. The device must
// outlive it.
template <typename T>
class Handle {
 public:
  using Destroy = void(VKAPI_PTR*)(VkDevice, T, const VkAllocationCallbacks*);

  Handle() = default;
  Handle(VkDevice device, T object, Destroy destroy)
      : device_(device), object_(object), destroy_(destroy) {}
  Handle(Handle&& other) noexcept
      : device_(other.device_),
        object_(std::exchange(other.object_, T{})),
        destroy_(other.destroy_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(object_, other.object_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Handle() {
    if (object_ != T{}) destroy_(device_, object_, nullptr);
  }

  T get() const { return object_; }
  explicit operator bool() const { return object_ != T{}; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  T object_{};
  Destroy destroy_ = nullptr;
};

// Creates an object with vkCreate##name and owns it:
//   VGFIO_CREATE(fence, vk, device, Fence, &info)
// declares Handle<VkFence> fence, or leaves the function with the Status.
#define VGFIO_CREATE(variable, table, device, name, info) \
  VGFIO_CREATE_AS(variable, table, device, Vk##name, Create##name, Destroy##name, info)

#define VGFIO_CREATE_AS(variable, table, device, type, create, destroy, info)             \
  type variable##_raw = VK_NULL_HANDLE;                                                   \
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(table, create, device, info, nullptr, &variable##_raw)); \
  ::vgfio::Handle<type> variable(device, variable##_raw, (table).destroy)

}  // namespace vgfio
