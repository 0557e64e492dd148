// The thread pool of ExecuTorch's CPU kernels.
#pragma once

#include <cstdint>

namespace vgfio {

// Threads for the CPU kernels; -1: one for each fast core. Call before a method
// runs.
void set_cpu_threads(int32_t threads);

}  // namespace vgfio
