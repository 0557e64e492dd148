// The flags that both programs share, as a validated struct.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "runner/outputs.h"

namespace vgfio {

// Flags of ExecuTorch's executor_runner, with its meanings.
struct RunnerOptions {
  std::string model_path;
  std::string data_path;            // "" for none
  std::vector<std::string> inputs;  // empty: no files
  std::string output_file;          // base name, "" for none
  PrintMode print_output = PrintMode::kSummary;
  uint32_t num_executions = 1;
  std::string method_name;   // "": the first one
  int32_t cpu_threads = -1;  // -1: as many as there are fast cores
  std::string etdump_path;   // "" for none
};

// What the flags say; VGFIO_INVALID_REQUEST names the flag that is wrong.
Result<RunnerOptions> read_runner_flags();

#ifdef EXECUTORCH_VGF_IO_STATS

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

#endif

}  // namespace vgfio
