// How one tensor crossed the boundary: what records and reports tell of it.
#pragma once

#include "stats/record.h"
#include "vulkan/import_canary.h"
#include "vulkan/memory.h"

namespace vgfio {

// A tensor of the caller. The session neither owns nor keeps the memory.
struct HostTensor {
  void* data = nullptr;
  size_t bytes = 0;
};

struct Crossing {
  bool output = false;
  size_t index = 0;  // among the inputs or outputs
  HostTensor host;
  uint64_t bytes = 0;
  vgfio_path path = VGFIO_PATH_NONE;
  vgfio_reason reason = VGFIO_REASON_NONE;
  const Refusal* refusal = nullptr;      // of a copied tensor, or null
  const DeviceMemory* memory = nullptr;  // that it is bound to, or null
};

// For a report; `delegate` is left 0.
vgfio_tensor_path describe_crossing(const Crossing& crossing);

// Adds its bytes, and the fallback if a copy was not wanted, to a record that may be null.
void count_crossing(const Crossing& crossing, bool zero_copy_wanted, Record* record);

// Whether two tensors share memory.
bool overlap(const HostTensor& a, const HostTensor& b);

// "input 0"
std::string tensor_name(bool output, size_t index);

}  // namespace vgfio
