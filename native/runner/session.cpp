#include "runner/session.h"

#include <algorithm>
#include <utility>

#include "base/names.h"
#include "delegate/options.h"
#include "runner/sha256.h"

namespace vgfio {
namespace {

// A model tensor among the inputs or outputs of a VGF delegate.
struct DelegateTensor {
  size_t delegate = 0;  // among the VGF delegates, in the order they attach
  size_t position = 0;  // among the arguments of the call: inputs, then outputs
};

std::vector<DelegateTensor> find_uses(const MethodFacts& facts, int32_t value) {
  std::vector<DelegateTensor> uses;
  for (const DelegateCall& call : facts.calls) {
    if (call.delegate >= facts.delegates.size() ||
        facts.delegates[call.delegate] != kVgfBackendName) {
      continue;
    }
    const auto begin = facts.delegates.begin();
    const auto rank = static_cast<size_t>(
        std::count(begin, begin + static_cast<std::ptrdiff_t>(call.delegate), kVgfBackendName));
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (call.args[i] == value) uses.push_back({rank, i});
    }
  }
  return uses;
}

}  // namespace

Status check_options(const SessionOptions& options) {
  if (options.io_mode > VGFIO_IO_LEND) return Status::invalid("there is no such I/O mode");
  if (options.wait > VGFIO_WAIT_SPIN) return Status::invalid("there is no such way to wait");
  if (options.copy_memory > VGFIO_COPY_MEMORY_DEVICE_LOCAL) {
    return Status::invalid("there is no such copy memory");
  }
  const uint64_t alignment = options.io_alignment;
  constexpr uint64_t kMost = uint64_t{1} << 30;
  if (alignment != 0 &&
      (!is_power_of_two(alignment) || alignment < kMinIoAlignment || alignment > kMost)) {
    return Status::invalid("the I/O alignment is " + std::to_string(alignment) +
                           "; give a power of two from " + std::to_string(kMinIoAlignment) +
                           " on, or 0 for what the device asks for");
  }
  return {};
}

Result<std::unique_ptr<Session>> Session::create(std::unique_ptr<ModelProgram> model,
                                                 const SessionOptions& options, uint64_t read_ns) {
  VGFIO_RETURN_IF_ERROR(check_options(options));
  std::unique_ptr<Session> session(new Session(options));
  session->model_ = std::move(model);
  VGFIO_ASSIGN_OR_RETURN(
      session->method_info_,
      check_method(*session->model_, {options.method_name, options.allow_planned_io}));
  const MethodFacts& facts = session->facts();
  const DelegateChoice choice{options.io_mode,           options.wait,        options.device,
                              options.require_zero_copy, options.copy_memory, options.binding_sets};
  const uint64_t begin = now_ns();
  {
    const Sink::Scope scope(&session->sink_);
    VGFIO_ASSIGN_OR_RETURN(
        session->loaded_,
        LoadedMethod::load(*session->model_, facts, options.data_path, choice, nullptr));
  }
  session->times_.load_ns = read_ns + now_ns() - begin;
  session->set_alignment();
  session->binding_ = std::make_unique<IoBinding>(
      session->method(), facts, session->method_info_.inputs, session->method_info_.outputs);
  return session;
}

void Session::set_alignment() {
  uint64_t alignment = options_.io_alignment;
  if (alignment == 0) {
    alignment = kMinIoAlignment;
    for (const DelegateSource* source : sink_.delegates()) {
      if (source != nullptr) alignment = std::max(alignment, source->device().import_alignment);
    }
  }
  set_requirements(method_info_.inputs, alignment);
  set_requirements(method_info_.outputs, alignment);
}

Status Session::bind(vgfio_direction direction, size_t index, void* data, size_t capacity) {
  const bool lent = std::find(lent_.begin(), lent_.end(), data) != lent_.end();
  return binding_->bind(direction, index, data, capacity, lent);
}

Status Session::keep(void* data, size_t capacity) {
  if (data == nullptr || capacity == 0) return Status::invalid("there is no buffer to keep");
  NotedRegion region({static_cast<std::byte*>(data), capacity});
  if (!region.noted()) return Status::invalid("the buffer overlaps another one");
  kept_[data] = std::move(region);
  return {};
}

