// A segment made executable: layouts, pipeline and, for a data graph, its
// pipeline session with the memory that it asks for.
#pragma once

#include <vector>

#include "vgf/plan.h"
#include "vgf/segment_commands.h"
#include "vulkan/memory.h"

namespace vgfio {

class SegmentPipeline {
 public:
  static Result<SegmentPipeline> create(Device& device, const Model& model, const Plan& plan,
                                        const Segment& segment);

  // Valid as long as this object.
  SegmentCommands commands() const;

  // One per descriptor set number, gaps included.
  const std::vector<Handle<VkDescriptorSetLayout>>& set_layouts() const { return set_layouts_; }
  const std::vector<Binding>& bindings() const { return bindings_; }
  // Bytes of session memory, for the report.
  VkDeviceSize session_bytes() const;

 private:
  Status create_layouts(const Model& model, const Segment& segment);
  Status create_graph(const Model& model, const Plan& plan, const Segment& segment,
                      VkShaderModule module);
  Status create_compute(const Segment& segment, VkShaderModule module);
  Status create_session();

  Device* device_ = nullptr;
  SegmentKind kind_ = SegmentKind::kGraph;
  std::array<uint32_t, 3> dispatch_{1, 1, 1};
  std::vector<Binding> bindings_;
  std::vector<Handle<VkDescriptorSetLayout>> set_layouts_;
  Handle<VkPipelineLayout> layout_;
  Handle<VkPipeline> pipeline_;
  std::vector<DeviceMemory> session_memory_;
  Handle<VkDataGraphPipelineSessionARM> session_;
};

}  // namespace vgfio
