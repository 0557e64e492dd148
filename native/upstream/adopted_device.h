// The device that ExecuTorch's VGF backend opened, as this project's Device.
#pragma once

#include <memory>

#include "upstream/upstream_vgf.h"

namespace vgfio {

// The same object for every delegate on that device.
Result<std::shared_ptr<Device>> adopt_device(const UpstreamVgf& repr);

// The last one that was adopted, or null.
std::shared_ptr<Device> adopted_device();

}  // namespace vgfio
