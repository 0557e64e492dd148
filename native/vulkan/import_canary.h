// Proves once per device that an import aliases the caller's memory: a layer
// may drop the import structure from vkAllocateMemory and still return success,
// and then "zero-copy" would compute on other memory.
#pragma once

#include <cstdint>
#include <string>

#include "vgf_io_bench.h"

namespace vgfio {

class Device;

// Why host memory was not imported; reason NONE: it was.
struct Refusal {
  vgfio_reason reason = VGFIO_REASON_NONE;
  int32_t vk_result = 0;
  std::string detail;
};

// Lets the device write a pattern through an import into host memory. Reason
// NONE if it is there, IMPORT_DOES_NOT_ALIAS if the device wrote elsewhere; any
// other reason says why the question stayed open.
Refusal run_import_canary(Device& device);

}  // namespace vgfio
