#include "vgf/plan.h"

#include <map>
#include <set>

namespace vgfio {
namespace {

bool is_packed(const Resource& resource) {
  return resource.strides.empty() ||
         resource.strides == packed_strides(resource.shape, resource.element_bytes);
}

Status group_aliases(const Model& model, Plan& plan) {
  std::map<uint32_t, size_t> groups;
  for (uint32_t i = 0; i < model.resources.size(); ++i) {
    const Resource& resource = model.resources[i];
    if (!resource.alias_group) continue;
    if (resource.role == ResourceRole::kConstant) {
      return Status::invalid("malformed VGF: constant resource " + std::to_string(i) +
                             " is in an alias group");
    }
    const auto [group, added] =
        groups.try_emplace(*resource.alias_group, plan.memory_groups.size());
    if (added) plan.memory_groups.emplace_back();
    plan.memory_groups[group->second].resources.push_back(i);
    plan.resources[i].memory_group = group->second;
  }
  return Status();
}

// Tensors that share memory with an image must be laid out like it.
void mark_image_aliasing(const Model& model, Plan& plan) {
  for (MemoryGroup& group : plan.memory_groups) {
    bool image = false;
    bool tensor = false;
    for (const uint32_t resource : group.resources) {
      image = image || model.resources[resource].kind == ResourceKind::kImage;
      tensor = tensor || model.resources[resource].kind == ResourceKind::kTensor;
    }
    group.tensors_and_images = image && tensor;
    for (const uint32_t resource : group.resources) {
      plan.resources[resource].image_aliasing = group.tensors_and_images;
    }
  }
}

vgfio_reason reason_to_stage(const Resource& resource) {
  if (resource.kind == ResourceKind::kImage) return VGFIO_REASON_NOT_A_TENSOR_DESCRIPTOR;
  if (resource.alias_group) return VGFIO_REASON_ALIASED_RESOURCE;
  if (!is_packed(resource)) return VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT;
  return VGFIO_REASON_NONE;
}

// See ResourcePlan::copied_as.
uint32_t copied_as(const Model& model, const Plan& plan, uint32_t resource) {
  const ResourcePlan& planned = plan.resources[resource];
  if (model.resources[resource].kind != ResourceKind::kTensor || !planned.image_aliasing) {
    return resource;
  }
  for (const uint32_t other : plan.memory_groups[*planned.memory_group].resources) {
    if (model.resources[other].kind == ResourceKind::kImage && plan.resources[other].used &&
        model.resources[other].bytes == model.resources[resource].bytes) {
      return other;
    }
  }
  return resource;
}

void place_at_boundary(const Model& model, uint32_t resource, bool stage_all,
                       Plan& plan, std::vector<uint32_t>& staged_resources) {
  ResourcePlan& planned = plan.resources[resource];
  planned.used = true;
  planned.staged_reason = reason_to_stage(model.resources[resource]);
  const bool staged = stage_all || planned.staged_reason != VGFIO_REASON_NONE;
  planned.host = staged ? HostAccess::kStaged : HostAccess::kDirect;
  planned.copied_as = copied_as(model, plan, resource);
  if (staged) staged_resources.push_back(resource);
}

// A constant has its contents from the file, and only from there.
Status check_constants(const Model& model) {
  const auto is_constant = [&](uint32_t resource) {
    return model.resources[resource].role == ResourceRole::kConstant;
  };
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    if (model.inputs[i] && is_constant(*model.inputs[i])) {
      return Status::invalid("malformed VGF: model input " + std::to_string(i) +
                             " is a constant");
    }
  }
  std::set<uint32_t> with_data;
  for (const Constant& constant : model.constants) with_data.insert(constant.resource);
  for (const Segment& segment : model.segments) {
    for (const Binding& binding : segment.bindings) {
      if (is_constant(binding.resource) && with_data.count(binding.resource) == 0) {
        return Status::invalid("malformed VGF: constant resource " +
                               std::to_string(binding.resource) + " has no data");
      }
    }
  }
  return Status();
}

// Resources that a step uses.
std::vector<uint32_t> resources_of(const Model& model, const Plan& plan, const Step& step) {
  if (step.kind != Step::Kind::kSegment) return {plan.resources[step.index].copied_as};
  std::vector<uint32_t> resources;
  for (const Binding& binding : model.segments[step.index].bindings) {
    resources.push_back(binding.resource);
  }
  return resources;
}

// The layout that each group of tensors and images needs in a step. Buffers in
// the group need none of their own.
Result<std::map<size_t, VkImageLayout>> layouts_of(const Model& model, const Plan& plan,
                                                   const Step& step) {
  std::map<size_t, VkImageLayout> layouts;
  for (const uint32_t resource : resources_of(model, plan, step)) {
    const ResourceKind kind = model.resources[resource].kind;
    if (!plan.resources[resource].image_aliasing || kind == ResourceKind::kBuffer) continue;
    const VkImageLayout needed = kind == ResourceKind::kImage
                                     ? VK_IMAGE_LAYOUT_GENERAL
                                     : VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM;
    const auto [entry, added] =
        layouts.try_emplace(*plan.resources[resource].memory_group, needed);
    if (!added && entry->second != needed) {
      return Status::invalid(
          "malformed VGF: a segment uses the same memory as an image and as a tensor");
    }
  }
  return layouts;
}

Status plan_layouts(const Model& model, Plan& plan) {
  std::map<size_t, VkImageLayout> current;
  for (Step& step : plan.steps) {
    VGFIO_ASSIGN_OR_RETURN(const auto needed, layouts_of(model, plan, step));
    for (const auto& [group, layout] : needed) {
      const auto [entry, first_use] = current.try_emplace(group, layout);
      if (first_use) plan.memory_groups[group].initial_layout = layout;
      if (entry->second != layout) step.layouts.push_back({group, entry->second, layout});
      entry->second = layout;
    }
  }
  for (const auto& [group, layout] : current) {
    const VkImageLayout initial = plan.memory_groups[group].initial_layout;
    if (layout != initial) plan.final_layouts.push_back({group, layout, initial});
  }
  return Status();
}

}  // namespace

