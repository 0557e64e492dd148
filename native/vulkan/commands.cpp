#include "vulkan/commands.h"

#include <algorithm>
#include <limits>

#include "base/clock.h"
#include "vulkan/error.h"

namespace vgfio {
namespace {

// A thread that blocks wakes up tens to hundreds of microseconds late, the more
// the longer it slept. ADAPTIVE therefore sleeps through most of the time that
// the last submissions took and spins the rest: at least kSpinNanoseconds, or a
// sixteenth of it, before the expected end, and as long again after it.
constexpr uint64_t kSpinNanoseconds = 2'000'000;
constexpr uint64_t kSpinFraction = 16;
constexpr uint64_t kForever = std::numeric_limits<uint64_t>::max();

void barrier(Device& device, VkCommandBuffer commands, VkPipelineStageFlags2 source_stage,
             VkAccessFlags2 source_access, VkPipelineStageFlags2 target_stage,
             VkAccessFlags2 target_access) {
  VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  memory.srcStageMask = source_stage;
  memory.srcAccessMask = source_access;
  memory.dstStageMask = target_stage;
  memory.dstAccessMask = target_access;
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &memory;
  device.vk().CmdPipelineBarrier2(commands, &info);
}

}  // namespace

Result<CommandPool> CommandPool::create(Device& device, vgfio_wait wait) {
  VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = device.plan().queue_family;
  VGFIO_CREATE(pool, device.vk(), device.handle(), CommandPool, &pool_info);
  VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VGFIO_CREATE(fence, device.vk(), device.handle(), Fence, &fence_info);
  CommandPool result;
  result.device_ = &device;
  result.pool_ = std::move(pool);
  result.fence_ = std::move(fence);
  result.wait_ = resolve_wait(wait, device.is_cpu());
  return result;
}

Result<VkCommandBuffer> CommandPool::record(
    const std::function<void(VkCommandBuffer)>& commands) {
  const DeviceFunctions& vk = device_->vk();
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_.get();
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  VGFIO_RETURN_IF_ERROR(
      VGFIO_VK(vk, AllocateCommandBuffers, device_->handle(), &allocate, &buffer));
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  Status status = VGFIO_VK(vk, BeginCommandBuffer, buffer, &begin);
  if (status.ok()) {
    commands(buffer);
    status = VGFIO_VK(vk, EndCommandBuffer, buffer);
  }
  if (!status.ok()) {
    free(buffer);
    return status;
  }
  return buffer;
}

void CommandPool::free(VkCommandBuffer commands) {
  device_->vk().FreeCommandBuffers(device_->handle(), pool_.get(), 1, &commands);
}

Status CommandPool::submit_and_wait(VkCommandBuffer commands) {
  const DeviceFunctions& vk = device_->vk();
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  const VkFence fence = fence_.get();
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(vk, ResetFences, device_->handle(), 1, &fence));
  {
    const std::lock_guard lock(device_->queue_mutex());
    VGFIO_RETURN_IF_ERROR(VGFIO_VK(vk, QueueSubmit, device_->queue(), 1, &submit, fence));
  }
  Status status = wait_for_fence();
  // Whoever frees what the commands use after a failed wait must not do so under
  // the device's hands.
  if (!status.ok()) {
    const std::lock_guard lock(device_->queue_mutex());
    vk.DeviceWaitIdle(device_->handle());
  }
  return status;
}

Status CommandPool::wait_for_fence() {
  switch (wait_) {
    case VGFIO_WAIT_FENCE:
      return block_on_fence(kForever);
    case VGFIO_WAIT_SPIN:
      return spin_on_fence(kForever);
    default:
      return wait_adaptively();
  }
}

Status CommandPool::wait_adaptively() {
  const uint64_t begin = now_ns();
  const uint64_t margin = std::max(kSpinNanoseconds, expected_ns_ / kSpinFraction);
  if (expected_ns_ > margin) {
    bool done = false;
    VGFIO_RETURN_IF_ERROR(block_on_fence(expected_ns_ - margin, &done));
    if (done) {
      expected_ns_ = now_ns() - begin;
      return Status();
    }
  }
  bool done = false;
  VGFIO_RETURN_IF_ERROR(spin_on_fence(now_ns() + 2 * margin, &done));
  if (!done) VGFIO_RETURN_IF_ERROR(block_on_fence(kForever));
  expected_ns_ = now_ns() - begin;
  return Status();
}

Status CommandPool::spin_on_fence(uint64_t until_ns, bool* done) {
  do {
    const VkResult result = device_->vk().GetFenceStatus(device_->handle(), fence_.get());
    if (result == VK_NOT_READY) continue;
    if (done != nullptr) *done = true;
    return vk_status(result, "vkGetFenceStatus", __FILE__, __LINE__);
  } while (now_ns() < until_ns);
  return Status();
}

Status CommandPool::block_on_fence(uint64_t timeout_ns, bool* done) {
  const VkFence fence = fence_.get();
  const VkResult result =
      device_->vk().WaitForFences(device_->handle(), 1, &fence, VK_TRUE, timeout_ns);
  if (result == VK_TIMEOUT && done != nullptr) return Status();
  if (done != nullptr) *done = true;
  return vk_status(result, "vkWaitForFences", __FILE__, __LINE__);
}

Status CommandPool::run_once(const std::function<void(VkCommandBuffer)>& commands) {
  VGFIO_ASSIGN_OR_RETURN(const VkCommandBuffer buffer, record(commands));
  Status status = submit_and_wait(buffer);
  free(buffer);
  return status;
}

vgfio_wait resolve_wait(vgfio_wait wait, bool cpu_device) {
  return wait == VGFIO_WAIT_ADAPTIVE && cpu_device ? VGFIO_WAIT_FENCE : wait;
}

void make_visible_to_host(Device& device, VkCommandBuffer commands) {
  barrier(device, commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
          VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT);
}

void make_visible_to_device(Device& device, VkCommandBuffer commands) {
  barrier(device, commands, VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT,
          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
          VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
}

void separate_commands(Device& device, VkCommandBuffer commands) {
  barrier(device, commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
          VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
          VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
}

void change_layout(Device& device, VkCommandBuffer commands, VkImage image, VkImageLayout from,
                   VkImageLayout to) {
  VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  device.vk().CmdPipelineBarrier2(commands, &info);
}

}  // namespace vgfio
