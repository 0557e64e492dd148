#include "vgf/vgf_session.h"

#include <algorithm>
#include <cstring>

#include "vulkan/device_time.h"

namespace vgfio {

Result<std::unique_ptr<VgfSession>> VgfSession::create(std::shared_ptr<Device> device, const void* vgf,
                                                 size_t bytes, const VgfSessionOptions& options) {
  std::unique_ptr<VgfSession> session(new VgfSession(std::move(device), options));
  VGFIO_RETURN_IF_ERROR(session->configure(vgf, bytes));
  add_host_region_listener(session.get());
  return session;
}

VgfSession::~VgfSession() { remove_host_region_listener(this); }

Status VgfSession::configure(const void* vgf, size_t bytes) {
  const uint64_t begin = now_ns();
  VGFIO_ASSIGN_OR_RETURN(model_, decode_vgf(vgf, bytes));
  VGFIO_ASSIGN_OR_RETURN(plan_, plan_session(model_, options_.io_mode == VGFIO_IO_STAGED));
  const uint64_t planned = now_ns();
  times_.decode_ns = planned - begin;
  VGFIO_ASSIGN_OR_RETURN(pool_, CommandPool::create(*device_, options_.wait));
  VGFIO_ASSIGN_OR_RETURN(timestamps_, create_timestamps(*device_));
  VGFIO_ASSIGN_OR_RETURN(fixed_, FixedResources::create(*device_, pool_, model_, plan_));
  for (const Segment& segment : model_.segments) {
    VGFIO_ASSIGN_OR_RETURN(SegmentPipeline pipeline,
                           SegmentPipeline::create(*device_, model_, plan_, segment));
    segments_.push_back(std::move(pipeline));
  }
  inputs_ = model_.inputs.size();
  for (const BoundaryResource& input : model_.inputs) {
    VGFIO_RETURN_IF_ERROR(add_tensor(input, false));
  }
  for (const BoundaryResource& output : model_.outputs) {
    VGFIO_RETURN_IF_ERROR(add_tensor(output, true));
  }
  forget_vgf_bytes();
  times_.pipeline_ns = now_ns() - planned;
  return Status();
}

Status VgfSession::add_tensor(const BoundaryResource& resource, bool output) {
  Tensor tensor;
  tensor.output = output;
  if (!resource) {
    tensor.source = Tensor::Source::kEliminated;
    tensors_.push_back(std::move(tensor));
    return Status();
  }
  tensor.resource = *resource;
  tensor.bytes = model_.resources[*resource].bytes;
  const auto same = std::find_if(tensors_.begin(), tensors_.end(), [&](const Tensor& other) {
    return other.source == Tensor::Source::kDevice && other.resource == *resource;
  });
  if (output && same != tensors_.end()) {
    tensor.source = Tensor::Source::kSameAs;
    tensor.same_as = static_cast<size_t>(same - tensors_.begin());
  } else if (model_.resources[*resource].role == ResourceRole::kConstant) {
    const auto constant =
        std::find_if(model_.constants.begin(), model_.constants.end(),
                     [&](const Constant& entry) { return entry.resource == *resource; });
    if (constant == model_.constants.end()) {
      return Status::invalid("malformed VGF: a constant at the boundary has no data");
    }
    tensor.source = Tensor::Source::kConstant;
    tensor.constant.assign(constant->data, constant->data + tensor.bytes);
  } else {
    const ResourcePlan& planned = plan_.resources[*resource];
    tensor.boundary = std::make_unique<BoundaryTensor>(model_.resources[planned.copied_as],
                                                       planned, output);
  }
  tensors_.push_back(std::move(tensor));
  return Status();
}

// The pointers into the caller's VGF bytes end with create().
void VgfSession::forget_vgf_bytes() {
  model_.constants.clear();
  for (Segment& segment : model_.segments) {
    segment.code = nullptr;
    segment.code_words = 0;
  }
}

Status VgfSession::run(const std::vector<HostTensor>& tensors, Record* record, bool profile) {
  VGFIO_TIME(record, execute_ns);
  if (!bindings_hold(tensors)) {
    VGFIO_RETURN_IF_ERROR(check_sizes(tensors));
    VGFIO_RETURN_IF_ERROR(refresh(tensors, record));
  }
  profile = profile && timestamps_;
  VGFIO_ASSIGN_OR_RETURN(const VkCommandBuffer commands, current_->commands(profile));
  copy_in(record);
  {
    VGFIO_TIME(record, submit_wait_ns);
    VGFIO_RETURN_IF_ERROR(pool_.submit_and_wait(commands));
  }
  copy_out(record);
  count_paths(record);
  return profile ? read_device_time(record) : Status();
}

bool VgfSession::bindings_hold(const std::vector<HostTensor>& tensors) const {
  if (current_ == nullptr || tensors.size() != tensors_.size() ||
      region_generation_ != host_region_generation()) {
    return false;
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].data != tensors_[i].host.data || tensors[i].bytes != tensors_[i].host.bytes) {
      return false;
    }
  }
  return true;
}

