#include "runner/runner_program.h"

#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include <executorch/runtime/platform/runtime.h>
#include <gflags/gflags.h>

#include "base/delegate_error.h"
#include "delegate/register.h"
#include "runner/command_line.h"
#include "runner/failure.h"
#include "runner/plain_run.h"
#include "runner/runner_options.h"
#include "runner/runtime_log.h"
#ifdef EXECUTORCH_VGF_IO_STATS
#include "runner/benchmark_run.h"
#endif

namespace vgfio {
namespace {

#ifdef EXECUTORCH_VGF_IO_STATS
constexpr char kBenchmarkPurpose[] = "; with --vgf_perf_json it measures model-boundary I/O";
constexpr char kBenchmarkExample[] = " --print_output=none --vgf_perf_json=zero_copy.json";
#else
constexpr char kBenchmarkPurpose[] = "";
constexpr char kBenchmarkExample[] = "";
#endif

size_t device_alignment(const DelegateChoice& choice) {
  const auto alignment = vgf_import_alignment(choice.device.c_str());
  (void)take_delegate_error();  // no import: any alignment will do
  return alignment;
}

// Closes what methods share before static destruction, however run() ends.
struct BackendScope {
  ~BackendScope() { shutdown_vgf_backend(); }
};

}  // namespace

RunnerProgram::RunnerProgram(std::string name, int argc, char** argv)
    : name_(std::move(name)), argc_(argc), argv_(argv) {}

std::optional<int> RunnerProgram::parse(const std::string& purpose, const std::string& example) {
  gflags::SetUsageMessage(purpose + kBenchmarkPurpose + ". Example: " + example +
                          kBenchmarkExample);
  gflags::SetVersionString(VGFIO_VERSION);
  const auto parsed = parse_command_line(argc_, argv_);
  if (!parsed.ok()) return fail(parsed.status());
  switch (*parsed) {
    case CommandLine::kHelp:
      gflags::ShowUsageWithFlagsRestrict(name_.c_str(), "runner");
      return 0;
    case CommandLine::kVersion:
      std::printf("%s %s (ExecuTorch %s)\n", name_.c_str(), VGFIO_VERSION,
                  VGFIO_EXECUTORCH_VERSION);
      return 0;
    case CommandLine::kRun:
      break;
  }
  return std::nullopt;
}

int RunnerProgram::fail(const Status& status) const { return end_with(name_, status); }

Status RunnerProgram::run_mode(DelegateChoice choice) {
  VGFIO_ASSIGN_OR_RETURN(const RunnerOptions options, read_runner_flags());
#ifdef EXECUTORCH_VGF_IO_STATS
  VGFIO_ASSIGN_OR_RETURN(const auto benchmark, read_benchmark_flags());
  if (benchmark) {
    if (!choice.io_mode) {
      VGFIO_ASSIGN_OR_RETURN(choice.io_mode, io_mode_from_environment());
    }
    return run_benchmark(name_, {argv_, argv_ + argc_}, options, *benchmark, choice);
  }
#endif
  return run_plain(options, choice, device_alignment);
}

int RunnerProgram::run(const DelegateChoice& choice) {
  executorch::runtime::runtime_init();
  exit_on_runtime_abort(name_.c_str(), VGFIO_INVALID_REQUEST);
  const BackendScope scope;
  try {
    if (!register_vgf_backend()) {
      return fail(Status::failed("VgfBackend cannot be registered: the registry is full"));
    }
    const Status status = run_mode(choice);
    return status.ok() ? 0 : fail(status);
  } catch (const std::bad_alloc&) {
    return fail(Status::failed("no host memory left"));
  } catch (const std::exception& error) {
    return fail(Status::failed(std::string("unexpected: ") + error.what()));
  }
}

}  // namespace vgfio
