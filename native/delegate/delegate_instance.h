// One delegate of a loaded method: a session and its place in the statistics.
#pragma once

#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/span.h>

#include "stats/record.h"
#include "vgf/vgf_session.h"
#ifdef EXECUTORCH_VGF_IO_STATS
#include "stats/sink.h"
#endif

namespace vgfio {

struct DelegateInit {
  uint64_t device_ns = 0;
};

#ifdef EXECUTORCH_VGF_IO_STATS
class DelegateInstance final : private DelegateSource {
#else
class DelegateInstance final {
#endif
 public:
  DelegateInstance(std::shared_ptr<Device> device, std::unique_ptr<VgfSession> session,
                   const DelegateInit& init);
  ~DelegateInstance();
  DelegateInstance(const DelegateInstance&) = delete;
  DelegateInstance& operator=(const DelegateInstance&) = delete;

  // Arguments of the delegate call: inputs, then outputs.
  Status execute(executorch::runtime::Span<executorch::runtime::EValue*> args);

 private:
  Status gather(executorch::runtime::Span<executorch::runtime::EValue*> args);

  std::shared_ptr<Device> device_;
  std::unique_ptr<VgfSession> session_;
  DelegateInit init_;
  std::vector<HostTensor> tensors_;  // sized once, so that execute() allocates nothing

#ifdef EXECUTORCH_VGF_IO_STATS
  DeviceInfo device() const override;
  InitTimes init_times() const override;
  std::vector<vgfio_tensor_path> tensor_paths() const override { return session_->paths(); }
  Lent lend(vgfio_direction direction, size_t index) override;
  size_t tensor_count(vgfio_direction direction) const override;

  Sink* sink_ = nullptr;
  size_t index_ = 0;
#endif
};

}  // namespace vgfio
