#include <algorithm>
#include <cstring>
#include <list>

#include "base/aligned_buffer.h"
#include "base/host_regions.h"
#include "base/names.h"
#include "delegate/device_info.h"
#include "delegate/runtime_status.h"
#include "delegate/settings.h"
#include "upstream/adopted_device.h"
#include "upstream/hooks.h"
#include "upstream/recorded_graph.h"
#include "vgf/boundary.h"

namespace vgfio {

namespace et = executorch::runtime;

namespace {

// An input or output of the delegate.
struct Tensor {
  bool output = false;
  size_t index = 0;
  std::optional<UpstreamTensor> own;  // nothing: eliminated
  DeviceMemory own_memory;            // what is known of it; the backend holds the handle
  uint32_t resource = 0;
  std::unique_ptr<BoundaryTensor> boundary;  // null: never bound, and why is in `refusal`
  Refusal refusal;
  // Of the last inference:
  std::shared_ptr<Boundary> imported;
  HostTensor host;
  vgfio_path path = VGFIO_PATH_NONE;
};

// Settings that this backend has no way to follow are refused, not ignored.
Status check_settings(const BackendSettings& settings) {
  if (settings.session.io_mode == VGFIO_IO_STAGED) {
    return Status::unsupported("ExecuTorch's VGF backend has no staged I/O; use zero-copy or lend");
  }
  if (settings.session.wait == VGFIO_WAIT_SPIN) {
    return Status::unsupported("ExecuTorch's VGF backend waits with a fence; do not ask for spin");
  }
  if (settings.session.copy_memory != CopyMemory::kAuto) {
    return Status::unsupported("ExecuTorch's VGF backend chooses its memory itself; "
                               "leave the copy memory at auto");
  }
  if (settings.session.require_zero_copy && settings.session.io_mode == VGFIO_IO_COPY) {
    return Status::invalid("zero-copy is required, but the mode is copy; choose another mode");
  }
  return Status();
}

Result<BackendSettings> read_settings(const et::BackendInitContext& context) {
  BackendSettings settings = settings_from_environment();
  for (const et::BackendOption& option : context.runtime_specs()) {
    VGFIO_RETURN_IF_ERROR(apply_option(option, settings));
  }
  VGFIO_RETURN_IF_ERROR(check_settings(settings));
  return settings;
}

// The backend takes the first device; another one that is asked for is an error.
Status check_device(const Device& device, const std::string& wanted) {
  if (wanted.empty()) return Status();
  if (wanted == "0" || device.info().name.find(wanted) != std::string::npos) return Status();
  return Status::invalid("ExecuTorch's VGF backend takes the first device, " + device.info().name +
                         "; do not ask for another one, or hide it from the Vulkan loader");
}

// The memory type of the backend's own tensors: the first that is device-local and
// mapped, as the backend asks for it.
DeviceMemory memory_of(Device& device, const UpstreamTensor& tensor) {
  VkMemoryRequirements2 needs{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  if (tensor.tensor != VK_NULL_HANDLE) {
    VkTensorMemoryRequirementsInfoARM info{
        VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM};
    info.tensor = tensor.tensor;
    device.vk().GetTensorMemoryRequirementsARM(device.handle(), &info, &needs);
  } else if (tensor.buffer != VK_NULL_HANDLE) {
    device.vk().GetBufferMemoryRequirements(device.handle(), tensor.buffer,
                                            &needs.memoryRequirements);
  }
  DeviceMemory memory;
  memory.size = needs.memoryRequirements.size;
  const MemoryWish wish{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                        0, 0};
  const auto type = choose_memory_type(device.info().memory,
                                       needs.memoryRequirements.memoryTypeBits, wish);
  if (type) {
    memory.type = *type;
    memory.flags = device.info().memory.memoryTypes[*type].propertyFlags;
  }
  return memory;
}

struct DecodedVgf {
  Model model;
  Plan plan;

  // The resource of an input or output, if it may lie in memory of the caller: a
  // tensor or buffer that is nothing else at the boundary. Else why not.
  Result<uint32_t> bindable(vgfio_direction direction, size_t index, vgfio_reason* why) const;
};

Result<uint32_t> DecodedVgf::bindable(vgfio_direction direction, size_t index,
                                      vgfio_reason* why) const {
  const auto& resources = direction == VGFIO_OUTPUT ? model.outputs : model.inputs;
  const auto refuse = [why](vgfio_reason reason) {
    *why = reason;
    return Status::unsupported(reason_name(reason));
  };
  if (index >= resources.size() || !resources[index]) return refuse(VGFIO_REASON_ELIMINATED);
  const uint32_t resource = *resources[index];
  // The backend would copy from or to its own memory, which the graph no longer uses.
  const auto uses = std::count(model.inputs.begin(), model.inputs.end(), resources[index]) +
                    std::count(model.outputs.begin(), model.outputs.end(), resources[index]);
  if (uses > 1) return refuse(VGFIO_REASON_ALIASED_RESOURCE);
  const ResourcePlan& planned = plan.resources[resource];
  if (planned.staged_reason != VGFIO_REASON_NONE) return refuse(planned.staged_reason);
  if (planned.host != HostAccess::kDirect) return refuse(VGFIO_REASON_CONSTANT);
  return resource;
}

Result<DecodedVgf> decode(const et::FreeableBuffer& processed) {
  constexpr size_t kVgfAlignment = 8;
  VGFIO_ASSIGN_OR_RETURN(const AlignedBuffer bytes,
                         AlignedBuffer::allocate(processed.size(), kVgfAlignment));
  std::memcpy(bytes.data(), processed.data(), processed.size());
  DecodedVgf decoded;
  VGFIO_ASSIGN_OR_RETURN(decoded.model, decode_vgf(bytes.data(), processed.size()));
  VGFIO_ASSIGN_OR_RETURN(decoded.plan, plan_session(decoded.model, false));
  return decoded;
}

}  // namespace

struct DelegateIo::State final : private DelegateSource, private HostRegionListener {
  explicit State(UpstreamVgf repr) : repr_(repr) {}
  ~State() override;

