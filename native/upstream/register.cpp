// The entry for programs where ExecuTorch's own backend is linked: it registers
// itself before main() and never closes its device.
#include "delegate/register.h"

#include <executorch/runtime/backend/interface.h>

#include "delegate/options.h"
#include "upstream/adopted_device.h"

namespace vgfio {

bool register_vgf_backend() {
  return executorch::runtime::get_backend_class(kVgfBackendName) != nullptr;
}

unsigned long vgf_import_alignment(const char*) {
  const std::shared_ptr<Device> device = adopted_device();
  if (device == nullptr || !device->plan().host_import) return 0;
  return static_cast<unsigned long>(device->info().import_alignment);
}

void shutdown_vgf_backend() {}

}  // namespace vgfio
