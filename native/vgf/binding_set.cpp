#include "vgf/binding_set.h"

#include <algorithm>
#include <map>

#include "vulkan/device_time.h"
#include "vulkan/error.h"

namespace vgfio {
namespace {

Descriptor describe(const Resource& resource, const ResourceObject& object) {
  Descriptor descriptor;
  descriptor.type = resource.descriptor;
  descriptor.tensor_view = object.tensor_view.get();
  descriptor.buffer = object.buffer.get();
  descriptor.image = {object.sampler.get(), object.image_view.get(), VK_IMAGE_LAYOUT_GENERAL};
  return descriptor;
}

void copy_tensor(const DeviceFunctions& vk, VkCommandBuffer commands, const Resource& resource,
                 VkTensorARM source, VkTensorARM target) {
  VkTensorCopyARM region{VK_STRUCTURE_TYPE_TENSOR_COPY_ARM};
  region.dimensionCount = static_cast<uint32_t>(resource.shape.size());
  VkCopyTensorInfoARM info{VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM};
  info.srcTensor = source;
  info.dstTensor = target;
  info.regionCount = 1;
  info.pRegions = &region;
  vk.CmdCopyTensorARM(commands, &info);
}

VkBufferImageCopy whole_image(const Resource& resource) {
  const ImageExtent extent = image_extent(resource);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {extent.width, extent.height, 1};
  return region;
}

}  // namespace

Result<std::unique_ptr<BindingSet>> BindingSet::create(const BindingContext& context,
                                                       std::vector<BoundaryUse> uses) {
  std::unique_ptr<BindingSet> set(new BindingSet(context, std::move(uses)));
  VGFIO_RETURN_IF_ERROR(set->create_pool());
  VGFIO_RETURN_IF_ERROR(set->allocate_sets());
  set->write_sets();
  VGFIO_RETURN_IF_ERROR(set->commands(false).status());
  return set;
}

BindingSet::~BindingSet() {
  for (VkCommandBuffer commands : {plain_, profiled_}) {
    if (commands != VK_NULL_HANDLE) context_.pool->free(commands);
  }
}

bool BindingSet::matches(const std::vector<BoundaryUse>& uses) const {
  return std::equal(uses.begin(), uses.end(), uses_.begin(), uses_.end(),
                    [](const BoundaryUse& a, const BoundaryUse& b) {
                      return a.boundary == b.boundary;
                    });
}

bool BindingSet::uses_memory_at(const std::byte* base) const {
  return std::any_of(uses_.begin(), uses_.end(), [base](const BoundaryUse& use) {
    return use.boundary->host_base != nullptr && use.boundary->host_base == base;
  });
}

Status BindingSet::create_pool() {
  std::map<VkDescriptorType, uint32_t> counts;
  uint32_t sets = 0;
  for (const SegmentPipeline& segment : *context_.segments) {
    sets += static_cast<uint32_t>(segment.set_layouts().size());
    for (const Binding& binding : segment.bindings()) {
      ++counts[context_.model->resources[binding.resource].descriptor];
    }
  }
  std::vector<VkDescriptorPoolSize> sizes;
  for (const auto& [type, count] : counts) sizes.push_back({type, count});
  if (sets == 0) return Status();
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = sets;
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VGFIO_CREATE(pool, context_.device->vk(), context_.device->handle(), DescriptorPool, &info);
  pool_ = std::move(pool);
  return Status();
}

Status BindingSet::allocate_sets() {
  for (const SegmentPipeline& segment : *context_.segments) {
    std::vector<VkDescriptorSetLayout> layouts;
    for (const auto& layout : segment.set_layouts()) layouts.push_back(layout.get());
    std::vector<VkDescriptorSet> sets(layouts.size());
    if (!layouts.empty()) {
      VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
      info.descriptorPool = pool_.get();
      info.descriptorSetCount = static_cast<uint32_t>(layouts.size());
      info.pSetLayouts = layouts.data();
      VGFIO_RETURN_IF_ERROR(VGFIO_VK(context_.device->vk(), AllocateDescriptorSets,
                                     context_.device->handle(), &info, sets.data()));
    }
    sets_.push_back(std::move(sets));
  }
  return Status();
}

const ResourceObject& BindingSet::object_of(uint32_t resource) const {
  if (context_.plan->resources[resource].host == HostAccess::kDirect) {
    for (const BoundaryUse& use : uses_) {
      if (use.resource == resource) return use.boundary->object;
    }
  }
  return (*context_.fixed)[resource];
}

void BindingSet::write_sets() const {
  for (size_t segment = 0; segment < sets_.size(); ++segment) {
    for (const Binding& binding : (*context_.segments)[segment].bindings()) {
      Descriptor descriptor = describe(context_.model->resources[binding.resource],
                                       object_of(binding.resource));
      descriptor.set = sets_[segment][binding.set];
      descriptor.binding = binding.binding;
      write_descriptor(*context_.device, descriptor);
    }
  }
}

Result<VkCommandBuffer> BindingSet::commands(bool profile) {
  VkCommandBuffer& commands = profile ? profiled_ : plain_;
  if (commands == VK_NULL_HANDLE) {
    VGFIO_ASSIGN_OR_RETURN(
        commands, context_.pool->record([&](VkCommandBuffer buffer) { record(buffer, profile); }));
  }
  return commands;
}

void BindingSet::record(VkCommandBuffer commands, bool profile) const {
  Device& device = *context_.device;
  const VkQueryPool timestamps = profile ? context_.timestamps : VK_NULL_HANDLE;
  begin_timestamps(device, commands, timestamps);
  make_visible_to_device(device, commands);
  bool first = true;
  for (const Step& step : context_.plan->steps) {
    if (!first) separate_commands(device, commands);
    first = false;
    record_step(commands, step);
  }
  change_layouts(commands, context_.plan->final_layouts);
  make_visible_to_host(device, commands);
  end_timestamps(device, commands, timestamps);
}

void BindingSet::record_step(VkCommandBuffer commands, const Step& step) const {
  change_layouts(commands, step.layouts);
  if (step.kind == Step::Kind::kSegment) {
    record_segment(*context_.device, commands, (*context_.segments)[step.index].commands(),
                   sets_[step.index]);
  } else {
    copy_staged(commands, step.index, step.kind == Step::Kind::kUpload);
  }
}

void BindingSet::change_layouts(VkCommandBuffer commands,
                                const std::vector<LayoutChange>& changes) const {
  for (const LayoutChange& change : changes) {
    for (const uint32_t resource : context_.plan->memory_groups[change.group].resources) {
      const VkImage image = (*context_.fixed)[resource].image.get();
      if (image == VK_NULL_HANDLE) continue;
      change_layout(*context_.device, commands, image, change.from, change.to);
    }
  }
}

void BindingSet::copy_staged(VkCommandBuffer commands, uint32_t resource, bool upload) const {
  const auto use = std::find_if(uses_.begin(), uses_.end(), [resource](const BoundaryUse& entry) {
    return entry.resource == resource;
  });
  if (use == uses_.end()) return;
  const DeviceFunctions& vk = context_.device->vk();
  const uint32_t copied = context_.plan->resources[resource].copied_as;
  const Resource& description = context_.model->resources[copied];
  const ResourceObject& host = use->boundary->object;
  const ResourceObject& device = (*context_.fixed)[copied];
  if (description.kind == ResourceKind::kTensor) {
    copy_tensor(vk, commands, description, upload ? host.tensor.get() : device.tensor.get(),
                upload ? device.tensor.get() : host.tensor.get());
  } else if (description.kind == ResourceKind::kBuffer) {
    const VkBufferCopy region{0, 0, description.bytes};
    vk.CmdCopyBuffer(commands, upload ? host.buffer.get() : device.buffer.get(),
                     upload ? device.buffer.get() : host.buffer.get(), 1, &region);
  } else {
    const VkBufferImageCopy region = whole_image(description);
    if (upload) {
      vk.CmdCopyBufferToImage(commands, host.buffer.get(), device.image.get(), VK_IMAGE_LAYOUT_GENERAL, 1,
                              &region);
    } else {
      vk.CmdCopyImageToBuffer(commands, device.image.get(), VK_IMAGE_LAYOUT_GENERAL, host.buffer.get(),
                              1, &region);
    }
  }
}

}  // namespace vgfio
