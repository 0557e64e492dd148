#include "runner/runner_options.h"

#include <gflags/gflags.h>

#include "runner/inputs.h"

DEFINE_string(model_path, "model.pte", "Model file (.pte).");
DEFINE_string(data_path, "", "Data file (.ptd) of the model.");
DEFINE_string(inputs, "",
              "Comma-separated input files, one for each input; a comma in a name is written \\,. "
              "Without it inputs are ones, in benchmark mode seeded random data.");
DEFINE_string(output_file, "", "Writes each output tensor to OUTPUT_FILE-<index>.bin.");
DEFINE_string(print_output, "summary",
              "none, summary (the first and last 100 elements) or all (one line per element).");
DEFINE_uint32(num_executions, 1, "How often to run the model.");
DEFINE_string(method_name, "", "Method to run; the first one if empty.");
DEFINE_int32(cpu_threads, -1, "Threads of the CPU kernels; -1: as many as there are fast cores.");
DEFINE_string(etdump_path, "", "Writes an ETDump to this path.");

namespace vgfio {

Result<RunnerOptions> read_runner_flags() {
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
  options.cpu_threads = FLAGS_cpu_threads;
  if (options.cpu_threads < -1) return Status::invalid("--cpu_threads takes -1 or more");
  options.etdump_path = FLAGS_etdump_path;
  if (options.model_path.empty()) return Status::invalid("--model_path is empty");
  return options;
}

}  // namespace vgfio
