#include "delegate/settings.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "delegate/options.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;

// The number of an option that must lie in [low, high]; null for another type or
// number.
const int* number_in(const et::BackendOption& option, int low, int high) {
  const auto* number = std::get_if<int>(&option.value);
  return number != nullptr && *number >= low && *number <= high ? number : nullptr;
}

}  // namespace

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

}  // namespace vgfio
