#include "delegate/vgf_backend.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

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

// The number of an option that must lie in [low, high]; null for another type or
// number.
const int* number_in(const et::BackendOption& option, int low, int high) {
  const auto* number = std::get_if<int>(&option.value);
  return number != nullptr && *number >= low && *number <= high ? number : nullptr;
}

Status apply_option(const et::BackendOption& option, BackendSettings& settings) {
  const std::string_view key = option.key;
  const auto* flag = std::get_if<bool>(&option.value);
  const auto* text = std::get_if<std::array<char, et::kMaxOptionValueLength>>(&option.value);
  const int* number = nullptr;
  if (key == kOptionIoMode && (number = number_in(option, VGFIO_IO_COPY, VGFIO_IO_LEND))) {
    settings.session.io_mode = static_cast<vgfio_io_mode>(*number);
  } else if (key == kOptionWait &&
             (number = number_in(option, VGFIO_WAIT_ADAPTIVE, VGFIO_WAIT_SPIN))) {
    settings.session.wait = static_cast<vgfio_wait>(*number);
  } else if (key == kOptionCopyMemory &&
             (number = number_in(option, VGFIO_COPY_MEMORY_AUTO, VGFIO_COPY_MEMORY_DEVICE_LOCAL))) {
    settings.session.copy_memory = static_cast<CopyMemory>(*number);
  } else if (key == kOptionBindingSets && (number = number_in(option, 1, 1 << 20))) {
    settings.session.binding_sets = static_cast<size_t>(*number);
  } else if (key == kOptionRequireZeroCopy && flag != nullptr) {
    settings.session.require_zero_copy = *flag;
  } else if (key == kOptionDevice && text != nullptr) {
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
    settings.session.io_mode = VGFIO_IO_ZERO_COPY;
  }
  return settings;
}

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
