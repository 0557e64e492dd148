#include "vgf/segment_commands.h"

namespace vgfio {

void record_segment(const Device& device, VkCommandBuffer commands, const SegmentCommands& segment,
                    const std::vector<VkDescriptorSet>& sets) {
  const DeviceFunctions& vk = device.vk();
  const VkPipelineBindPoint point =
      segment.graph ? VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM : VK_PIPELINE_BIND_POINT_COMPUTE;
  vk.CmdBindPipeline(commands, point, segment.pipeline);
  if (!sets.empty()) {
    vk.CmdBindDescriptorSets(commands, point, segment.layout, 0,
                             static_cast<uint32_t>(sets.size()), sets.data(), 0, nullptr);
  }
  if (segment.graph) {
    vk.CmdDispatchDataGraphARM(commands, segment.session, nullptr);
  } else {
    vk.CmdDispatch(commands, segment.dispatch[0], segment.dispatch[1], segment.dispatch[2]);
  }
}

void write_descriptor(const Device& device, const Descriptor& descriptor) {
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = descriptor.set;
  write.dstBinding = descriptor.binding;
  write.descriptorCount = 1;
  write.descriptorType = descriptor.type;
  VkWriteDescriptorSetTensorARM tensor{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM};
  const VkDescriptorBufferInfo buffer{descriptor.buffer, 0, VK_WHOLE_SIZE};
  switch (descriptor.type) {
    case VK_DESCRIPTOR_TYPE_TENSOR_ARM:
      tensor.tensorViewCount = 1;
      tensor.pTensorViews = &descriptor.tensor_view;
      write.pNext = &tensor;
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      write.pBufferInfo = &buffer;
      break;
    default:
      write.pImageInfo = &descriptor.image;
  }
  device.vk().UpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
}

}  // namespace vgfio
