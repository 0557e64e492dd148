// Time on the device between two places in a command buffer.
#pragma once

#include "vulkan/device.h"
#include "vulkan/handles.h"

namespace vgfio {

// Two timestamps; an empty handle where the device's queue has none.
Result<Handle<VkQueryPool>> create_timestamps(Device& device);

// Record the first and the second one; nothing for a null pool.
void begin_timestamps(const Device& device, VkCommandBuffer commands, VkQueryPool pool);
void end_timestamps(const Device& device, VkCommandBuffer commands, VkQueryPool pool);

// What passed between them, after the commands are done: ticks masked to the queue's
// valid bits, times the device's period (Vulkan specification, "Timestamp Queries").
Result<uint64_t> elapsed_ns(const Device& device, VkQueryPool pool);

}  // namespace vgfio