Status Session::forget(void* data) {
  if (kept_.erase(data) == 0) return Status::invalid("the buffer is not kept");
  return {};
}

Result<DelegateSource::Lent> Session::lend(vgfio_direction direction, size_t index) {
  const std::string name = std::string(direction_name(direction)) + " " + std::to_string(index);
  if (options_.io_mode != VGFIO_IO_LEND) {
    return Status::invalid("memory is lent in I/O mode lend only");
  }
  if (index >= tensors(direction).size()) return Status::invalid("there is no " + name);
  const auto& values = direction == VGFIO_INPUT ? facts().inputs : facts().outputs;
  for (const DelegateTensor& use : find_uses(facts(), values[index].value)) {
    DelegateSource* source =
        use.delegate < sink_.delegates().size() ? sink_.delegates()[use.delegate] : nullptr;
    if (source == nullptr) continue;
    const size_t inputs = source->tensor_count(VGFIO_INPUT);
    const DelegateSource::Lent lent = use.position < inputs
                                          ? source->lend(VGFIO_INPUT, use.position)
                                          : source->lend(VGFIO_OUTPUT, use.position - inputs);
    if (lent.data == nullptr || lent.capacity < tensors(direction)[index].bytes) continue;
    lent_.push_back(lent.data);
    return lent;
  }
  return Status::unsupported("the device has no memory to lend for " + name +
                             "; bind a buffer of your own");
}

void Session::note_first_inference(const Record& record) {
  if (times_.first_run_ns == 0) times_.first_run_ns = record.latency_ns;
}

Status Session::warm_up(uint64_t count) {
  warmup_records_.assign(count, Record{});
  LoopPlan plan;
  plan.iterations = count;
  plan.storage = {warmup_records_.data(), warmup_records_.size(), nullptr};
  size_t done = 0;
  const Status status = run_loop(method(), *binding_, sink_, plan, &done);
  warmup_records_.resize(done);
  for (const Record& record : warmup_records_) {
    note_first_inference(record);
    times_.import_ns += record.import_ns;
  }
  return status;
}

Status Session::run(uint64_t warmup, const LoopPlan& plan, size_t* written) {
  *written = 0;
  VGFIO_RETURN_IF_ERROR(binding_->check_complete());
  if (plan.storage.capacity < plan.iterations) {
    return Status::invalid("there is room for " + std::to_string(plan.storage.capacity) +
                           " records, " + std::to_string(plan.iterations) + " are asked for");
  }
  VGFIO_RETURN_IF_ERROR(warm_up(warmup));
  const Status status = run_loop(method(), *binding_, sink_, plan, written);
  if (*written > 0) note_first_inference(plan.storage.records[0]);
  if (!status.ok() && status.code() != VGFIO_INTERRUPTED) return status;
  if (*written + warmup_records_.size() > 0) VGFIO_RETURN_IF_ERROR(binding_->end_run());
  return status;
}

std::vector<vgfio_tensor_path> Session::paths() const {
  std::vector<vgfio_tensor_path> all;
  for (size_t i = 0; i < sink_.delegates().size(); ++i) {
    if (sink_.delegates()[i] == nullptr) continue;
    for (vgfio_tensor_path path : sink_.delegates()[i]->tensor_paths()) {
      path.delegate = static_cast<uint32_t>(i);
      all.push_back(path);
    }
  }
  return all;
}

DeviceInfo Session::device() const {
  for (const DelegateSource* source : sink_.delegates()) {
    if (source != nullptr) return source->device();
  }
  return {};
}

const std::string& Session::model_digest() {
  if (model_digest_.empty()) model_digest_ = sha256_hex(model_->data(), model_->bytes());
  return model_digest_;
}

SessionTimes Session::times() const {
  SessionTimes times = times_;
  for (const DelegateSource* source : sink_.delegates()) {
    if (source == nullptr) continue;
    const InitTimes part = source->init_times();
    times.delegates.device_ns += part.device_ns;
    times.delegates.decode_ns += part.decode_ns;
    times.delegates.pipeline_ns += part.pipeline_ns;
  }
  return times;
}

}  // namespace vgfio
