#include "upstream/adopted_device.h"

#include <mutex>

namespace vgfio {
namespace {

struct Adopted {
  std::mutex mutex;
  std::shared_ptr<Device> device;
};

// Never destroyed: the backend does not close its device either.
Adopted& adopted() {
  static auto* instance = new Adopted;
  return *instance;
}

}  // namespace

Result<std::shared_ptr<Device>> adopt_device(const UpstreamVgf& repr) {
  const Device::Open open = repr.open_device();
  const std::lock_guard lock(adopted().mutex);
  std::shared_ptr<Device>& device = adopted().device;
  if (device != nullptr && device->handle() == open.device) return device;
  VGFIO_ASSIGN_OR_RETURN(std::shared_ptr<const Instance> instance,
                         Instance::adopt(repr.instance(), UpstreamVgf::loader()));
  VGFIO_ASSIGN_OR_RETURN(device, Device::adopt(std::move(instance), open));
  return device;
}

std::shared_ptr<Device> adopted_device() {
  const std::lock_guard lock(adopted().mutex);
  return adopted().device;
}

}  // namespace vgfio
