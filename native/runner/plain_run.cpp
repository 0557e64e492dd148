#include "runner/plain_run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include <executorch/runtime/platform/log.h>

#include "base/clock.h"
#include "base/delegate_error.h"
#include "delegate/options.h"
#include "runner/cpu_threads.h"
#include "runner/file_errors.h"
#include "runner/inputs.h"
#include "runner/io_binding.h"
#include "runner/preflight.h"
#include "runner/runtime_log.h"
#include "runner/tracer.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;

constexpr size_t kMinAlignment = 64;

double milliseconds(uint64_t ns) { return static_cast<double>(ns) / 1e6; }

// A scalar input from a file that holds exactly its bytes.
template <typename T>
Result<et::EValue> read_scalar(const std::string& path, size_t index) {
  VGFIO_ASSIGN_OR_RETURN(const size_t bytes, regular_file_bytes(path));
  T value{};
  if (bytes != sizeof(value)) {
    return Status::invalid("input " + std::to_string(index) + " is a scalar of " +
                           std::to_string(sizeof(value)) + " bytes, " + quote(path) + " has " +
                           std::to_string(bytes));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(&value), sizeof(value))) {
    return Status::invalid("cannot read " + quote(path));
  }
  return et::EValue(value);
}

Result<et::EValue> read_value(const std::string& path, ValueKind kind, size_t index) {
  switch (kind) {
    case ValueKind::kInt:
      return read_scalar<int64_t>(path, index);
    case ValueKind::kDouble:
      return read_scalar<double>(path, index);
    case ValueKind::kBool:
      return read_scalar<bool>(path, index);
    // An optional input that was None at export stays None; its file only holds its place.
    case ValueKind::kNone:
      return et::EValue();
    default:
      return Status::invalid("input " + std::to_string(index) +
                             " is neither a tensor nor a number; it cannot come from a file");
  }
}

// A method with buffers for everything that it does not keep itself.
class PlainRun {
 public:
  explicit PlainRun(const RunnerOptions& options) : options_(options) {}

  Status load(const DelegateChoice& choice, size_t (*alignment)(const DelegateChoice& choice));
  Status execute_all();
  Status show();

 private:
  Status bind_inputs();
  Status bind_outputs();
  Status bind(vgfio_direction direction, size_t index, const vgfio_tensor_info& info,
              std::byte** data);
  Status execute_once(uint32_t index, uint64_t& total_ns);

  const RunnerOptions& options_;
  std::unique_ptr<ModelProgram> model_;
  const MethodFacts* facts_ = nullptr;
  std::unique_ptr<Tracer> tracer_;
  std::vector<AlignedBuffer> buffers_;
  std::unique_ptr<LoadedMethod> loaded_;
  std::unique_ptr<IoBinding> binding_;
  std::vector<vgfio_tensor_info> inputs_;
  std::vector<vgfio_tensor_info> outputs_;
  size_t alignment_ = kMinAlignment;
};

Status PlainRun::load(const DelegateChoice& choice,
                      size_t (*alignment)(const DelegateChoice& choice)) {
  VGFIO_ASSIGN_OR_RETURN(model_, ModelProgram::open(options_.model_path));
  VGFIO_ASSIGN_OR_RETURN(facts_, model_->find_method(options_.method_name));
  VGFIO_ASSIGN_OR_RETURN(const auto meta, method_meta(*model_, *facts_));
  VGFIO_ASSIGN_OR_RETURN(inputs_, describe_tensors(meta, VGFIO_INPUT));
  VGFIO_ASSIGN_OR_RETURN(outputs_, describe_tensors(meta, VGFIO_OUTPUT));
  ET_LOG(Info, "Model file %s is loaded.", options_.model_path.c_str());
  ET_LOG(Info, "Using method %s", facts_->name.c_str());

  if (!options_.etdump_path.empty()) {
    VGFIO_ASSIGN_OR_RETURN(tracer_, Tracer::create());
  }
  const uint64_t begin = now_ns();
  VGFIO_ASSIGN_OR_RETURN(
      loaded_, LoadedMethod::load(*model_, *facts_, options_.data_path, choice,
                                  tracer_ != nullptr ? tracer_->events() : nullptr));
  ET_LOG(Info, "Model loaded in %f ms.", milliseconds(now_ns() - begin));
  const auto& ids = facts_->delegates;
  if (std::find(ids.begin(), ids.end(), kVgfBackendName) != ids.end()) {
    alignment_ = std::max(kMinAlignment, alignment(choice));
  }
  binding_ = std::make_unique<IoBinding>(loaded_->method(), *facts_, inputs_, outputs_);
  VGFIO_RETURN_IF_ERROR(bind_inputs());
  return bind_outputs();
}

