// The flags of benchmark mode, as a validated struct; compiled only with statistics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"

namespace vgfio {

// Flags of benchmark mode.
struct BenchmarkOptions {
  std::string report_path;  // "-": standard output
  uint64_t warmup = 0;
  uint64_t iterations = 0;
  std::optional<uint64_t> profile_iterations;  // not set: some where the device has timestamps
  uint64_t io_alignment = 0;                   // 0: what the device asks for
  uint64_t seed = 0;
  bool require_zero_copy = false;
  bool allow_planned_io = false;
};

// Nothing unless benchmark mode is asked for (--vgf_perf_json).
Result<std::optional<BenchmarkOptions>> read_benchmark_flags();

}  // namespace vgfio
