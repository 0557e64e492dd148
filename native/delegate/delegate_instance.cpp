#include "delegate/delegate_instance.h"

namespace vgfio {

DelegateInstance::DelegateInstance(std::shared_ptr<Device> device,
                                   std::unique_ptr<VgfSession> session, const DelegateInit& init)
    : device_(std::move(device)),
      session_(std::move(session)),
      init_(init),
      tensors_(session_->input_count() + session_->output_count()) {
#ifdef EXECUTORCH_VGF_IO_STATS
  sink_ = Sink::current();
  if (sink_ != nullptr) index_ = sink_->attach(this);
#endif
}

DelegateInstance::~DelegateInstance() {
#ifdef EXECUTORCH_VGF_IO_STATS
  if (sink_ != nullptr) sink_->detach(this);
#endif
}

Status DelegateInstance::execute(
    executorch::runtime::Span<executorch::runtime::EValue*> args) {
  VGFIO_RETURN_IF_ERROR(gather(args));
#ifdef EXECUTORCH_VGF_IO_STATS
  Record* const record = sink_ != nullptr ? sink_->part(index_) : nullptr;
  const bool profile = sink_ != nullptr && sink_->profile_device();
#else
  Record* const record = nullptr;
  const bool profile = false;
#endif
  return session_->run(tensors_, record, profile);
}

Status DelegateInstance::gather(executorch::runtime::Span<executorch::runtime::EValue*> args) {
  if (args.size() < tensors_.size()) {
    return Status::invalid("the delegate call has " + std::to_string(args.size()) +
                           " arguments, the VGF " + std::to_string(tensors_.size()));
  }
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (!args[i]->isTensor()) {
      // An eliminated input may be anything; the session does not look at it.
      tensors_[i] = {};
      continue;
    }
    const executorch::aten::Tensor& tensor = args[i]->toTensor();
    tensors_[i] = {const_cast<void*>(tensor.const_data_ptr()), tensor.nbytes()};
  }
  return Status();
}

}  // namespace vgfio
