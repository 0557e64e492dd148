// The clock of every time that this project reports.
#pragma once

#include <chrono>
#include <cstdint>

namespace vgfio {

// Nanoseconds of the monotonic clock.
inline uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace vgfio
