// The meeting point of runner and delegates: the runner owns a Sink and makes
// it current on its thread; a delegate that is initialised under it attaches
// itself and adds to the record that the runner has opened. Neither knows the
// other. Without a current Sink a delegate just runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stats/record.h"

namespace vgfio {

// One memory type of a device, as Vulkan lists it.
struct MemoryTypeInfo {
  uint32_t flags = 0;  // VkMemoryPropertyFlags
  uint32_t heap = 0;
  uint64_t heap_bytes = 0;
};

// What a report says about the device that a delegate runs on.
struct DeviceInfo {
  std::string name;
  uint32_t vendor_id = 0;
  uint32_t device_id = 0;
  std::string driver_name;
  std::string driver_info;
  std::string api_version;  // "1.3.239"
  std::string type;         // "discrete_gpu", "integrated_gpu", "virtual_gpu", "cpu", "other"
  bool emulated = false;    // VK_ARM_* come from the emulation layers
  std::vector<std::string> layers;      // enabled, outermost first
  std::vector<std::string> extensions;  // enabled
  uint64_t import_alignment = 0;        // bytes; 0: host memory cannot be imported
  bool timestamps = false;
  double timestamp_period_ns = 0;
  std::vector<MemoryTypeInfo> memory_types;
  std::string wait;  // "fence", "spin" or "adaptive", as in force
};

// Time that a delegate's initialisation took, in ns.
struct InitTimes {
  uint64_t device_ns = 0;    // loader, instance and device; 0 where they existed already
  uint64_t decode_ns = 0;    // VGF to plan
  uint64_t pipeline_ns = 0;  // tensors, pipelines, session memory
};

// The delegate's side: what it can tell when asked, outside the measured loop.
class DelegateSource {
 public:
  virtual ~DelegateSource() = default;
  virtual DeviceInfo device() const = 0;
  virtual InitTimes init_times() const = 0;
  // One entry per input, then per output, about the last inference. `delegate`
  // is left 0: the Sink knows it.
  virtual std::vector<vgfio_tensor_path> tensor_paths() const = 0;
  // The session's own memory for a tensor, or {nullptr, 0}.
  struct Lent {
    void* data = nullptr;
    size_t capacity = 0;
  };
  virtual Lent lend(vgfio_direction direction, size_t index) = 0;
  virtual size_t tensor_count(vgfio_direction direction) const = 0;
};

// Records of one method. Delegates that attach keep a pointer to it: it must
// outlive them.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // --- runner's side ---

  // Clears the parts; from here on delegates add to them. Allocates nothing.
  void open_record();
  // Adds the parts into `whole` (whose start_ns and latency_ns are the
  // runner's) and, unless null, copies them to parts[0 .. delegate count).
  void close_record(Record& whole, Record* parts);
  // In a profiling pass delegates take device timestamps.
  void set_profile_device(bool on) { profile_device_ = on; }
  const std::vector<DelegateSource*>& delegates() const { return delegates_; }

  // --- delegate's side ---

  // Called in init(); the index of the delegate in the method. Detach leaves
  // the other indices as they are.
  size_t attach(DelegateSource* source);
  void detach(DelegateSource* source);
  // Where delegate `index` adds; null outside open/close.
  Record* part(size_t index) { return recording_ ? &parts_[index] : nullptr; }
  bool profile_device() const { return profile_device_; }

  // The Sink of this thread, or null.
  static Sink* current();

  // Makes a Sink current for a scope; nests.
  class Scope {
   public:
    explicit Scope(Sink* sink);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Sink* previous_;
  };

 private:
  std::vector<DelegateSource*> delegates_;
  std::vector<Record> parts_;
  bool recording_ = false;
  bool profile_device_ = false;
};

}  // namespace vgfio
