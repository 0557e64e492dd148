// Benchmark mode for ExecuTorch's own executor_runner, which has defined and
// parsed its flags: --vgf_perf_json and those that belong to it are defined here.
// Without EXECUTORCH_VGF_IO_STATS this header is empty.
#pragma once

#ifdef EXECUTORCH_VGF_IO_STATS

#include <optional>

namespace vgfio {

// Nothing where --vgf_perf_json is not given. Else runs the benchmark with the
// runner's own flags and returns the program's exit code: 0 done, 1 the run
// failed, 2 the request is wrong, 3 the device cannot do it, 130 interrupted.
std::optional<int> run_benchmark_mode();

}  // namespace vgfio

#endif
