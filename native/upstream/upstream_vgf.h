// The part of ExecuTorch's VgfRepr that binding needs, in plain Vulkan types: the
// only place that knows its members.
#pragma once

#include <optional>
#include <vector>

#include "vgf_io_bench.h"
#include "vgf/segment_commands.h"
#include "vulkan/device.h"

namespace executorch {
namespace backends {
namespace vgf {
class VgfRepr;
}
}  // namespace backends
}  // namespace executorch

namespace vgfio {

class DelegateIo;

// An input or output and the memory that the backend gave it.
struct UpstreamTensor {
  uint64_t bytes = 0;
  void* mapped = nullptr;  // where the backend copies to or from
  VkTensorARM tensor = VK_NULL_HANDLE;
  VkTensorViewARM tensor_view = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
};

struct UpstreamSegment {
  SegmentCommands commands;
  std::vector<VkDescriptorSet> sets;  // those that the pipeline's layout has
};

class UpstreamVgf {
 public:
  explicit UpstreamVgf(executorch::backends::vgf::VgfRepr& repr) : repr_(repr) {}

  VkInstance instance() const;
  Device::Open open_device() const;
  static PFN_vkGetInstanceProcAddr loader();

  size_t count(vgfio_direction direction) const;
  // Nothing where the converter eliminated it.
  std::optional<UpstreamTensor> tensor(vgfio_direction direction, size_t index) const;
  std::vector<UpstreamSegment> segments() const;
  // Whether its commands hold images, whose layouts this project does not follow there.
  bool has_images() const;
  // Its own timestamps around the graph; null unless they are on.
  VkQueryPool timestamps() const;

  // What execute_vgf() submits. The caller of set_commands() puts the backend's own
  // back before anything else of it runs.
  VkCommandBuffer commands() const;
  void set_commands(VkCommandBuffer commands);
  // From here on the repr owns the statistics.
  void give(std::unique_ptr<DelegateIo> io);
  void destroy();

 private:
  executorch::backends::vgf::VgfRepr& repr_;
};

}  // namespace vgfio
