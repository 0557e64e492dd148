// What a session is asked for; no Vulkan.
#pragma once

#include <cstddef>

#include "vgf_io_bench.h"

namespace vgfio {

// Kind of the session's own memory at the boundary.
enum class CopyMemory {
  kAuto,         // cached by the CPU, not behind a bus window, where the device has that
  kCached,       // HOST_CACHED
  kUncached,     // host memory that is not cached (write-combined)
  kDeviceLocal,  // DEVICE_LOCAL and mapped: the bus window of a discrete GPU
};

struct VgfSessionOptions {
  vgfio_io_mode io_mode = VGFIO_IO_COPY;
  vgfio_wait wait = VGFIO_WAIT_ADAPTIVE;
  CopyMemory copy_memory = CopyMemory::kAuto;
  bool require_zero_copy = false;
  // Combinations of the caller's pointers that are kept ready; the least
  // recently used one goes first, and with it the imports that nothing else
  // uses.
  size_t binding_sets = 16;
};

}  // namespace vgfio
