// What a delegate tells the statistics; compiled only with them.
#include "delegate/delegate_instance.h"
#include "delegate/device_info.h"

namespace vgfio {
DeviceInfo DelegateInstance::device() const {
  return describe_device(*device_, session_->wait());
}

InitTimes DelegateInstance::init_times() const {
  return {init_.device_ns, session_->times().decode_ns, session_->times().pipeline_ns};
}

DelegateSource::Lent DelegateInstance::lend(vgfio_direction direction, size_t index) {
  const size_t count = tensor_count(direction);
  if (index >= count) return {};
  const size_t offset = direction == VGFIO_OUTPUT ? session_->input_count() : 0;
  const Result<HostTensor> lent = session_->lend(offset + index);
  return lent.ok() ? Lent{lent->data, lent->bytes} : Lent{};
}

size_t DelegateInstance::tensor_count(vgfio_direction direction) const {
  return direction == VGFIO_INPUT ? session_->input_count() : session_->output_count();
}

}  // namespace vgfio
