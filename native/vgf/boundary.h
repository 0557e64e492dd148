// One model input or output with host-visible memory behind it: the session's
// own, which the CPU copies to and from, or the caller's, imported.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "stats/record.h"
#include "vgf/crossing.h"
#include "vgf/objects.h"
#include "vgf/plan.h"
#include "vgf/session_options.h"
#include "vulkan/host_import.h"

namespace vgfio {

// A boundary resource bound to one memory.
struct Boundary {
  // Before `object`, so that the object goes first.
  std::shared_ptr<DeviceMemory> memory;
  VkDeviceSize offset = 0;
  // What segments bind, or the host-visible twin of a staged resource.
  ResourceObject object;
  const std::byte* host_base = nullptr;  // begin of the import; null for the session's own memory

  // Where the CPU copies to or from; null for an import.
  std::byte* mapped() const {
    return memory->mapped == nullptr ? nullptr : memory->mapped + offset;
  }
};

// Makes the Boundaries of one input or output and remembers them.
class BoundaryTensor {
 public:
  // `device_resource` is what the session binds or, where it is staged, copies.
  BoundaryTensor(const Resource& device_resource, const ResourcePlan& plan, bool output);

  // The session's own memory, made on first use from memory of the given kind.
  Result<std::shared_ptr<Boundary>> own(Device& device, CopyMemory memory);

  // The session's own memory if `data` is its address: the caller uses lent
  // memory as its buffer. Null otherwise.
  std::shared_ptr<Boundary> lent_at(const void* data) const;

  // The caller's memory. Null if the rules or the device refuse; the reason is
  // in refusal(). An earlier Boundary of that pointer is used again while
  // something holds it. `imports` are the live imports of the session by base.
  using Imports = std::map<const std::byte*, std::weak_ptr<DeviceMemory>>;
  std::shared_ptr<Boundary> import(Device& device, const HostTensor& host, Imports& imports,
                                   Record* record);

  // Forgets Boundaries on memory that begins at `base`.
  void forget_import(const std::byte* base);

  // Of the last attempt to import.
  const Refusal& refusal() const { return refusal_; }
  void refuse(vgfio_reason reason, std::string detail) { refusal_ = {reason, 0, std::move(detail)}; }
  const Resource& host_resource() const { return host_resource_; }
  bool staged() const { return staged_; }
  vgfio_reason staged_reason() const { return staged_reason_; }

 private:
  std::shared_ptr<Boundary> make_import(Device& device, const HostTensor& host, Imports& imports,
                                        Record* record);

  Resource host_resource_;
  bool staged_;
  bool output_;
  vgfio_reason staged_reason_;
  std::shared_ptr<Boundary> own_;
  std::map<const void*, std::weak_ptr<Boundary>> imported_;
  Refusal refusal_;
};

}  // namespace vgfio
