#include "upstream/benchmark_mode.h"

#include <exception>
#include <new>

#include <gflags/gflags.h>

#include "runner/benchmark_run.h"
#include "runner/failure.h"
#include "runner/inputs.h"
#include "runner/runtime_log.h"

// The runner's own flags.
DECLARE_string(model_path);
DECLARE_string(data_path);
DECLARE_string(inputs);
DECLARE_string(output_file);
DECLARE_string(print_output);
DECLARE_string(method_name);
DECLARE_uint32(num_executions);

namespace vgfio {
namespace {

constexpr char kProgram[] = "executor_runner";

Result<RunnerOptions> read_options() {
  RunnerOptions options;
  options.model_path = FLAGS_model_path;
  options.data_path = FLAGS_data_path;
  auto inputs = parse_input_list(FLAGS_inputs);
  if (!inputs.ok()) return inputs.status().with_context("--inputs");
  options.inputs = inputs.take();
  options.output_file = FLAGS_output_file;
  const auto print = parse_print_mode(FLAGS_print_output);
  if (!print) return Status::invalid("--print_output takes none, summary or all");
  options.print_output = *print;
  options.num_executions = FLAGS_num_executions;
  options.method_name = FLAGS_method_name;
  // --etdump_path stays unread: in a build with tracing it is never empty, and tracing
  // would disturb the times.
  return options;
}

// Nothing where benchmark mode is not asked for.
Result<bool> run_if_asked() {
  VGFIO_ASSIGN_OR_RETURN(const auto benchmark, read_benchmark_flags());
  if (!benchmark) return false;
  VGFIO_ASSIGN_OR_RETURN(const RunnerOptions options, read_options());
  DelegateChoice choice;
  VGFIO_ASSIGN_OR_RETURN(choice.io_mode, io_mode_from_environment());
  exit_on_runtime_abort(kProgram, VGFIO_INVALID_REQUEST);
  VGFIO_RETURN_IF_ERROR(
      run_benchmark(kProgram, gflags::GetArgvs(), options, *benchmark, choice));
  return true;
}

int fail(const Status& status) { return end_with(kProgram, status); }

}  // namespace

std::optional<int> run_benchmark_mode() {
  try {
    const Result<bool> ran = run_if_asked();
    if (!ran.ok()) return fail(ran.status());
    return *ran ? std::optional<int>(0) : std::nullopt;
  } catch (const std::bad_alloc&) {
    return fail(Status::failed("no host memory left"));
  } catch (const std::exception& error) {
    return fail(Status::failed(std::string("unexpected: ") + error.what()));
  }
}

}  // namespace vgfio