Status VgfSession::check_sizes(const std::vector<HostTensor>& tensors) const {
  if (tensors.size() != tensors_.size()) {
    return Status::invalid("the VGF has " + std::to_string(tensors_.size()) +
                           " inputs and outputs, the method gives " +
                           std::to_string(tensors.size()));
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors_[i].source == Tensor::Source::kEliminated) continue;
    if (tensors[i].bytes != tensors_[i].bytes) {
      return Status::invalid(name_of(i) + " has " + std::to_string(tensors[i].bytes) +
                             " bytes, the VGF has " + std::to_string(tensors_[i].bytes));
    }
    if (tensors[i].data == nullptr && tensors[i].bytes > 0) {
      return Status::invalid(name_of(i) + " has no buffer; bind one");
    }
  }
  return Status();
}

Status VgfSession::refresh(const std::vector<HostTensor>& tensors, Record* record) {
  const std::lock_guard lock(bindings_mutex_);
  [[maybe_unused]] const uint64_t begin = now_ns();
  Record imports{};
  bool moved = false;
  current_ = nullptr;  // until everything is bound: a failure leaves nothing half bound
  region_generation_ = host_region_generation();
  std::vector<BoundaryUse> uses;
  for (size_t i = 0; i < tensors.size(); ++i) {
    moved = moved || tensors_[i].host.data != tensors[i].data;
    VGFIO_RETURN_IF_ERROR(bind_tensor(i, tensors, &imports));
    tensors_[i].host = tensors[i];
    if (tensors_[i].bound != nullptr) uses.push_back({tensors_[i].resource, tensors_[i].bound});
  }
  VGFIO_RETURN_IF_ERROR(check_required());
  VGFIO_RETURN_IF_ERROR(select_binding_set(std::move(uses)));
  VGFIO_ADD(record, imports, imports.imports);
  VGFIO_ADD(record, import_ns, imports.import_ns);
  VGFIO_ADD(record, rejection_count, imports.rejection_count);
  if (moved) {
    VGFIO_ADD(record, binding_refreshes, 1);
    VGFIO_ADD(record, binding_refresh_ns, now_ns() - begin - imports.import_ns);
  }
  return Status();
}

Status VgfSession::bind_tensor(size_t index, const std::vector<HostTensor>& tensors,
                            Record* record) {
  Tensor& tensor = tensors_[index];
  if (tensor.source == Tensor::Source::kEliminated) return Status();
  if (tensor.source != Tensor::Source::kDevice) {
    tensor.path = VGFIO_PATH_COPY;
    return Status();
  }
  BoundaryTensor& boundary = *tensor.boundary;
  if (std::shared_ptr<Boundary> lent = boundary.lent_at(tensors[index].data)) {
    // Needs neither import nor copy, whatever the mode.
    tensor.path = VGFIO_PATH_LENT;
    tensor.bound = std::move(lent);
    return Status();
  }
  const bool wanted =
      options_.io_mode == VGFIO_IO_ZERO_COPY || options_.io_mode == VGFIO_IO_STAGED;
  std::shared_ptr<Boundary> imported;
  if (wanted && overlaps_another(index, tensors)) {
    boundary.refuse(VGFIO_REASON_OVERLAPPING_BUFFERS,
                    "the buffer overlaps that of another input or output");
    VGFIO_ADD(record, rejection_count, 1);
  } else if (options_.io_mode == VGFIO_IO_LEND) {
    boundary.refuse(VGFIO_REASON_NONE, "the buffer is not the lent one");
  } else if (wanted) {
    imported = boundary.import(*device_, tensors[index], imports_, record);
  }
  if (imported != nullptr) {
    tensor.path = boundary.staged() ? VGFIO_PATH_STAGED : VGFIO_PATH_ZERO_COPY;
    tensor.bound = std::move(imported);
    return Status();
  }
  VGFIO_ASSIGN_OR_RETURN(tensor.bound, boundary.own(*device_, options_.copy_memory));
  tensor.path = VGFIO_PATH_COPY;
  return Status();
}

