#include "delegate/vgf_backend.h"

#include <cstdlib>
#include <cstring>

#include "base/aligned_buffer.h"
#include "base/delegate_error.h"
#include "delegate/delegate_instance.h"
#include "delegate/device_cache.h"
#include "delegate/options.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;

et::Error to_error(const Status& status) {
  switch (status.code()) {
    case VGFIO_OK:
      return et::Error::Ok;
    case VGFIO_INVALID_REQUEST:
      return et::Error::InvalidProgram;
    case VGFIO_UNSUPPORTED:
      return et::Error::NotSupported;
    default:
      return et::Error::Internal;
  }
}

et::Error note(const Status& status) {
  note_delegate_error(status);
  return to_error(status);
}

// Runs what may throw (allocation, the VGF library) and turns that into a
// Status: an exception must not cross into ExecuTorch.
template <typename Function>
Status guarded(const Function& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return Status::failed("no host memory left");
  } catch (const std::exception& error) {
    return Status::failed(std::string("unexpected: ") + error.what());
  }
}

Status apply_option(const et::BackendOption& option, BackendSettings& settings) {
  const auto* number = std::get_if<int>(&option.value);
  const auto* flag = std::get_if<bool>(&option.value);
  const auto* text = std::get_if<std::array<char, et::kMaxOptionValueLength>>(&option.value);
  if (std::strcmp(option.key, kOptionIoMode) == 0 && number != nullptr &&
      *number >= VGFIO_IO_COPY && *number <= VGFIO_IO_LEND) {
    settings.io_mode = static_cast<vgfio_io_mode>(*number);
  } else if (std::strcmp(option.key, kOptionWait) == 0 && number != nullptr &&
             *number >= VGFIO_WAIT_ADAPTIVE && *number <= VGFIO_WAIT_SPIN) {
    settings.wait = static_cast<vgfio_wait>(*number);
  } else if (std::strcmp(option.key, kOptionRequireZeroCopy) == 0 && flag != nullptr) {
    settings.require_zero_copy = *flag;
  } else if (std::strcmp(option.key, kOptionDevice) == 0 && text != nullptr) {
    settings.device = text->data();
  } else {
    return Status::invalid(std::string("VgfBackend does not know the option ") + option.key +
                           " or its value");
  }
  return Status();
}

BackendSettings settings_from_environment() {
  BackendSettings settings;
  const char* zero_copy = std::getenv(kZeroCopyEnvironment);
  if (zero_copy != nullptr && std::strcmp(zero_copy, "1") == 0) {
    settings.io_mode = VGFIO_IO_ZERO_COPY;
  }
  return settings;
}

// The VGF library reads 8-byte fields in place.
constexpr size_t kVgfAlignment = 8;

Result<std::unique_ptr<Session>> create_session(const std::shared_ptr<Device>& device,
                                                const et::FreeableBuffer& processed,
                                                const SessionOptions& options) {
  const auto* bytes = static_cast<const std::byte*>(processed.data());
  if (bytes == nullptr) return Status::invalid("the delegate has no data");
  if (reinterpret_cast<uintptr_t>(bytes) % kVgfAlignment == 0) {
    return Session::create(device, bytes, processed.size(), options);
  }
  VGFIO_ASSIGN_OR_RETURN(const AlignedBuffer copy,
                         AlignedBuffer::allocate(processed.size(), kVgfAlignment));
  std::memcpy(copy.data(), bytes, processed.size());
  return Session::create(device, copy.data(), processed.size(), options);
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
    SessionOptions options;
    options.io_mode = settings.io_mode;
    options.wait = settings.wait;
    options.require_zero_copy = settings.require_zero_copy;
    VGFIO_ASSIGN_OR_RETURN(std::unique_ptr<Session> session,
                           create_session(device, *processed, options));
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
