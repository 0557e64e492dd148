#include "delegate/register.h"

#include "base/delegate_error.h"
#include "delegate/device_cache.h"
#include "delegate/options.h"
#include "delegate/vgf_backend.h"

namespace vgfio {

bool register_vgf_backend() {
  // Never destroyed: ExecuTorch's registry keeps the pointer for good.
  static auto* const backend = new VgfBackend;
  static const bool registered =
      executorch::runtime::register_backend({kVgfBackendName, backend}) ==
      executorch::runtime::Error::Ok;
  return registered;
}

unsigned long vgf_import_alignment(const char* device) {
  const auto opened = shared_device(device != nullptr ? device : "", nullptr);
  if (!opened.ok()) {
    note_delegate_error(opened.status());
    return 0;
  }
  const Device& open = **opened;
  return open.plan().host_import ? static_cast<unsigned long>(open.info().import_alignment) : 0;
}

void shutdown_vgf_backend() { close_shared_devices(); }

}  // namespace vgfio
