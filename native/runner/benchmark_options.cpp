#include "runner/benchmark_options.h"

#include <gflags/gflags.h>

DEFINE_string(vgf_perf_json, "",
              "Benchmark mode: measures model-boundary I/O and writes the report to this file "
              "(- for standard output). ET_VGF_ZERO_COPY=0|1 selects copy or zero-copy.");
DEFINE_uint64(vgf_perf_warmup, 20, "Inferences before the measured ones.");
DEFINE_uint64(vgf_perf_iterations, 200, "Measured inferences.");
DEFINE_int64(vgf_perf_profile_iterations, -1,
             "Inferences with device timestamps after the measured ones, 0 for none; -1: 20 where "
             "the device has timestamps.");
DEFINE_uint64(vgf_io_alignment, 0,
              "Alignment of input and output buffers in bytes, a power of two from 64 on; 0: what "
              "the device asks for.");
DEFINE_bool(vgf_require_zero_copy, false, "Fails if a tensor has to be copied.");
DEFINE_bool(vgf_allow_planned_io, false,
            "Accepts memory-planned inputs and outputs in benchmark mode.");
DEFINE_uint64(vgf_perf_seed, 0, "Seed of the random inputs.");

namespace vgfio {

namespace {
// Some gigabytes of records: enough for any run, and a slip is refused.
constexpr uint64_t kMostInferences = 10'000'000;

Status check_count(const char* flag, uint64_t value, uint64_t least) {
  if (value >= least && value <= kMostInferences) return {};
  return Status::invalid(std::string(flag) + " takes " + std::to_string(least) + " to " +
                         std::to_string(kMostInferences));
}
}  // namespace

Result<std::optional<BenchmarkOptions>> read_benchmark_flags() {
  if (FLAGS_vgf_perf_json.empty()) {
    const auto perf_json = gflags::GetCommandLineFlagInfoOrDie("vgf_perf_json");
    for (const gflags::CommandLineFlagInfo& flag : [] {
           std::vector<gflags::CommandLineFlagInfo> all;
           gflags::GetAllFlags(&all);
           return all;
         }()) {
      // Only those of this file: another program's flags may begin with vgf_ too.
      if (flag.filename == perf_json.filename && !flag.is_default) {
        return Status::invalid("--" + flag.name + " needs --vgf_perf_json=FILE");
      }
    }
    return std::optional<BenchmarkOptions>();
  }
  BenchmarkOptions options;
  options.report_path = FLAGS_vgf_perf_json;
  options.warmup = FLAGS_vgf_perf_warmup;
  options.iterations = FLAGS_vgf_perf_iterations;
  options.io_alignment = FLAGS_vgf_io_alignment;
  options.require_zero_copy = FLAGS_vgf_require_zero_copy;
  options.allow_planned_io = FLAGS_vgf_allow_planned_io;
  options.seed = FLAGS_vgf_perf_seed;
  VGFIO_RETURN_IF_ERROR(check_count("--vgf_perf_warmup", options.warmup, 0));
  VGFIO_RETURN_IF_ERROR(check_count("--vgf_perf_iterations", options.iterations, 1));
  if (FLAGS_vgf_perf_profile_iterations < -1) {
    return Status::invalid("--vgf_perf_profile_iterations takes -1 or more");
  }
  if (FLAGS_vgf_perf_profile_iterations >= 0) {
    options.profile_iterations = static_cast<uint64_t>(FLAGS_vgf_perf_profile_iterations);
    VGFIO_RETURN_IF_ERROR(
        check_count("--vgf_perf_profile_iterations", *options.profile_iterations, 0));
  }
  return std::optional<BenchmarkOptions>(options);
}

}  // namespace vgfio
