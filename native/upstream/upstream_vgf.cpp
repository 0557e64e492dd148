#include "upstream/upstream_vgf.h"

#include <algorithm>

#include "upstream/hooks.h"

// Last: it opens namespace std to everything after it.
#include <executorch/backends/arm/runtime/VGFSetup.h>

namespace vgfio {

using executorch::backends::vgf::IO;

VkInstance UpstreamVgf::instance() const { return repr_.vk_instance; }

PFN_vkGetInstanceProcAddr UpstreamVgf::loader() { return vkGetInstanceProcAddr; }

Device::Open UpstreamVgf::open_device() const {
  Device::Open open;
  open.physical = repr_.vk_physical;
  open.device = repr_.vk_device;
  open.queue = repr_.vk_queue;
  open.queue_family = repr_.vk_queue_family_index;
  // The backend asks for it wherever there is one; a function of it is there only then.
  if (vkGetMemoryHostPointerPropertiesEXT != nullptr) {
    open.extensions.emplace_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  }
  open.extensions.emplace_back(VK_ARM_TENSORS_EXTENSION_NAME);
  open.extensions.emplace_back(VK_ARM_DATA_GRAPH_EXTENSION_NAME);
  return open;
}

size_t UpstreamVgf::count(vgfio_direction direction) const {
  return direction == VGFIO_INPUT ? repr_.model_input_count : repr_.model_output_count;
}

std::optional<UpstreamTensor> UpstreamVgf::tensor(vgfio_direction direction, size_t index) const {
  const auto& indices =
      direction == VGFIO_INPUT ? repr_.model_input_io_index : repr_.model_output_io_index;
  if (index >= indices.size() || indices[index] < 0) return std::nullopt;
  const IO& io = repr_.IOs[static_cast<size_t>(indices[index])];
  UpstreamTensor tensor;
  tensor.bytes = io.allocation_size;
  tensor.mapped = io.persistent_memory;
  if (io.descriptor_type == VK_DESCRIPTOR_TYPE_TENSOR_ARM) {
    tensor.tensor = io.tensor;
    tensor.tensor_view = io.tensor_view;
  } else {
    tensor.buffer = io.buffer;
  }
  return tensor;
}

std::vector<UpstreamSegment> UpstreamVgf::segments() const {
  std::vector<UpstreamSegment> segments;
  for (const auto& segment : repr_.segments) {
    // The backend's pipeline layouts have one set.
    const size_t sets = std::min<size_t>(segment.descriptor_sets.size(), 1);
    segments.push_back({{segment.use_data_graph_pipeline, segment.vk_pipeline,
                         segment.vk_pipeline_layout, segment.vk_session, segment.dispatch_shape},
                        {segment.descriptor_sets.begin(), segment.descriptor_sets.begin() + sets}});
  }
  return segments;
}

bool UpstreamVgf::has_images() const {
  const auto is_image = [](const auto& resource) { return resource.image != VK_NULL_HANDLE; };
  return std::any_of(repr_.IOs.begin(), repr_.IOs.end(), is_image) ||
         std::any_of(repr_.extra_allocs.begin(), repr_.extra_allocs.end(), is_image);
}

VkQueryPool UpstreamVgf::timestamps() const {
  return repr_.timestamp_queries_enabled ? repr_.vk_timestamp_query_pool : VK_NULL_HANDLE;
}

VkCommandBuffer UpstreamVgf::commands() const { return repr_.vk_execute_cmd; }
void UpstreamVgf::set_commands(VkCommandBuffer commands) { repr_.vk_execute_cmd = commands; }

void UpstreamVgf::give(std::unique_ptr<DelegateIo> io) { repr_.io = std::move(io); }
void UpstreamVgf::destroy() { repr_.~VgfRepr(); }

}  // namespace vgfio
