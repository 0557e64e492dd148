// Which host memory may be imported, and how far it reaches.
//
// A delegate sees a tensor's pointer and size, never the buffer around it. An
// import must cover whole multiples of the device's granularity, so it reaches
// past the tensor's end. Only the owner can say that this tail is its own: the
// runner notes every buffer that it binds here, and the delegate looks the
// pointer up. Memory that nobody noted is taken to end with the tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace vgfio {

struct HostRegion {
  std::byte* base = nullptr;
  size_t capacity = 0;  // bytes from base that belong to the owner
  bool read_only = false;
  bool memory_planned = false;  // the method's planned arena
};

// Process-wide and thread-safe. Regions may not overlap unless they are equal;
// an equal one is counted. False if it overlaps another one (nothing is noted).
bool note_host_region(const HostRegion& region);

// Undoes one note_host_region() with that base. With the last one the listeners
// are told, before the call returns: whoever derived something from the region
// lets go of it, and the owner may free it.
void forget_host_region(const void* base);

class HostRegionListener {
 public:
  virtual ~HostRegionListener() = default;
  // Called by the thread that forgets the region.
  virtual void region_forgotten(const HostRegion& region) = 0;
};
void add_host_region_listener(HostRegionListener* listener);
// After this returns the listener is not called any more.
void remove_host_region_listener(HostRegionListener* listener);

// The noted region that contains [pointer, pointer + bytes).
std::optional<HostRegion> find_host_region(const void* pointer, size_t bytes);

// Changes whenever a region is noted or forgotten: what was derived from an
// older generation has to be looked up again.
uint64_t host_region_generation();

}  // namespace vgfio
