#include "vgf/boundary.h"

namespace vgfio {
namespace {

// Automatically: cached and not behind a bus window, since the CPU reads device-
// local memory of a discrete GPU at tens of MB/s. A kind that is asked for is
// required: a baseline in another memory than the one named would mislead.
MemoryWish wish_for(CopyMemory memory) {
  constexpr VkMemoryPropertyFlags mapped =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  switch (memory) {
    case CopyMemory::kCached:
      return {mapped | cached, 0, local};
    case CopyMemory::kUncached:
      return {mapped, 0, cached | local};
    case CopyMemory::kDeviceLocal:
      return {mapped | local, 0, 0};
    default:
      return {mapped, cached, local};
  }
}

HostRegion region_around(const HostTensor& host) {
  const std::optional<HostRegion> noted = find_host_region(host.data, host.bytes);
  return noted ? *noted : HostRegion{static_cast<std::byte*>(host.data), host.bytes};
}

}  // namespace

BoundaryTensor::BoundaryTensor(const Resource& device_resource, const ResourcePlan& plan, bool output)
    : host_resource_(plan.host == HostAccess::kStaged ? host_twin(device_resource)
                                                       : device_resource),
      staged_(plan.host == HostAccess::kStaged),
      output_(output),
      staged_reason_(plan.staged_reason) {}

Result<std::shared_ptr<Boundary>> BoundaryTensor::own(Device& device, CopyMemory kind) {
  if (own_ != nullptr) return own_;
  auto boundary = std::make_shared<Boundary>();
  VGFIO_ASSIGN_OR_RETURN(boundary->object, create_object(device, host_resource_, {}));
  VGFIO_ASSIGN_OR_RETURN(
      DeviceMemory memory,
      allocate_memory(device, boundary->object.requirements, wish_for(kind), true));
  boundary->memory = std::make_shared<DeviceMemory>(std::move(memory));
  VGFIO_RETURN_IF_ERROR(bind_object(device, host_resource_, boundary->memory->handle.get(), 0,
                                    boundary->object));
  own_ = std::move(boundary);
  return own_;
}

std::shared_ptr<Boundary> BoundaryTensor::lent_at(const void* data) const {
  return own_ != nullptr && own_->mapped() == data ? own_ : nullptr;
}

std::shared_ptr<Boundary> BoundaryTensor::import(Device& device, const HostTensor& host,
                                                 Imports& imports, Record* record) {
  if (std::shared_ptr<Boundary> known = imported_[host.data].lock()) {
    refusal_ = {};
    return known;
  }
  std::shared_ptr<Boundary> made = make_import(device, host, imports, record);
  if (made == nullptr) {
    imported_.erase(host.data);
    VGFIO_ADD(record, rejection_count, 1);
    return nullptr;
  }
  imported_[host.data] = made;
  refusal_ = {};
  return made;
}

std::shared_ptr<Boundary> BoundaryTensor::make_import(Device& device, const HostTensor& host,
                                                      Imports& imports, Record* record) {
  const auto refused = [this](ImportDecision decision) {
    refusal_ = {decision.reason, decision.vk_result, std::move(decision.detail)};
    return nullptr;
  };
  const auto failed = [this](const Status& status) {
    refusal_ = {VGFIO_REASON_IMPORT_FAILED, 0, status.detail()};
    return nullptr;
  };
  const ImportLimits limits = import_limits(device);
  ImportRequest request{host.data, host.bytes, region_around(host), output_, {}};
  // First without an object: the rules on the pointer need none.
  ImportDecision decision = check_import(request, limits);
  if (decision.reason != VGFIO_REASON_NONE) return refused(std::move(decision));
  refusal_ = device.import_canary();
  if (refusal_.reason != VGFIO_REASON_NONE) return nullptr;
  Result<ResourceObject> object = create_object(device, host_resource_, {true, false, false});
  if (!object.ok()) return failed(object.status());
  request.requirements = object->requirements;
  decision = check_import(request, limits);
  if (decision.reason != VGFIO_REASON_NONE) return refused(std::move(decision));

  auto boundary = std::make_shared<Boundary>();
  boundary->memory = imports[decision.base].lock();
  // An earlier import may reach less far: of a smaller tensor that nobody noted.
  if (boundary->memory == nullptr || boundary->memory->size < decision.size) {
    VGFIO_TIME(record, import_ns);
    Result<DeviceMemory> memory =
        import_host_memory(device, request.requirements.memoryTypeBits, decision);
    if (!memory.ok()) {
      if (imports[decision.base].expired()) imports.erase(decision.base);
      return refused(std::move(decision));
    }
    VGFIO_ADD(record, imports, 1);
    boundary->memory = std::make_shared<DeviceMemory>(memory.take());
    imports[decision.base] = boundary->memory;
  }
  boundary->offset = decision.offset;
  boundary->host_base = decision.base;
  boundary->object = object.take();
  const Status bound = bind_object(device, host_resource_, boundary->memory->handle.get(),
                                   boundary->offset, boundary->object);
  return bound.ok() ? boundary : failed(bound);
}

void BoundaryTensor::forget_import(const std::byte* base) {
  for (auto entry = imported_.begin(); entry != imported_.end();) {
    const std::shared_ptr<Boundary> boundary = entry->second.lock();
    const bool gone = boundary == nullptr || boundary->host_base == base;
    entry = gone ? imported_.erase(entry) : std::next(entry);
  }
}

}  // namespace vgfio