// An output that shares memory with another tensor would be written while that
// one is still read; copied, the order is that of the CPU.
bool VgfSession::overlaps_another(size_t index, const std::vector<HostTensor>& tensors) const {
  if (!tensors_[index].output) return false;
  for (size_t other = 0; other < tensors.size(); ++other) {
    if (other == index || tensors_[other].source == Tensor::Source::kEliminated) continue;
    if (overlap(tensors[index], tensors[other])) return true;
  }
  return false;
}

Status VgfSession::select_binding_set(std::vector<BoundaryUse> uses) {
  const auto found =
      std::find_if(binding_sets_.begin(), binding_sets_.end(),
                   [&](const std::unique_ptr<BindingSet>& set) { return set->matches(uses); });
  if (found != binding_sets_.end()) {
    binding_sets_.splice(binding_sets_.begin(), binding_sets_, found);
    current_ = binding_sets_.front().get();
    return Status();
  }
  while (binding_sets_.size() >= std::max<size_t>(options_.binding_sets, 1)) {
    binding_sets_.pop_back();
  }
  const BindingContext context{device_.get(),      &pool_,     timestamps_.get(), &model_,
                               &plan_,             &segments_, &fixed_.objects()};
  VGFIO_ASSIGN_OR_RETURN(std::unique_ptr<BindingSet> set,
                         BindingSet::create(context, std::move(uses)));
  current_ = set.get();
  binding_sets_.push_front(std::move(set));
  return Status();
}

void VgfSession::copy_in(Record* record) {
  for (size_t i = 0; i < inputs_; ++i) {
    const Tensor& tensor = tensors_[i];
    if (tensor.path != VGFIO_PATH_COPY || tensor.bound == nullptr) continue;
    VGFIO_TIME(record, in_memcpy_ns);
    std::memcpy(tensor.bound->mapped(), tensor.host.data, tensor.bytes);
  }
}

void VgfSession::copy_out(Record* record) {
  for (size_t i = inputs_; i < tensors_.size(); ++i) {
    const Tensor& tensor = tensors_[i];
    if (tensor.path != VGFIO_PATH_COPY) continue;
    VGFIO_TIME(record, out_memcpy_ns);
    const void* source = tensor.source == Tensor::Source::kConstant ? tensor.constant.data()
                         : tensor.source == Tensor::Source::kSameAs
                             ? tensors_[tensor.same_as].host.data
                             : tensor.bound->mapped();
    // Passed-through tensors may lie on each other.
    std::memmove(tensor.host.data, source, tensor.bytes);
  }
}

Status VgfSession::read_device_time(Record* record) const {
  VGFIO_ASSIGN_OR_RETURN([[maybe_unused]] const uint64_t elapsed,
                         elapsed_ns(*device_, timestamps_.get()));
  VGFIO_ADD(record, gpu_ns, elapsed);
  VGFIO_ADD(record, gpu_ns_valid, 1);
  return Status();
}

Result<HostTensor> VgfSession::lend(size_t index) {
  if (index >= tensors_.size() || tensors_[index].boundary == nullptr) {
    return Status::unsupported("tensor " + std::to_string(index) + " has no memory to lend");
  }
  const std::lock_guard lock(bindings_mutex_);
  VGFIO_ASSIGN_OR_RETURN(const std::shared_ptr<Boundary> own,
                         tensors_[index].boundary->own(*device_, options_.copy_memory));
  return HostTensor{own->mapped(), own->memory->size};
}

void VgfSession::region_forgotten(const HostRegion& region) {
  const std::lock_guard lock(bindings_mutex_);
  const std::byte* const begin = region.base;
  const std::byte* const end = region.base + region.capacity;
  for (auto entry = imports_.begin(); entry != imports_.end();) {
    const std::byte* base = entry->first;
    if (base < begin || base >= end) {
      ++entry;
      continue;
    }
    for (Tensor& tensor : tensors_) {
      if (tensor.bound != nullptr && tensor.bound->host_base == base) tensor.bound.reset();
    }
    binding_sets_.remove_if([&](const std::unique_ptr<BindingSet>& set) {
      const bool gone = set->uses_memory_at(base);
      if (gone && set.get() == current_) current_ = nullptr;
      return gone;
    });
    for (Tensor& tensor : tensors_) {
      if (tensor.boundary != nullptr) tensor.boundary->forget_import(base);
    }
    entry = imports_.erase(entry);
  }
}

}  // namespace vgfio
