// A VGF on a device: configured once, run many times.
//
// Life cycle: create() decides, allocates and compiles everything that does not
// depend on the caller's pointers. run() binds the caller's tensors (for nothing
// if they are where they were last time), copies what has to be copied, submits
// and waits. One thread at a time.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "vgf/binding_set.h"
#include "vgf/fixed_resources.h"
#include "vgf/session_options.h"

namespace vgfio {

class VgfSession : private HostRegionListener {
 public:
  // Reads `vgf` only during the call. It must be aligned to 8 bytes.
  static Result<std::unique_ptr<VgfSession>> create(std::shared_ptr<Device> device, const void* vgf,
                                                 size_t bytes, const VgfSessionOptions& options);
  ~VgfSession() override;
  VgfSession(const VgfSession&) = delete;
  VgfSession& operator=(const VgfSession&) = delete;

  size_t input_count() const { return inputs_; }
  size_t output_count() const { return tensors_.size() - inputs_; }

  // One inference. `tensors` are the inputs, then the outputs; sizes must be the
  // model's. `record` may be null. With `profile` the record gets device time
  // where the device has timestamps.
  Status run(const std::vector<HostTensor>& tensors, Record* record, bool profile);

  // How each tensor crossed in the last inference: inputs, then outputs.
  std::vector<vgfio_tensor_path> paths() const;

  // The session's own memory for tensor `index` (inputs, then outputs).
  Result<HostTensor> lend(size_t index);

  vgfio_wait wait() const { return pool_.wait(); }

  // What create() spent, in ns.
  struct Times {
    uint64_t decode_ns = 0;    // reading and planning
    uint64_t pipeline_ns = 0;  // tensors, pipelines, session memory
  };
  const Times& times() const { return times_; }

 private:
  // What an input or output is, and where it was in the last inference.
  struct Tensor {
    enum class Source { kDevice, kEliminated, kConstant, kSameAs };
    Source source = Source::kDevice;
    bool output = false;
    uint32_t resource = 0;
    uint64_t bytes = 0;
    std::vector<uint8_t> constant;               // of kConstant
    size_t same_as = 0;                          // of kSameAs: index of the tensor passed through
    std::unique_ptr<BoundaryTensor> boundary;    // of kDevice
    std::shared_ptr<Boundary> bound;             // in the last inference
    HostTensor host;                             // in the last inference
    vgfio_path path = VGFIO_PATH_NONE;
  };

  VgfSession(std::shared_ptr<Device> device, const VgfSessionOptions& options)
      : device_(std::move(device)), options_(options) {}
  Status configure(const void* vgf, size_t bytes);
  Status add_tensor(const BoundaryResource& resource, bool output);
  void forget_vgf_bytes();

  bool bindings_hold(const std::vector<HostTensor>& tensors) const;
  Status check_sizes(const std::vector<HostTensor>& tensors) const;
  Status refresh(const std::vector<HostTensor>& tensors, Record* record);
  Status bind_tensor(size_t index, const std::vector<HostTensor>& tensors, Record* record);
  Status select_binding_set(std::vector<BoundaryUse> uses);
  Status check_required() const;
  vgfio_reason copy_reason(const Tensor& tensor) const;
  std::string name_of(size_t index) const {
    return tensor_name(tensors_[index].output,
                       tensors_[index].output ? index - inputs_ : index);
  }
  bool overlaps_another(size_t index, const std::vector<HostTensor>& tensors) const;

  void copy_in(Record* record);
  void copy_out(Record* record);
  Crossing crossing(size_t index) const;
  void count_paths(Record* record) const;
  Status read_device_time(Record* record) const;
  void region_forgotten(const HostRegion& region) override;

  std::shared_ptr<Device> device_;
  VgfSessionOptions options_;
  Times times_;
  Model model_;
  Plan plan_;
  CommandPool pool_;
  Handle<VkQueryPool> timestamps_;
  FixedResources fixed_;
  std::vector<SegmentPipeline> segments_;
  size_t inputs_ = 0;
  std::vector<Tensor> tensors_;
  // Guards what a forgotten region may drop: everything below.
  std::mutex bindings_mutex_;
  BoundaryTensor::Imports imports_;
  std::list<std::unique_ptr<BindingSet>> binding_sets_;  // most recently used first
  BindingSet* current_ = nullptr;
  uint64_t region_generation_ = 0;
};

}  // namespace vgfio
