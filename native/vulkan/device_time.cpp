#include "vulkan/device_time.h"

#include "vulkan/error.h"

namespace vgfio {

Result<Handle<VkQueryPool>> create_timestamps(Device& device) {
  if (device.plan().timestamp_valid_bits == 0) return Handle<VkQueryPool>();
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2;
  VGFIO_CREATE(pool, device.vk(), device.handle(), QueryPool, &info);
  return pool;
}

void begin_timestamps(const Device& device, VkCommandBuffer commands, VkQueryPool pool) {
  if (pool == VK_NULL_HANDLE) return;
  device.vk().CmdResetQueryPool(commands, pool, 0, 2);
  device.vk().CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, pool, 0);
}

void end_timestamps(const Device& device, VkCommandBuffer commands, VkQueryPool pool) {
  if (pool == VK_NULL_HANDLE) return;
  device.vk().CmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, pool, 1);
}

Result<uint64_t> elapsed_ns(const Device& device, VkQueryPool pool) {
  uint64_t ticks[2] = {0, 0};
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device.vk(), GetQueryPoolResults, device.handle(), pool, 0, 2,
                                 sizeof(ticks), ticks, sizeof(ticks[0]),
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  const uint32_t bits = device.plan().timestamp_valid_bits;
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  return static_cast<uint64_t>(static_cast<double>((ticks[1] - ticks[0]) & mask) *
                               static_cast<double>(device.info().timestamp_period_ns));
}

}  // namespace vgfio