std::vector<int64_t> packed_strides(const std::vector<int64_t>& shape, uint64_t element_bytes) {
  std::vector<int64_t> strides(shape.size());
  auto stride = static_cast<int64_t>(element_bytes);
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

Result<Plan> plan_session(const Model& model, bool stage_all) {
  Plan plan;
  plan.resources.resize(model.resources.size());
  VGFIO_RETURN_IF_ERROR(check_constants(model));
  VGFIO_RETURN_IF_ERROR(group_aliases(model, plan));
  mark_image_aliasing(model, plan);
  for (const Segment& segment : model.segments) {
    for (const Binding& binding : segment.bindings) plan.resources[binding.resource].used = true;
  }
  std::vector<uint32_t> uploads;
  std::vector<uint32_t> downloads;
  for (const BoundaryResource& input : model.inputs) {
    if (!input) continue;
    if (plan.resources[*input].host != HostAccess::kNone) {
      return Status::invalid("malformed VGF: resource " + std::to_string(*input) +
                             " is two model inputs");
    }
    place_at_boundary(model, *input, stage_all, plan, uploads);
  }
  for (const BoundaryResource& output : model.outputs) {
    // An output may be an input passed through, a constant, or another output
    // once more: no segment writes it for this output alone.
    const bool written = output && plan.resources[*output].host == HostAccess::kNone &&
                         model.resources[*output].role != ResourceRole::kConstant;
    if (written) place_at_boundary(model, *output, stage_all, plan, downloads);
  }
  for (const uint32_t resource : uploads) plan.steps.push_back({Step::Kind::kUpload, resource, {}});
  for (uint32_t i = 0; i < model.segments.size(); ++i) {
    plan.steps.push_back({Step::Kind::kSegment, i, {}});
  }
  for (const uint32_t resource : downloads) {
    plan.steps.push_back({Step::Kind::kDownload, resource, {}});
  }
  VGFIO_RETURN_IF_ERROR(plan_layouts(model, plan));
  return plan;
}

}  // namespace vgfio
