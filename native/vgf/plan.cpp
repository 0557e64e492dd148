#include "vgf/plan.h"

#include <map>

namespace vgfio {
namespace {

bool is_packed(const Resource& resource) {
  return resource.strides.empty() ||
         resource.strides == packed_strides(resource.shape, resource.element_bytes);
}

Result<std::map<uint32_t, size_t>> group_aliases(const Model& model, Plan& plan) {
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
    plan.memory_groups[group->second].push_back(i);
    plan.resources[i].memory_group = group->second;
  }
  return groups;
}

// Tensors that share memory with an image must be laid out like it.
void mark_image_aliasing(const Model& model, Plan& plan) {
  for (const std::vector<uint32_t>& group : plan.memory_groups) {
    bool image = false;
    bool tensor = false;
    for (const uint32_t resource : group) {
      image = image || model.resources[resource].kind == ResourceKind::kImage;
      tensor = tensor || model.resources[resource].kind == ResourceKind::kTensor;
    }
    for (const uint32_t resource : group) {
      plan.resources[resource].image_aliasing = image && tensor;
    }
  }
}

vgfio_reason reason_to_stage(const Resource& resource) {
  if (resource.kind == ResourceKind::kImage) return VGFIO_REASON_NOT_A_TENSOR_DESCRIPTOR;
  if (resource.alias_group) return VGFIO_REASON_ALIASED_RESOURCE;
  if (!is_packed(resource)) return VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT;
  return VGFIO_REASON_NONE;
}

void place_at_boundary(const Model& model, uint32_t resource, bool input, bool stage_all,
                       Plan& plan) {
  ResourcePlan& planned = plan.resources[resource];
  planned.used = true;
  planned.staged_reason = reason_to_stage(model.resources[resource]);
  const bool staged = stage_all || planned.staged_reason != VGFIO_REASON_NONE;
  planned.host = staged ? HostAccess::kStaged : HostAccess::kDirect;
  if (staged) (input ? plan.uploads : plan.downloads).push_back(resource);
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
  VGFIO_ASSIGN_OR_RETURN(const auto groups, group_aliases(model, plan));
  mark_image_aliasing(model, plan);
  for (const Segment& segment : model.segments) {
    for (const Binding& binding : segment.bindings) plan.resources[binding.resource].used = true;
  }
  for (const BoundaryResource& input : model.inputs) {
    if (!input) continue;
    if (plan.resources[*input].host != HostAccess::kNone) {
      return Status::invalid("malformed VGF: resource " + std::to_string(*input) +
                             " is two model inputs");
    }
    place_at_boundary(model, *input, true, stage_all, plan);
  }
  for (const BoundaryResource& output : model.outputs) {
    // An output may be an input passed through, a constant, or another output
    // once more: no segment writes it for this output alone.
    const bool written = output && plan.resources[*output].host == HostAccess::kNone &&
                         model.resources[*output].role != ResourceRole::kConstant;
    if (written) place_at_boundary(model, *output, false, stage_all, plan);
  }
  return plan;
}

}  // namespace vgfio