Status PlainRun::bind(vgfio_direction direction, size_t index, const vgfio_tensor_info& info,
                      std::byte** data) {
  VGFIO_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::allocate(info.bytes, alignment_));
  std::fill_n(buffer.data(), buffer.capacity(), std::byte{0});
  *data = buffer.data();
  buffers_.push_back(std::move(buffer));
  return binding_->bind(direction, index, *data, buffers_.back().capacity());
}

Status PlainRun::bind_inputs() {
  const auto& paths = options_.inputs;
  if (!paths.empty() && paths.size() != inputs_.size()) return check_input_files(paths, inputs_);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const bool tensor = inputs_[i].struct_size != 0;
    if (tensor) {
      std::byte* data = nullptr;
      VGFIO_RETURN_IF_ERROR(bind(VGFIO_INPUT, i, inputs_[i], &data));
      if (paths.empty()) {
        fill_ones(inputs_[i], data);
      } else {
        VGFIO_RETURN_IF_ERROR(read_input_file(paths[i], inputs_[i], i, data));
      }
    } else if (!paths.empty()) {
      VGFIO_ASSIGN_OR_RETURN(const et::EValue value,
                             read_value(paths[i], facts_->inputs[i].kind, i));
      const RuntimeLogCapture capture;
      const et::Error error = loaded_->method().set_input(value, i);
      if (error != et::Error::Ok) {
        return runtime_status(error, VGFIO_INVALID_REQUEST,
                              "input " + std::to_string(i) + " cannot be set");
      }
    }
  }
  return {};
}

Status PlainRun::bind_outputs() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].struct_size == 0 || outputs_[i].memory_planned != 0) continue;
    std::byte* data = nullptr;
    VGFIO_RETURN_IF_ERROR(bind(VGFIO_OUTPUT, i, outputs_[i], &data));
  }
  return {};
}

Status PlainRun::execute_once(uint32_t index, uint64_t& total_ns) {
  VGFIO_RETURN_IF_ERROR(binding_->begin_inference());
  const RuntimeLogCapture capture;
  (void)take_delegate_error();
  const uint64_t begin = now_ns();
  const et::Error error = loaded_->method().execute();
  const uint64_t elapsed = now_ns() - begin;
  total_ns += elapsed;
  if (error != et::Error::Ok) {
    return runtime_status(
        error, VGFIO_RUN_FAILED,
        "execution " + std::to_string(index) + " of method " + quote(facts_->name) + " failed");
  }
  return {};
}

Status PlainRun::execute_all() {
  uint64_t total_ns = 0;
  for (uint32_t i = 0; i < options_.num_executions; ++i) {
    VGFIO_RETURN_IF_ERROR(execute_once(i, total_ns));
  }
  ET_LOG(Info, "Model executed successfully %u time(s) in %f ms.", options_.num_executions,
         milliseconds(total_ns));
  return {};
}

Status PlainRun::show() {
  VGFIO_ASSIGN_OR_RETURN(const auto outputs, get_outputs(loaded_->method()));
  ET_LOG(Info, "%zu outputs: ", outputs.size());
  if (!options_.output_file.empty()) {
    VGFIO_RETURN_IF_ERROR(write_outputs(options_.output_file, outputs));
  }
  print_outputs(std::cout, outputs, options_.print_output);
  return tracer_ != nullptr ? tracer_->write(options_.etdump_path) : Status();
}

}  // namespace

Status run_plain(const RunnerOptions& options, const DelegateChoice& choice,
                 size_t (*buffer_alignment)(const DelegateChoice& choice)) {
  set_cpu_threads(options.cpu_threads);
  PlainRun run(options);
  VGFIO_RETURN_IF_ERROR(run.load(choice, buffer_alignment));
  VGFIO_RETURN_IF_ERROR(run.execute_all());
  return run.show();
}

}  // namespace vgfio
