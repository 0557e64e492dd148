#include "vulkan/import_canary.h"

#include <algorithm>

#include "base/aligned_buffer.h"
#include "vulkan/commands.h"
#include "vulkan/error.h"
#include "vulkan/host_import.h"

namespace vgfio {
namespace {

constexpr uint32_t kPattern = 0xC0DEFACE;

Result<Handle<VkBuffer>> create_fillable_buffer(Device& device, VkDeviceSize bytes) {
  VkExternalMemoryBufferCreateInfo external{
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VGFIO_CREATE(buffer, device.vk(), device.handle(), Buffer, &info);
  return buffer;
}

// Fills the buffer on the device.
Status write_pattern(Device& device, VkBuffer buffer) {
  VGFIO_ASSIGN_OR_RETURN(CommandPool pool, CommandPool::create(device));
  return pool.run_once([&](VkCommandBuffer commands) {
    device.vk().CmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, kPattern);
    make_visible_to_host(device, commands);
  });
}

bool holds_pattern(const AlignedBuffer& host) {
  const auto* words = reinterpret_cast<const uint32_t*>(host.data());
  return std::all_of(words, words + host.capacity() / sizeof(uint32_t),
                     [](uint32_t word) { return word == kPattern; });
}

// Imports, writes and compares. A Status for what has no reason of its own.
Result<Refusal> try_import(Device& device) {
  const ImportLimits limits = import_limits(device);
  const auto refused = [](ImportDecision decision) {
    return Refusal{decision.reason, decision.vk_result, std::move(decision.detail)};
  };
  ImportDecision decision = check_import({}, limits);
  if (decision.reason == VGFIO_REASON_EXTENSION_MISSING) return refused(std::move(decision));
  VGFIO_ASSIGN_OR_RETURN(AlignedBuffer host,
                         AlignedBuffer::allocate(limits.alignment, limits.alignment));
  std::fill_n(host.data(), host.capacity(), std::byte{0});
  VGFIO_ASSIGN_OR_RETURN(Handle<VkBuffer> buffer,
                         create_fillable_buffer(device, host.capacity()));

  ImportRequest request;
  request.pointer = host.data();
  request.bytes = host.capacity();
  request.region = {host.data(), host.capacity()};
  request.written_by_device = true;
  device.vk().GetBufferMemoryRequirements(device.handle(), buffer.get(), &request.requirements);
  decision = check_import(request, limits);
  if (decision.reason != VGFIO_REASON_NONE) return refused(std::move(decision));
  Result<DeviceMemory> memory =
      import_host_memory(device, request.requirements.memoryTypeBits, decision);
  if (!memory.ok()) return refused(std::move(decision));
  VGFIO_RETURN_IF_ERROR(VGFIO_VK(device.vk(), BindBufferMemory, device.handle(), buffer.get(),
                                 memory->handle.get(), decision.offset));
  VGFIO_RETURN_IF_ERROR(write_pattern(device, buffer.get()));
  if (holds_pattern(host)) return Refusal();
  return Refusal{VGFIO_REASON_IMPORT_DOES_NOT_ALIAS, 0,
                 "the device wrote elsewhere: its imports do not alias host memory"};
}

}  // namespace

Refusal run_import_canary(Device& device) {
  Result<Refusal> outcome = try_import(device);
  if (outcome.ok()) return outcome.take();
  return {VGFIO_REASON_IMPORT_FAILED, 0, outcome.status().detail()};
}

}  // namespace vgfio
