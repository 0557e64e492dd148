#include "vgf/fixed_resources.h"

#include <algorithm>
#include <cstring>

#include "vulkan/error.h"

namespace vgfio {
namespace {

bool is_fixed(const ResourcePlan& plan) { return plan.used && plan.host != HostAccess::kDirect; }

const Constant* constant_of(const Model& model, uint32_t resource) {
  const auto found = std::find_if(
      model.constants.begin(), model.constants.end(),
      [resource](const Constant& constant) { return constant.resource == resource; });
  return found == model.constants.end() ? nullptr : &*found;
}

}  // namespace

Result<FixedResources> FixedResources::create(Device& device, CommandPool& pool,
                                              const Model& model, const Plan& plan) {
  FixedResources fixed;
  VGFIO_RETURN_IF_ERROR(fixed.create_objects(device, model, plan));
  for (const MemoryGroup& group : plan.memory_groups) {
    VGFIO_RETURN_IF_ERROR(fixed.bind_group(device, model, group));
  }
  for (uint32_t i = 0; i < model.resources.size(); ++i) {
    if (!is_fixed(plan.resources[i]) || plan.resources[i].memory_group) continue;
    VGFIO_RETURN_IF_ERROR(fixed.bind_alone(device, model, i));
  }
  VGFIO_RETURN_IF_ERROR(fixed.bring_images_into_layout(device, pool, plan));
  return fixed;
}

Status FixedResources::create_objects(Device& device, const Model& model, const Plan& plan) {
  objects_.resize(model.resources.size());
  for (uint32_t i = 0; i < model.resources.size(); ++i) {
    if (!is_fixed(plan.resources[i])) continue;
    VGFIO_ASSIGN_OR_RETURN(objects_[i],
                           create_object(device, model.resources[i],
                                         {false, plan.resources[i].image_aliasing,
                                          plan.resources[i].memory_group.has_value()}));
  }
  return Status();
}

Status FixedResources::bind_group(Device& device, const Model& model,
                                  const MemoryGroup& group) {
  VkMemoryRequirements shared{0, 1, ~0U};
  for (const uint32_t resource : group.resources) {
    const VkMemoryRequirements& needs = objects_[resource].requirements;
    if (needs.size == 0) continue;  // not used
    shared.size = std::max(shared.size, needs.size);
    shared.alignment = std::max(shared.alignment, needs.alignment);
    shared.memoryTypeBits &= needs.memoryTypeBits;
  }
  if (shared.size == 0) return Status();
  VGFIO_ASSIGN_OR_RETURN(
      DeviceMemory memory,
      allocate_memory(device, shared, {0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, false));
  for (const uint32_t resource : group.resources) {
    if (objects_[resource].requirements.size == 0) continue;
    VGFIO_RETURN_IF_ERROR(bind_object(device, model.resources[resource], memory.handle.get(), 0,
                                      objects_[resource]));
  }
  memory_.push_back(std::move(memory));
  return Status();
}

Status FixedResources::bind_alone(Device& device, const Model& model, uint32_t resource) {
  const Constant* constant =
      model.resources[resource].role == ResourceRole::kConstant ? constant_of(model, resource)
                                                                : nullptr;
  const VkMemoryPropertyFlags required =
      constant == nullptr
          ? 0
          : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VGFIO_ASSIGN_OR_RETURN(
      DeviceMemory memory,
      allocate_memory(device, objects_[resource].requirements,
                      {required, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, constant != nullptr));
  if (constant != nullptr) {
    std::memcpy(memory.mapped, constant->data,
                std::min<uint64_t>(constant->bytes, memory.size));
  }
  VGFIO_RETURN_IF_ERROR(bind_object(device, model.resources[resource], memory.handle.get(), 0,
                                    objects_[resource]));
  memory_.push_back(std::move(memory));
  return Status();
}

Status FixedResources::bring_images_into_layout(Device& device, CommandPool& pool,
                                                const Plan& plan) const {
  const bool images = std::any_of(objects_.begin(), objects_.end(), [](const auto& object) {
    return static_cast<bool>(object.image);
  });
  if (!images) return Status();
  return pool.run_once([&](VkCommandBuffer commands) {
    for (size_t i = 0; i < objects_.size(); ++i) {
      if (!objects_[i].image) continue;
      const std::optional<size_t> group = plan.resources[i].memory_group;
      change_layout(device, commands, objects_[i].image.get(), VK_IMAGE_LAYOUT_UNDEFINED,
                    group ? plan.memory_groups[*group].initial_layout : VK_IMAGE_LAYOUT_GENERAL);
    }
  });
}

}  // namespace vgfio
