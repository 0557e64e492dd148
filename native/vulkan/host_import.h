// Importing the caller's host memory as device memory: the rules, in their
// order, each with its own reason; and the import itself.
#pragma once

#include <string>

#include "base/host_regions.h"
#include "vgf_io_bench.h"
#include "vulkan/memory.h"

namespace vgfio {

// What the rules look at. Plain values, so that they are tested without a
// device.
struct ImportRequest {
  const void* pointer = nullptr;
  size_t bytes = 0;            // of the tensor
  HostRegion region;           // the owner's memory around it; the tensor itself if nobody noted it
  bool written_by_device = false;
  VkMemoryRequirements requirements{};  // of the object to be bound to it
};

struct ImportLimits {
  bool extension = false;        // VK_EXT_external_memory_host is enabled
  VkDeviceSize alignment = 0;    // minImportedHostPointerAlignment
  VkPhysicalDeviceMemoryProperties memory{};
};

// Where the rules say yes, reason is NONE and the rest says what to import.
struct ImportDecision {
  vgfio_reason reason = VGFIO_REASON_NONE;
  int32_t vk_result = VK_SUCCESS;
  std::string detail;       // one sentence with the numbers, empty for NONE
  std::byte* base = nullptr;
  size_t size = 0;          // multiple of the alignment
  size_t offset = 0;        // of the tensor in the import
};

// The rules that need no device, in order: extension, null pointer, read-only
// memory, alignment, size, requirement. `base`, `size` and `offset` describe
// the largest part of the region that is a multiple of the alignment.
ImportDecision check_import(const ImportRequest& request, const ImportLimits& limits);

// The rules on memory types: common to pointer and object, then host-coherent
// (this project neither flushes nor invalidates imported memory). `host_bits`
// are what vkGetMemoryHostPointerPropertiesEXT answers.
struct ImportType {
  vgfio_reason reason = VGFIO_REASON_NONE;
  std::string detail;
  uint32_t type = 0;
};
ImportType check_import_type(uint32_t host_bits, uint32_t object_bits,
                             const VkPhysicalDeviceMemoryProperties& memory);

ImportLimits import_limits(const Device& device);

// Imports base[0 .. size) of a decision for objects with `object_bits`. On
// refusal the decision holds the reason and nothing was allocated.
Result<DeviceMemory> import_host_memory(Device& device, uint32_t object_bits,
                                        ImportDecision& decision);

}  // namespace vgfio
