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

}  // namespace vgfio
