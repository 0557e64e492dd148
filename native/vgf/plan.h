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
  // Staged: what the device copies. Itself, or for a tensor in the memory of an image
  // of its size that image: a device may pad the image's rows, and the emulation layer
  // reads such a tensor as if it had not.
  uint32_t copied_as = 0;
  bool image_aliasing = false;  // a tensor that shares memory with an image, or such an image
};

// Resources that share one memory.
struct MemoryGroup {
  std::vector<uint32_t> resources;
  // Tensors and images in one memory: the images change between the layout for
  // images and the one for tensors as their memory is used as the one or other.
  bool tensors_and_images = false;
  VkImageLayout initial_layout = VK_IMAGE_LAYOUT_GENERAL;
};

// All images of a group go from one layout to another.
struct LayoutChange {
  size_t group = 0;
  VkImageLayout from = VK_IMAGE_LAYOUT_GENERAL;
  VkImageLayout to = VK_IMAGE_LAYOUT_GENERAL;
};

// One thing that a command buffer does, after a barrier if it is not the first.
struct Step {
  enum class Kind { kUpload, kSegment, kDownload };
  Kind kind = Kind::kSegment;
  uint32_t index = 0;  // of the resource, or of the segment
  std::vector<LayoutChange> layouts;  // before it
};

struct Plan {
  std::vector<ResourcePlan> resources;  // as Model::resources
  std::vector<MemoryGroup> memory_groups;
  std::vector<Step> steps;  // staged inputs, segments, staged outputs
  // After the last step: back to the initial layouts, so that the commands can
  // be submitted again.
  std::vector<LayoutChange> final_layouts;
};

// `stage_all`: device-local resources with a host twin for every boundary
// tensor (VGFIO_IO_STAGED). Errors: VGFIO_INVALID_REQUEST where resources of an
// alias group do not fit each other.
Result<Plan> plan_session(const Model& model, bool stage_all);

// Packed strides in bytes of a shape.
std::vector<int64_t> packed_strides(const std::vector<int64_t>& shape, uint64_t element_bytes);

}  // namespace vgfio
