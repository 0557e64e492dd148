// Benchmark mode of the programs: one model in one I/O mode, one report.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "runner/benchmark_options.h"
#include "runner/method.h"
#include "runner/runner_options.h"

namespace vgfio {

// VGFIO_INVALID_REQUEST if ET_VGF_ZERO_COPY is set to anything but 0 or 1.
Result<vgfio_io_mode> io_mode_from_environment();

// Checks the request, measures, writes the report, prints and writes outputs as
// the options say. A bad request or a device that cannot do it leaves an older
// report alone; a run that began ends in a report whatever happens, with the
// Status inside.
Status run_benchmark(const std::string& program, const std::vector<std::string>& command_line,
                     const RunnerOptions& options, const BenchmarkOptions& benchmark,
                     const DelegateChoice& choice);

}  // namespace vgfio
