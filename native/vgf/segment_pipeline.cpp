#include "vgf/segment_pipeline.h"

#include <algorithm>
#include <set>

#include "vgf/objects.h"
#include "vulkan/error.h"

namespace vgfio {
namespace {

VkShaderStageFlags stages_of(SegmentKind kind) {
  // A graph's bindings have no stage of their own; ALL is what the extension
  // says for them.
  return kind == SegmentKind::kCompute ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_ALL;
}

Result<Handle<VkShaderModule>> create_module(Device& device, const Segment& segment) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = segment.code_words * sizeof(uint32_t);
  info.pCode = segment.code;
  VGFIO_CREATE(module, device.vk(), device.handle(), ShaderModule, &info);
  return module;
}

// Arrays that the create info of a graph pipeline points into.
struct GraphConstants {
  std::vector<VkTensorDescriptionARM> descriptions;
  std::vector<VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM> sparsities;
  std::vector<VkDataGraphPipelineConstantARM> constants;

  GraphConstants(const Model& model, const Segment& segment) {
    const size_t count = segment.constants.size();
    descriptions.reserve(count);
    sparsities.reserve(count);
    constants.reserve(count);
    for (const GraphConstant& used : segment.constants) add(model, used);
  }

 private:
  void add(const Model& model, const GraphConstant& used) {
    const Constant& constant = model.constants[used.constant];
    VkTensorDescriptionARM description =
        describe_tensor(model.resources[constant.resource], false);
    description.usage = VK_TENSOR_USAGE_DATA_GRAPH_BIT_ARM;
    if (constant.sparse_dimension) {
      VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM sparsity{
          VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_TENSOR_SEMI_STRUCTURED_SPARSITY_INFO_ARM};
      sparsity.dimension = *constant.sparse_dimension;
      sparsity.zeroCount = 2;  // the VGF format knows 2:4 sparsity only
      sparsity.groupSize = 4;
      sparsities.push_back(sparsity);
      description.pNext = &sparsities.back();
    }
    descriptions.push_back(description);
    VkDataGraphPipelineConstantARM info{VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_ARM};
    info.pNext = &descriptions.back();
    info.id = used.id;
    info.pConstantData = constant.data;
    constants.push_back(info);
  }
};

}  // namespace

Result<SegmentPipeline> SegmentPipeline::create(Device& device, const Model& model,
                                                const Plan& plan, const Segment& segment) {
  SegmentPipeline pipeline;
  pipeline.device_ = &device;
  pipeline.kind_ = segment.kind;
  pipeline.dispatch_ = segment.dispatch;
  pipeline.bindings_ = segment.bindings;
  const std::string context = "segment \"" + segment.name + "\"";
  const Status layouts = pipeline.create_layouts(model, segment);
  if (!layouts.ok()) return layouts.with_context(context);
  VGFIO_ASSIGN_OR_RETURN(const Handle<VkShaderModule> module, create_module(device, segment));
  const Status created = segment.kind == SegmentKind::kGraph
                             ? pipeline.create_graph(model, plan, segment, module.get())
                             : pipeline.create_compute(segment, module.get());
  if (!created.ok()) return created.with_context(context);
  return pipeline;
}

Status SegmentPipeline::create_layouts(const Model& model, const Segment& segment) {
  uint32_t set_count = 0;
  for (const Binding& binding : segment.bindings) {
    // Drivers allocate by the highest number.
    if (binding.set >= 32) return Status::invalid("malformed VGF: descriptor set above 31");
    if (binding.binding > 0xFFFF) {
      return Status::invalid("malformed VGF: binding " + std::to_string(binding.binding) +
                             " is above 65535");
    }
    set_count = std::max(set_count, binding.set + 1);
  }
  std::vector<std::vector<VkDescriptorSetLayoutBinding>> sets(set_count);
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (const Binding& binding : segment.bindings) {
    if (!seen.emplace(binding.set, binding.binding).second) {
      return Status::invalid("malformed VGF: a binding is named twice");
    }
    sets[binding.set].push_back({binding.binding, model.resources[binding.resource].descriptor, 1,
                                 stages_of(segment.kind), nullptr});
  }
  std::vector<VkDescriptorSetLayout> raw;
  for (const auto& bindings : sets) {
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = static_cast<uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    VGFIO_CREATE(layout, device_->vk(), device_->handle(), DescriptorSetLayout, &info);
    raw.push_back(layout.get());
    set_layouts_.push_back(std::move(layout));
  }
  std::vector<VkPushConstantRange> push_constants;
  for (const PushConstantRange& range : segment.push_constants) {
    push_constants.push_back({range.stages, range.offset, range.size});
  }
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<uint32_t>(raw.size());
  info.pSetLayouts = raw.data();
  info.pushConstantRangeCount = static_cast<uint32_t>(push_constants.size());
  info.pPushConstantRanges = push_constants.data();
  VGFIO_CREATE(layout, device_->vk(), device_->handle(), PipelineLayout, &info);
  layout_ = std::move(layout);
  return Status();
}