  Status configure(const BackendSettings& settings, const et::FreeableBuffer& processed,
                   const InitClock& clock);
  Status begin(et::Span<et::EValue*> args);
  void end();

  const Tensor& tensor(size_t arg) const { return tensors_[arg]; }
  Record* record() const { return record_; }
  void note_submit() { submitted_ = true; }

 private:
  void add_tensors(vgfio_direction direction, const DecodedVgf* decoded, const Refusal& refusal);
  Status gather(et::Span<et::EValue*> args);
  bool bindings_hold() const;
  Status refresh();
  void bind(size_t arg, Record* record);
  bool overlaps_another(size_t arg) const;
  void keep(const std::shared_ptr<Boundary>& boundary);
  Status check_required() const;
  Crossing crossing(size_t arg) const;

  DeviceInfo device() const override { return describe_device(*device_, VGFIO_WAIT_FENCE); }
  InitTimes init_times() const override { return times_; }
  std::vector<vgfio_tensor_path> tensor_paths() const override;
  Lent lend(vgfio_direction direction, size_t index) override;
  size_t tensor_count(vgfio_direction direction) const override { return repr_.count(direction); }
  void region_forgotten(const HostRegion& region) override;

  UpstreamVgf repr_;
  VkCommandBuffer own_commands_ = repr_.commands();
  BackendSettings settings_;
  InitTimes times_;
  std::shared_ptr<Device> device_;
  std::unique_ptr<RecordedGraph> graph_;  // null: the bindings never change
  std::vector<Tensor> tensors_;           // inputs, then outputs
  std::vector<HostTensor> hosts_;         // of this inference

  std::mutex bindings_mutex_;  // guards what a forgotten region may drop
  BoundaryTensor::Imports imports_;
  std::list<std::shared_ptr<Boundary>> kept_;  // most recently used first
  bool bound_ = false;
  uint64_t region_generation_ = 0;

