// The resources of a session that no caller sees: intermediates, constants that
// shaders bind, and the device side of staged inputs and outputs.
#pragma once

#include <vector>

#include "vgf/objects.h"
#include "vgf/plan.h"
#include "vulkan/commands.h"

namespace vgfio {

class FixedResources {
 public:
  // Creates, binds and, for constants and images, initialises them.
  static Result<FixedResources> create(Device& device, CommandPool& pool, const Model& model,
                                       const Plan& plan);

  // By resource; empty for those that are not used or direct at the boundary.
  const std::vector<ResourceObject>& objects() const { return objects_; }

 private:
  Status create_objects(Device& device, const Model& model, const Plan& plan);
  Status bind_group(Device& device, const Model& model, const MemoryGroup& group);
  Status bind_alone(Device& device, const Model& model, uint32_t resource);
  Status bring_images_into_layout(Device& device, CommandPool& pool, const Plan& plan) const;

  std::vector<DeviceMemory> memory_;
  std::vector<ResourceObject> objects_;
};

}  // namespace vgfio