Status SegmentPipeline::create_graph(const Model& model, const Plan& plan, const Segment& segment,
                                     VkShaderModule module) {
  const GraphConstants constants(model, segment);
  std::vector<VkTensorDescriptionARM> descriptions;
  std::vector<VkDataGraphPipelineResourceInfoARM> resources;
  descriptions.reserve(segment.bindings.size());
  for (const Binding& binding : segment.bindings) {
    const Resource& resource = model.resources[binding.resource];
    if (resource.kind != ResourceKind::kTensor) {
      return Status::invalid("malformed VGF: a data graph binds something that is no tensor");
    }
    descriptions.push_back(
        describe_tensor(resource, plan.resources[binding.resource].image_aliasing));
    VkDataGraphPipelineResourceInfoARM info{
        VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_RESOURCE_INFO_ARM};
    info.pNext = &descriptions.back();
    info.descriptorSet = binding.set;
    info.binding = binding.binding;
    resources.push_back(info);
  }
  VkDataGraphPipelineShaderModuleCreateInfoARM shader{
      VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SHADER_MODULE_CREATE_INFO_ARM};
  shader.module = module;
  shader.pName = segment.entry_point.c_str();
  shader.constantCount = static_cast<uint32_t>(constants.constants.size());
  shader.pConstants = constants.constants.data();
  VkDataGraphPipelineCreateInfoARM info{VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CREATE_INFO_ARM};
  info.pNext = &shader;
  info.layout = layout_.get();
  info.resourceInfoCount = static_cast<uint32_t>(resources.size());
  info.pResourceInfos = resources.data();
  VkPipeline raw = VK_NULL_HANDLE;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device_->vk(), CreateDataGraphPipelinesARM, device_->handle(),
                                 VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &raw));
  pipeline_ = Handle<VkPipeline>(device_->handle(), raw, device_->vk().DestroyPipeline);
  return create_session();
}

Status SegmentPipeline::create_session() {
  const DeviceFunctions& vk = device_->vk();
  VkDataGraphPipelineSessionCreateInfoARM info{
      VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_CREATE_INFO_ARM};
  info.dataGraphPipeline = pipeline_.get();
  VGFIO_CREATE(session, vk, device_->handle(), DataGraphPipelineSessionARM, &info);
  session_ = std::move(session);

  VkDataGraphPipelineSessionBindPointRequirementsInfoARM query{
      VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENTS_INFO_ARM};
  query.session = session_.get();
  uint32_t count = 0;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(vk, GetDataGraphPipelineSessionBindPointRequirementsARM,
                                 device_->handle(), &query, &count, nullptr));
  std::vector<VkDataGraphPipelineSessionBindPointRequirementARM> points(
      count, {VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENT_ARM});
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(vk, GetDataGraphPipelineSessionBindPointRequirementsARM,
                                 device_->handle(), &query, &count, points.data()));
  for (const auto& point : points) {
    for (uint32_t object = 0; object < point.numObjects; ++object) {
      VkDataGraphPipelineSessionMemoryRequirementsInfoARM memory_query{
          VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_MEMORY_REQUIREMENTS_INFO_ARM};
      memory_query.session = session_.get();
      memory_query.bindPoint = point.bindPoint;
      memory_query.objectIndex = object;
      VkMemoryRequirements2 answer{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
      vk.GetDataGraphPipelineSessionMemoryRequirementsARM(device_->handle(), &memory_query,
                                                          &answer);
      if (answer.memoryRequirements.size == 0) continue;
      VGFIO_ASSIGN_OR_RETURN(
          DeviceMemory memory,
          allocate_memory(*device_, answer.memoryRequirements,
                          {0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, false));
      VkBindDataGraphPipelineSessionMemoryInfoARM bind{
          VK_STRUCTURE_TYPE_BIND_DATA_GRAPH_PIPELINE_SESSION_MEMORY_INFO_ARM};
      bind.session = session_.get();
      bind.bindPoint = point.bindPoint;
      bind.objectIndex = object;
      bind.memory = memory.handle.get();
      VGFIO_RETURN_IF_ERROR(
          VGFIO_VK(vk, BindDataGraphPipelineSessionMemoryARM, device_->handle(), 1, &bind));
      session_memory_.push_back(std::move(memory));
    }
  }
  return Status();
}

Status SegmentPipeline::create_compute(const Segment& segment, VkShaderModule module) {
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = segment.entry_point.c_str();
  info.layout = layout_.get();
  VkPipeline raw = VK_NULL_HANDLE;
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device_->vk(), CreateComputePipelines, device_->handle(),
                                 VK_NULL_HANDLE, 1, &info, nullptr, &raw));
  pipeline_ = Handle<VkPipeline>(device_->handle(), raw, device_->vk().DestroyPipeline);
  return Status();
}

SegmentCommands SegmentPipeline::commands() const {
  return {kind_ == SegmentKind::kGraph, pipeline_.get(), layout_.get(), session_.get(), dispatch_};
}

VkDeviceSize SegmentPipeline::session_bytes() const {
  VkDeviceSize bytes = 0;
  for (const DeviceMemory& memory : session_memory_) bytes += memory.size;
  return bytes;
}

}  // namespace vgfio