  Sink* sink_ = nullptr;
  size_t sink_index_ = 0;
  // Of this inference:
  Record* record_ = nullptr;
  uint64_t begin_ns_ = 0;
  bool profiled_ = false;
  bool submitted_ = false;
};

DelegateIo::State::~State() {
  remove_host_region_listener(this);
  if (sink_ != nullptr) sink_->detach(this);
}

Status DelegateIo::State::configure(const BackendSettings& settings,
                                    const et::FreeableBuffer& processed, const InitClock& clock) {
  settings_ = settings;
  times_.device_ns = clock.device_ns();
  times_.pipeline_ns = clock.since_opened_ns();
  VGFIO_ASSIGN_OR_RETURN(device_, adopt_device(repr_));
  VGFIO_RETURN_IF_ERROR(check_device(*device_, settings.device));

  // What this project cannot read or record runs as the backend runs it, with copies.
  Result<DecodedVgf> decoded = decode(processed);
  Refusal refusal;
  if (!decoded.ok()) {
    refusal = {VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT, 0, decoded.status().detail()};
  } else if (repr_.has_images()) {
    refusal = {VGFIO_REASON_ALIASED_RESOURCE, 0,
               "the model has images, whose commands are not recorded anew"};
  } else {
    VGFIO_ASSIGN_OR_RETURN(
        graph_, RecordedGraph::create(*device_, repr_.segments(), decoded->model.segments,
                                      repr_.timestamps()));
    if (graph_ == nullptr) {
      refusal = {VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT, 0,
                 "the backend's segments are not those of the VGF"};
    }
  }
  const DecodedVgf* readable = decoded.ok() && graph_ != nullptr ? &*decoded : nullptr;
  add_tensors(VGFIO_INPUT, readable, refusal);
  add_tensors(VGFIO_OUTPUT, readable, refusal);
  hosts_.resize(tensors_.size());
  add_host_region_listener(this);
  sink_ = Sink::current();
  if (sink_ != nullptr) sink_index_ = sink_->attach(this);
  return Status();
}

void DelegateIo::State::add_tensors(vgfio_direction direction, const DecodedVgf* decoded,
                                    const Refusal& refusal) {
  for (size_t i = 0; i < repr_.count(direction); ++i) {
    Tensor tensor;
    tensor.output = direction == VGFIO_OUTPUT;
    tensor.index = i;
    tensor.own = repr_.tensor(direction, i);
    tensor.refusal = refusal;
    if (tensor.own) tensor.own_memory = memory_of(*device_, *tensor.own);
    if (tensor.own && decoded != nullptr) {
      const Result<uint32_t> resource = decoded->bindable(direction, i, &tensor.refusal.reason);
      if (resource.ok()) {
        tensor.resource = *resource;
        tensor.boundary = std::make_unique<BoundaryTensor>(
            decoded->model.resources[*resource], decoded->plan.resources[*resource],
            tensor.output);
      }
    }
    tensors_.push_back(std::move(tensor));
  }
}

Status DelegateIo::State::begin(et::Span<et::EValue*> args) {
  record_ = sink_ != nullptr ? sink_->part(sink_index_) : nullptr;
  profiled_ = submitted_ = false;
  begin_ns_ = record_ != nullptr ? now_ns() : 0;
  VGFIO_RETURN_IF_ERROR(gather(args));
  if (!bindings_hold()) VGFIO_RETURN_IF_ERROR(refresh());
  if (graph_ == nullptr) return Status();
  profiled_ = sink_ != nullptr && sink_->profile_device() && graph_->has_timestamps();
  if (!profiled_ && !graph_->changed()) return Status();
  VGFIO_ASSIGN_OR_RETURN(const VkCommandBuffer commands, graph_->commands(profiled_));
  repr_.set_commands(commands);
  return Status();
}

void DelegateIo::State::end() {
  repr_.set_commands(own_commands_);
  if (record_ == nullptr) return;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    count_crossing(crossing(i), settings_.session.io_mode != VGFIO_IO_COPY, record_);
  }
  if (profiled_ && submitted_) graph_->read_device_time(*record_);
  record_->execute_ns += now_ns() - begin_ns_;
  record_ = nullptr;
}

Status DelegateIo::State::gather(et::Span<et::EValue*> args) {
  if (args.size() < tensors_.size()) {
    return Status::invalid("the delegate call has " + std::to_string(args.size()) +
                           " arguments, the VGF " + std::to_string(tensors_.size()));
  }
  for (size_t i = 0; i < tensors_.size(); ++i) {
    hosts_[i] = {};
    if (!tensors_[i].own) continue;
    if (!args[i]->isTensor()) {
      return Status::invalid(tensor_name(tensors_[i].output, tensors_[i].index) +
                             " is not a tensor");
    }
    const executorch::aten::Tensor& tensor = args[i]->toTensor();
    hosts_[i] = {const_cast<void*>(tensor.const_data_ptr()), tensor.nbytes()};
  }
  return Status();
}

bool DelegateIo::State::bindings_hold() const {
  if (!bound_ || region_generation_ != host_region_generation()) return false;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (hosts_[i].data != tensors_[i].host.data || hosts_[i].bytes != tensors_[i].host.bytes) {
      return false;
    }
  }
  return true;
}

