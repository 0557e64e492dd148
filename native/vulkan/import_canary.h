// Proves once per device that an import aliases the caller's memory: a layer
// may drop the import structure from vkAllocateMemory and still return success,
// and then "zero-copy" would compute on other memory.
#pragma once

#include "base/status.h"

namespace vgfio {

class Device;

// Ok if the device wrote a pattern through an import into host memory.
Status run_import_canary(Device& device);

}  // namespace vgfio
