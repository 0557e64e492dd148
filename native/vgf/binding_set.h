// Descriptor sets and command buffers for one combination of Boundaries.
#pragma once

#include <memory>
#include <vector>

#include "vgf/boundary.h"
#include "vgf/segment_pipeline.h"
#include "vulkan/commands.h"

namespace vgfio {

// What a BindingSet is made from and keeps pointing to: all of it belongs to the
// session and outlives its sets.
struct BindingContext {
  Device* device = nullptr;
  CommandPool* pool = nullptr;
  VkQueryPool timestamps = VK_NULL_HANDLE;  // two queries, or null
  const Model* model = nullptr;
  const Plan* plan = nullptr;
  const std::vector<SegmentPipeline>* segments = nullptr;
  // By resource; empty objects for those that are direct at the boundary.
  const std::vector<ResourceObject>* fixed = nullptr;
};

// A Boundary and the resource that it stands for.
struct BoundaryUse {
  uint32_t resource = 0;
  std::shared_ptr<Boundary> boundary;
};

class BindingSet {
 public:
  static Result<std::unique_ptr<BindingSet>> create(const BindingContext& context,
                                                    std::vector<BoundaryUse> uses);
  ~BindingSet();
  BindingSet(const BindingSet&) = delete;
  BindingSet& operator=(const BindingSet&) = delete;

  bool matches(const std::vector<BoundaryUse>& uses) const;
  bool uses_memory_at(const std::byte* base) const;

  // By segment, by set number.
  const std::vector<std::vector<VkDescriptorSet>>& sets() const { return sets_; }

  // The recorded work; with timestamps around it if `profile`.
  Result<VkCommandBuffer> commands(bool profile);

 private:
  BindingSet(const BindingContext& context, std::vector<BoundaryUse> uses)
      : context_(context), uses_(std::move(uses)) {}
  Status create_pool();
  Status allocate_sets();
  void write_sets() const;
  const ResourceObject& object_of(uint32_t resource) const;
  void record(VkCommandBuffer commands, bool profile) const;
  void record_step(VkCommandBuffer commands, const Step& step) const;
  void copy_staged(VkCommandBuffer commands, uint32_t resource, bool upload) const;
  void change_layouts(VkCommandBuffer commands, const std::vector<LayoutChange>& changes) const;

  BindingContext context_;
  std::vector<BoundaryUse> uses_;
  Handle<VkDescriptorPool> pool_;
  std::vector<std::vector<VkDescriptorSet>> sets_;
  VkCommandBuffer plain_ = VK_NULL_HANDLE;
  VkCommandBuffer profiled_ = VK_NULL_HANDLE;
};

}  // namespace vgfio