Status DelegateIo::State::refresh() {
  const std::lock_guard lock(bindings_mutex_);
  const uint64_t begin = now_ns();
  Record imports{};
  bool moved = false;
  bound_ = false;  // until everything is: a failure leaves nothing half bound
  region_generation_ = host_region_generation();
  for (size_t i = 0; i < tensors_.size(); ++i) {
    Tensor& tensor = tensors_[i];
    if (tensor.own && hosts_[i].bytes != tensor.own->bytes) {
      return Status::invalid(tensor_name(tensor.output, tensor.index) + " has " +
                             std::to_string(hosts_[i].bytes) + " bytes, the VGF has " +
                             std::to_string(tensor.own->bytes));
    }
    moved = moved || tensor.host.data != hosts_[i].data;
    tensor.host = hosts_[i];
    bind(i, &imports);
  }
  VGFIO_RETURN_IF_ERROR(check_required());
  if (graph_ != nullptr) {
    for (const Tensor& tensor : tensors_) {
      if (tensor.boundary == nullptr) continue;
      graph_->bind(tensor.resource, *tensor.own, tensor.imported);
    }
    VGFIO_RETURN_IF_ERROR(graph_->write());
  }
  bound_ = true;
  VGFIO_ADD(record_, imports, imports.imports);
  VGFIO_ADD(record_, import_ns, imports.import_ns);
  VGFIO_ADD(record_, rejection_count, imports.rejection_count);
  if (moved) {
    VGFIO_ADD(record_, binding_refreshes, 1);
    VGFIO_ADD(record_, binding_refresh_ns, now_ns() - begin - imports.import_ns);
  }
  return Status();
}

void DelegateIo::State::bind(size_t arg, Record* record) {
  Tensor& tensor = tensors_[arg];
  tensor.imported.reset();
  tensor.path = tensor.own ? VGFIO_PATH_COPY : VGFIO_PATH_NONE;
  if (!tensor.own) return;
  if (tensor.host.data == tensor.own->mapped) {
    tensor.path = VGFIO_PATH_LENT;
    return;
  }
  if (settings_.session.io_mode != VGFIO_IO_ZERO_COPY) return;
  if (tensor.boundary == nullptr) return;
  if (overlaps_another(arg)) {
    tensor.boundary->refuse(VGFIO_REASON_OVERLAPPING_BUFFERS,
                            "the buffer overlaps that of another input or output");
    VGFIO_ADD(record, rejection_count, 1);
    return;
  }
  tensor.imported = tensor.boundary->import(*device_, tensor.host, imports_, record);
  if (tensor.imported == nullptr) return;
  tensor.path = VGFIO_PATH_ZERO_COPY;
  keep(tensor.imported);
}

bool DelegateIo::State::overlaps_another(size_t arg) const {
  if (!tensors_[arg].output) return false;
  for (size_t other = 0; other < tensors_.size(); ++other) {
    if (other != arg && tensors_[other].own && overlap(hosts_[arg], hosts_[other])) return true;
  }
  return false;
}

// A buffer that comes back, as in a ring, is not imported again.
void DelegateIo::State::keep(const std::shared_ptr<Boundary>& boundary) {
  kept_.remove(boundary);
  kept_.push_front(boundary);
  const size_t most = std::max<size_t>(settings_.session.binding_sets, 1) * tensors_.size();
  while (kept_.size() > most) kept_.pop_back();
}

Status DelegateIo::State::check_required() const {
  if (!settings_.session.require_zero_copy) return Status();
  std::string copied;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const Crossing tensor = crossing(i);
    if (tensor.path != VGFIO_PATH_COPY) continue;
    copied += (copied.empty() ? "" : "; ") + tensor_name(tensor.output, tensor.index) + ": " +
              reason_name(tensor.reason);
  }
  if (copied.empty()) return Status();
  return Status::failed("zero-copy is required, but it was not possible for " + copied);
}

