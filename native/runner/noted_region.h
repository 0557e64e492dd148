// Host memory that the delegate may import, noted for as long as this lives.
#pragma once

#include <utility>

#include "base/host_regions.h"

namespace vgfio {

class NotedRegion {
 public:
  NotedRegion() = default;
  // Notes nothing if it overlaps another region: noted() is false then, and the
  // delegate takes the memory to end with the tensor.
  explicit NotedRegion(const HostRegion& region)
      : base_(note_host_region(region) ? region.base : nullptr) {}
  ~NotedRegion() { reset(); }
  NotedRegion(NotedRegion&& other) noexcept : base_(std::exchange(other.base_, nullptr)) {}
  NotedRegion& operator=(NotedRegion&& other) noexcept {
    if (this != &other) {
      reset();
      base_ = std::exchange(other.base_, nullptr);
    }
    return *this;
  }

  bool noted() const { return base_ != nullptr; }
  void reset() {
    if (base_ != nullptr) forget_host_region(std::exchange(base_, nullptr));
  }

 private:
  const std::byte* base_ = nullptr;
};

}  // namespace vgfio
