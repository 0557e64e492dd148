// The device that methods share, opened with the first one.
#pragma once

#include <memory>
#include <string>

#include "vulkan/device.h"

namespace vgfio {

// The open device for a request, opening it if need be. `opened_ns` (may be
// null) gets the time that this took, 0 if it was open.
Result<std::shared_ptr<Device>> shared_device(const std::string& request, uint64_t* opened_ns);

// Drops the cache's own reference to every device.
void close_shared_devices();

}  // namespace vgfio
