#include "runner/benchmark_run.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "delegate/options.h"
#include "runner/file_errors.h"
#include "runner/inputs.h"
#include "runner/io_buffers.h"
#include "runner/poison.h"
#include "runner/report.h"
#include "runner/report_file.h"
#include "runner/session.h"
#include "runner/stop.h"

namespace vgfio {
namespace {

constexpr uint64_t kMostProfileIterations = 20;  // unless more are asked for

SessionOptions session_options(const RunnerOptions& options, const BenchmarkOptions& benchmark,
                               const DelegateChoice& choice) {
  SessionOptions session;
  session.io_mode = choice.io_mode.value_or(VGFIO_IO_COPY);
  session.wait = choice.wait.value_or(VGFIO_WAIT_ADAPTIVE);
  session.io_alignment = benchmark.io_alignment;
  session.require_zero_copy = benchmark.require_zero_copy;
  session.allow_planned_io = benchmark.allow_planned_io;
  session.copy_memory = choice.copy_memory;
  session.binding_sets = choice.binding_sets;
  session.method_name = options.method_name;
  session.data_path = options.data_path;
  session.device = choice.device;
  return session;
}

Status check_flags(const RunnerOptions& options) {
  if (options.num_executions != 1) {
    return Status::invalid(
        "--num_executions has no meaning with --vgf_perf_json; use "
        "--vgf_perf_iterations");
  }
  if (!options.etdump_path.empty()) {
    return Status::invalid(
        "--etdump_path cannot be used with --vgf_perf_json: tracing would "
        "disturb the times");
  }
  return {};
}

Status check_request(const ModelProgram& model, const RunnerOptions& options,
                     const SessionOptions& session) {
  VGFIO_RETURN_IF_ERROR(check_options(session));
  VGFIO_ASSIGN_OR_RETURN(const CheckedMethod method,
                         check_method(model, {session.method_name, session.allow_planned_io}));
  if (!options.inputs.empty()) {
    VGFIO_RETURN_IF_ERROR(check_input_files(options.inputs, method.inputs));
  }
  if (options.data_path.empty()) return {};
  const auto data = regular_file_bytes(options.data_path);
  return data.status().with_context("--data_path");
}

// Runs `count` inferences into `records`, which keeps those that were done.
Status measure(Session& session, uint64_t warmup, LoopPlan plan, std::vector<Record>& records) {
  records.resize(plan.iterations);
  plan.storage.records = records.data();
  plan.storage.capacity = records.size();
  size_t written = 0;
  const Status status = session.run(warmup, plan, &written);
  records.resize(written);
  return status;
}

Status measure_all(Session& session, const ReportConfig& config, Measured& measured) {
  poison_outputs(session);
  LoopPlan plan;
  plan.iterations = config.iterations;
  measured.parts.resize(config.iterations * session.delegate_count());
  plan.storage.parts = measured.parts.data();
  const Status status = measure(session, config.warmup, plan, measured.iterations);
  measured.warmup = session.warmup_records();
  VGFIO_RETURN_IF_ERROR(status);
  VGFIO_RETURN_IF_ERROR(check_outputs_written(session));
  if (config.profile_iterations == 0) return {};
  LoopPlan profile;
  profile.iterations = config.profile_iterations;
  profile.profile_device = true;
  return measure(session, 0, profile, measured.profile);
}

Status show_outputs(Session& session, const RunnerOptions& options) {
  if (options.print_output == PrintMode::kNone && options.output_file.empty()) return {};
  VGFIO_ASSIGN_OR_RETURN(const auto outputs, get_outputs(session.method()));
  print_outputs(std::cout, outputs, options.print_output);
  return options.output_file.empty() ? Status() : write_outputs(options.output_file, outputs);
}

Status commit(ReportFile& file, const nlohmann::ordered_json& report) {
  return file.commit(report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                     "\n");
}

}  // namespace

Result<vgfio_io_mode> io_mode_from_environment() {
  const char* text = std::getenv(kZeroCopyEnvironment);
  const std::string_view value = text != nullptr ? text : "0";
  if (value == "0") return VGFIO_IO_COPY;
  if (value == "1") return VGFIO_IO_ZERO_COPY;
  return Status::invalid(std::string(kZeroCopyEnvironment) + " is " + quote(std::string(value)) +
                         "; set it to 0 (copy) or 1 (zero-copy), or unset it");
}

Status run_benchmark(const std::string& program, const std::vector<std::string>& command_line,
                     const RunnerOptions& options, const BenchmarkOptions& benchmark,
                     const DelegateChoice& choice) {
  const StopOnSignals stop;
  VGFIO_RETURN_IF_ERROR(check_flags(options));
  const SessionOptions wanted = session_options(options, benchmark, choice);
  const uint64_t begin = now_ns();
  VGFIO_ASSIGN_OR_RETURN(std::unique_ptr<ModelProgram> model,
                         ModelProgram::open(options.model_path));
  const uint64_t read_ns = now_ns() - begin;
  VGFIO_RETURN_IF_ERROR(check_request(*model, options, wanted));
  VGFIO_ASSIGN_OR_RETURN(const std::unique_ptr<ReportFile> file,
                         ReportFile::open(benchmark.report_path));

  IoBuffers buffers;  // before the session: it forgets them first
  VGFIO_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                         Session::create(std::move(model), wanted, read_ns));
  VGFIO_RETURN_IF_ERROR(buffers.bind_all(*session));
  VGFIO_ASSIGN_OR_RETURN(const auto origins,
                         IoBuffers::fill_inputs(*session, options.inputs, benchmark.seed));

  ReportConfig config{program, benchmark.warmup, benchmark.iterations,
                      0,       benchmark.seed,   command_line};
  config.profile_iterations = benchmark.profile_iterations.value_or(
      session->device().timestamps ? std::min(kMostProfileIterations, benchmark.iterations) : 0);
  Measured measured;
  measured.status = measure_all(*session, config, measured);
  measured.warnings = IoBuffers::find_changed_inputs(*session, origins);
  VGFIO_RETURN_IF_ERROR(commit(*file, report_json(*session, config, origins, measured)));
  if (measured.status.ok()) return show_outputs(*session, options);
  return measured.status;
}

}  // namespace vgfio
