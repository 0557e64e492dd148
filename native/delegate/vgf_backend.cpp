#include "delegate/vgf_backend.h"

#include <cstring>

#include "base/aligned_buffer.h"
#include "delegate/delegate_instance.h"
#include "delegate/device_cache.h"
#include "delegate/runtime_status.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;

// The VGF library reads 8-byte fields in place.
constexpr size_t kVgfAlignment = 8;

Result<std::unique_ptr<VgfSession>> create_session(const std::shared_ptr<Device>& device,
                                                const et::FreeableBuffer& processed,
                                                const VgfSessionOptions& options) {
  const auto* bytes = static_cast<const std::byte*>(processed.data());
  if (bytes == nullptr) return Status::invalid("the delegate has no data");
  if (reinterpret_cast<uintptr_t>(bytes) % kVgfAlignment == 0) {
    return VgfSession::create(device, bytes, processed.size(), options);
  }
  VGFIO_ASSIGN_OR_RETURN(const AlignedBuffer copy,
                         AlignedBuffer::allocate(processed.size(), kVgfAlignment));
  std::memcpy(copy.data(), bytes, processed.size());
  return VgfSession::create(device, copy.data(), processed.size(), options);
}

}  // namespace

Result<BackendSettings> VgfBackend::settings_for(
    const et::Span<const et::BackendOption>& options) const {
  BackendSettings settings = settings_from_environment();
  const std::lock_guard lock(mutex_);
  for (const et::BackendOption& option : defaults_) {
    VGFIO_RETURN_IF_ERROR(apply_option(option, settings));
  }
  for (const et::BackendOption& option : options) {
    VGFIO_RETURN_IF_ERROR(apply_option(option, settings));
  }
  return settings;
}

et::Result<et::DelegateHandle*> VgfBackend::init(et::BackendInitContext& context,
                                                 et::FreeableBuffer* processed,
                                                 et::ArrayRef<et::CompileSpec>) const {
  DelegateInstance* instance = nullptr;
  const Status status = guarded([&]() -> Status {
    VGFIO_ASSIGN_OR_RETURN(const BackendSettings settings,
                           settings_for(context.runtime_specs()));
    DelegateInit init;
    VGFIO_ASSIGN_OR_RETURN(const std::shared_ptr<Device> device,
                           shared_device(settings.device, &init.device_ns));
    VGFIO_ASSIGN_OR_RETURN(std::unique_ptr<VgfSession> session,
                           create_session(device, *processed, settings.session));
    instance = new DelegateInstance(device, std::move(session), init);
    return Status();
  });
  if (!status.ok()) return note(status);
  processed->Free();  // everything that is needed of it is on the device
  return instance;
}

et::Error VgfBackend::execute(et::BackendExecutionContext&, et::DelegateHandle* handle,
                              et::Span<et::EValue*> args) const {
  const Status status =
      guarded([&] { return static_cast<DelegateInstance*>(handle)->execute(args); });
  return status.ok() ? et::Error::Ok : note(status);
}

et::Error VgfBackend::set_option(et::BackendOptionContext&,
                                 const et::Span<et::BackendOption>& options) {
  BackendSettings checked;
  for (const et::BackendOption& option : options) {
    const Status status = apply_option(option, checked);
    if (!status.ok()) {
      note_delegate_error(status);
      return et::Error::InvalidArgument;
    }
  }
  const std::lock_guard lock(mutex_);
  for (const et::BackendOption& option : options) defaults_.push_back(option);
  return et::Error::Ok;
}

void VgfBackend::destroy(et::DelegateHandle* handle) const {
  delete static_cast<DelegateInstance*>(handle);
}

}  // namespace vgfio