Crossing DelegateIo::State::crossing(size_t arg) const {
  const Tensor& tensor = tensors_[arg];
  Crossing crossing;
  crossing.output = tensor.output;
  crossing.index = tensor.index;
  crossing.host = tensor.host;
  crossing.bytes = tensor.own ? tensor.own->bytes : 0;
  crossing.path = tensor.path;
  if (!tensor.own) {
    crossing.reason = VGFIO_REASON_ELIMINATED;
    return crossing;
  }
  crossing.memory = tensor.imported != nullptr ? tensor.imported->memory.get() : &tensor.own_memory;
  if (tensor.path == VGFIO_PATH_COPY && settings_.session.io_mode == VGFIO_IO_ZERO_COPY) {
    crossing.refusal =
        tensor.boundary != nullptr ? &tensor.boundary->refusal() : &tensor.refusal;
    crossing.reason = crossing.refusal->reason;
  }
  return crossing;
}

std::vector<vgfio_tensor_path> DelegateIo::State::tensor_paths() const {
  std::vector<vgfio_tensor_path> paths;
  for (size_t i = 0; i < tensors_.size(); ++i) paths.push_back(describe_crossing(crossing(i)));
  return paths;
}

DelegateSource::Lent DelegateIo::State::lend(vgfio_direction direction, size_t index) {
  const auto tensor = repr_.tensor(direction, index);
  return tensor ? Lent{tensor->mapped, tensor->bytes} : Lent{};
}

void DelegateIo::State::region_forgotten(const HostRegion& region) {
  const std::lock_guard lock(bindings_mutex_);
  const auto within = [&region](const std::byte* base) {
    return base >= region.base && base < region.base + region.capacity;
  };
  for (Tensor& tensor : tensors_) {
    if (tensor.imported == nullptr || !within(tensor.imported->host_base)) continue;
    tensor.imported.reset();
    bound_ = false;
  }
  if (graph_ != nullptr) graph_->forget(within);
  kept_.remove_if([&](const auto& boundary) { return within(boundary->host_base); });
  for (auto entry = imports_.begin(); entry != imports_.end();) {
    const std::byte* base = entry->first;
    if (!within(base)) {
      ++entry;
      continue;
    }
    for (Tensor& tensor : tensors_) {
      if (tensor.boundary != nullptr) tensor.boundary->forget_import(base);
    }
    entry = imports_.erase(entry);
  }
}

DelegateIo::DelegateIo(std::unique_ptr<State> state) : state_(std::move(state)) {}
DelegateIo::~DelegateIo() = default;

et::Error DelegateIo::attach(executorch::backends::vgf::VgfRepr& backend,
                             const et::BackendInitContext& context,
                             const et::FreeableBuffer& processed, const InitClock& clock) {
  UpstreamVgf repr(backend);
  const Status status = guarded([&]() -> Status {
    VGFIO_ASSIGN_OR_RETURN(const BackendSettings settings, read_settings(context));
    auto state = std::make_unique<State>(repr);
    VGFIO_RETURN_IF_ERROR(state->configure(settings, processed, clock));
    repr.give(std::unique_ptr<DelegateIo>(new DelegateIo(std::move(state))));
    return Status();
  });
  if (status.ok()) return et::Error::Ok;
  repr.destroy();
  return note(status);
}

DelegateIo::Inference::Inference(DelegateIo& io, et::Span<et::EValue*> args)
    : io_(io), error_(et::Error::Ok) {
  const Status status = guarded([&] { return io_.state_->begin(args); });
  if (!status.ok()) error_ = note(status);
}

DelegateIo::Inference::~Inference() { io_.state_->end(); }

bool DelegateIo::bound(size_t arg) const {
  const vgfio_path path = state_->tensor(arg).path;
  return path == VGFIO_PATH_ZERO_COPY || path == VGFIO_PATH_LENT;
}

ScopedTimer DelegateIo::time_copy(size_t arg) const {
  Record* const record = state_->record();
  if (record == nullptr) return ScopedTimer(nullptr);
  return ScopedTimer(state_->tensor(arg).output ? &record->out_memcpy_ns : &record->in_memcpy_ns);
}

ScopedTimer DelegateIo::time_submit() {
  state_->note_submit();
  Record* const record = state_->record();
  return ScopedTimer(record != nullptr ? &record->submit_wait_ns : nullptr);
}

}  // namespace vgfio
