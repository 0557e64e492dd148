// What a session will create and record for a Model, decided without a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vgf/model.h"
#include "vgf_io_bench.h"

namespace vgfio {

// How host memory reaches a boundary resource.
enum class HostAccess {
  kNone,    // not at the boundary
  kDirect,  // the resource itself lies in host-visible memory
  kStaged,  // a host-visible twin, and a copy on the device
};

struct ResourcePlan {
  bool used = false;  // bound by a segment, or at the boundary
  HostAccess host = HostAccess::kNone;
  // Why it cannot be direct though the mode asks for zero-copy; NONE if it can.
  vgfio_reason staged_reason = VGFIO_REASON_NONE;
  std::optional<size_t> memory_group;  // index into Plan::memory_groups
  bool image_aliasing = false;         // a tensor that shares its memory with an image, or that image
};

struct Plan {
  std::vector<ResourcePlan> resources;           // as Model::resources
  std::vector<std::vector<uint32_t>> memory_groups;  // resources that share one memory
  std::vector<uint32_t> uploads;    // staged inputs, before the first segment
  std::vector<uint32_t> downloads;  // staged outputs, after the last one
};

// `stage_all`: device-local resources with a host twin for every boundary
// tensor (VGFIO_IO_STAGED). Errors: VGFIO_INVALID_REQUEST where resources of an
// alias group do not fit each other.
Result<Plan> plan_session(const Model& model, bool stage_all);

// Packed strides in bytes of a shape.
std::vector<int64_t> packed_strides(const std::vector<int64_t>& shape, uint64_t element_bytes);

}  // namespace vgfio
