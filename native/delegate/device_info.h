// What a report says about an open device; compiled only with statistics.
#pragma once

#include "stats/sink.h"
#include "vulkan/device.h"

namespace vgfio {

// `wait`: how its sessions wait, as in force.
DeviceInfo describe_device(const Device& device, vgfio_wait wait);

}  // namespace vgfio
