#include "vulkan/host_import.h"

#include "base/aligned_buffer.h"
#include "vulkan/error.h"

namespace vgfio {
namespace {

ImportDecision refuse(vgfio_reason reason, std::string detail) {
  ImportDecision decision;
  decision.reason = reason;
  decision.detail = std::move(detail);
  return decision;
}

std::string number(uint64_t value) { return std::to_string(value); }

}  // namespace

ImportDecision check_import(const ImportRequest& request, const ImportLimits& limits) {
  if (!limits.extension || limits.alignment == 0) {
    return refuse(VGFIO_REASON_EXTENSION_MISSING,
                  "the device has no VK_EXT_external_memory_host");
  }
  if (request.pointer == nullptr) {
    return refuse(VGFIO_REASON_NULL_POINTER, "no buffer is bound to the tensor");
  }
  if (request.region.read_only && request.written_by_device) {
    return refuse(VGFIO_REASON_READ_ONLY, "the device would write read-only memory");
  }
  const auto pointer = reinterpret_cast<uintptr_t>(request.pointer);
  const auto region_begin = reinterpret_cast<uintptr_t>(request.region.base);
  const uintptr_t begin = round_up(region_begin, limits.alignment);
  const uintptr_t end = (region_begin + request.region.capacity) & ~(limits.alignment - 1);
  const VkMemoryRequirements& needs = request.requirements;
  if (pointer < begin) {
    return refuse(VGFIO_REASON_MISALIGNED_POINTER,
                  "the pointer is aligned to " + number(alignment_of(request.pointer)) +
                      " bytes, the import needs " + number(limits.alignment));
  }
  const uintptr_t offset = pointer - begin;
  if (needs.alignment > 1 && offset % needs.alignment != 0) {
    // Nobody chose this pointer: another buffer would not mend it, another plan does.
    if (request.region.memory_planned) {
      return refuse(VGFIO_REASON_MEMORY_PLANNED,
                    "the memory plan puts the tensor " + number(offset) +
                        " bytes into its arena, the device needs a multiple of " +
                        number(needs.alignment));
    }
    return refuse(VGFIO_REASON_MISALIGNED_POINTER,
                  "the tensor begins " + number(offset) + " bytes into its buffer, the device " +
                      "needs a multiple of " + number(needs.alignment));
  }
  if (end < pointer || request.bytes > end - pointer) {
    return refuse(VGFIO_REASON_SIZE_NOT_A_MULTIPLE,
                  "the buffer of " + number(request.region.capacity) + " bytes does not hold " +
                      number(request.bytes) + " bytes in whole multiples of " +
                      number(limits.alignment));
  }
  if (needs.size > end - pointer) {
    return refuse(VGFIO_REASON_REQUIREMENT_EXCEEDS_BUFFER,
                  "the device needs " + number(needs.size) + " bytes for the tensor, the buffer " +
                      "has " + number(end - pointer));
  }
  ImportDecision decision;
  decision.base = reinterpret_cast<std::byte*>(begin);
  decision.size = end - begin;
  decision.offset = offset;
  return decision;
}

ImportType check_import_type(uint32_t host_bits, uint32_t object_bits,
                             const VkPhysicalDeviceMemoryProperties& memory) {
  const uint32_t common = host_bits & object_bits;
  if (common == 0) {
    return {VGFIO_REASON_NO_COMMON_MEMORY_TYPE,
            "the pointer can be memory types " + number(host_bits) + ", the tensor " +
                number(object_bits) + " (bit masks)",
            0};
  }
  // Cached memory first: the caller reads and writes it with the CPU.
  const MemoryWish wish{VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                        0};
  const std::optional<uint32_t> type = choose_memory_type(memory, common, wish);
  if (!type) {
    return {VGFIO_REASON_NOT_HOST_COHERENT,
            "none of the memory types " + number(common) + " (bit mask) is host-coherent", 0};
  }
  return {VGFIO_REASON_NONE, {}, *type};
}

ImportLimits import_limits(const Device& device) {
  return {device.plan().host_import, device.info().import_alignment, device.info().memory};
}

Result<DeviceMemory> import_host_memory(Device& device, uint32_t object_bits,
                                        ImportDecision& decision) {
  constexpr auto kHandleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  const auto refused = [&](Status status, VkResult result) {
    decision.reason = VGFIO_REASON_IMPORT_FAILED;
    decision.vk_result = result;
    decision.detail = status.detail();
    return status;
  };
  VkMemoryHostPointerPropertiesEXT host{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  VkResult result = device.vk().GetMemoryHostPointerPropertiesEXT(device.handle(), kHandleType,
                                                                  decision.base, &host);
  Status status =
      vk_status(result, "vkGetMemoryHostPointerPropertiesEXT", __FILE__, __LINE__);
  if (!status.ok()) return refused(std::move(status), result);

  const ImportType type =
      check_import_type(host.memoryTypeBits, object_bits, device.info().memory);
  if (type.reason != VGFIO_REASON_NONE) {
    decision.reason = type.reason;
    decision.detail = type.detail;
    return Status::unsupported(type.detail);
  }
  VkImportMemoryHostPointerInfoEXT import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
  import.handleType = kHandleType;
  import.pHostPointer = decision.base;
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import};
  info.allocationSize = decision.size;
  info.memoryTypeIndex = type.type;
  VkDeviceMemory raw = VK_NULL_HANDLE;
  result = device.vk().AllocateMemory(device.handle(), &info, nullptr, &raw);
  status = vk_status(result, "vkAllocateMemory of host memory", __FILE__, __LINE__);
  if (!status.ok()) return refused(std::move(status), result);

  DeviceMemory memory;
  memory.handle = Handle<VkDeviceMemory>(device.handle(), raw, device.vk().FreeMemory);
  memory.size = decision.size;
  memory.type = type.type;
  memory.flags = device.info().memory.memoryTypes[type.type].propertyFlags;
  memory.imported = true;
  return memory;
}

}  // namespace vgfio
