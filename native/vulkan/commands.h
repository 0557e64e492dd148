// Recording, submitting and waiting.
#pragma once

#include <functional>

#include "vgf_io_bench.h"
#include "vulkan/device.h"
#include "vulkan/handles.h"

namespace vgfio {

// A command pool, a fence and the way to wait on it. One thread at a time.
class CommandPool {
 public:
  static Result<CommandPool> create(Device& device, vgfio_wait wait = VGFIO_WAIT_FENCE);

  // Records a command buffer that may be submitted many times. It lives as long
  // as the pool, or until it is freed.
  Result<VkCommandBuffer> record(const std::function<void(VkCommandBuffer)>& commands);
  void free(VkCommandBuffer commands);

  // Submits and waits until the device is done; reports a lost device.
  Status submit_and_wait(VkCommandBuffer commands);

  // Records, submits, waits and frees.
  Status run_once(const std::function<void(VkCommandBuffer)>& commands);

  // How it waits, with ADAPTIVE resolved for the device.
  vgfio_wait wait() const { return wait_; }

 private:
  Status wait_for_fence();
  Status wait_adaptively();
  // Both set *done (may be null) where the fence was signalled; without it a
  // time-out is an error.
  Status spin_on_fence(uint64_t until_ns, bool* done = nullptr);
  Status block_on_fence(uint64_t timeout_ns, bool* done = nullptr);

  Device* device_ = nullptr;
  Handle<VkCommandPool> pool_;
  Handle<VkFence> fence_;
  vgfio_wait wait_ = VGFIO_WAIT_FENCE;
  uint64_t expected_ns_ = 0;  // what the last submission took
};

// The rule behind VGFIO_WAIT_ADAPTIVE: never spin on a CPU device, where the
// host's cores do the work.
vgfio_wait resolve_wait(vgfio_wait wait, bool cpu_device);

// Barriers. All of them are global memory barriers: one queue, few commands.
void make_visible_to_host(Device& device, VkCommandBuffer commands);
void make_visible_to_device(Device& device, VkCommandBuffer commands);
void separate_commands(Device& device, VkCommandBuffer commands);
// Of a colour image with one level and one layer, ordered like the above.
void change_layout(Device& device, VkCommandBuffer commands, VkImage image, VkImageLayout from,
                   VkImageLayout to);

}  // namespace vgfio
