// What a command buffer and a descriptor set get for one segment.
#pragma once

#include <array>
#include <vector>

#include "vulkan/device.h"

namespace vgfio {

// An executable segment. Whoever made the handles owns them.
struct SegmentCommands {
  bool graph = true;  // a data graph; else a compute shader
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDataGraphPipelineSessionARM session = VK_NULL_HANDLE;  // of a data graph
  std::array<uint32_t, 3> dispatch{1, 1, 1};               // of a compute shader
};

// Binds pipeline and sets and dispatches.
void record_segment(const Device& device, VkCommandBuffer commands, const SegmentCommands& segment,
                    const std::vector<VkDescriptorSet>& sets);

// One descriptor; of the resources the one that `type` needs is read.
struct Descriptor {
  VkDescriptorSet set = VK_NULL_HANDLE;
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_TENSOR_ARM;
  VkTensorViewARM tensor_view = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;  // whole
  VkDescriptorImageInfo image{};
};

// No submitted commands may use the set; recorded ones become invalid.
void write_descriptor(const Device& device, const Descriptor& descriptor);

}  // namespace vgfio
