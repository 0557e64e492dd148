#include "import_watch.h"

#include <algorithm>
#include <set>

namespace vgfio::testing {
namespace {

struct State {
  PFN_vkAllocateMemory allocate = nullptr;
  PFN_vkFreeMemory free = nullptr;
  ImportWatch::Behaviour behaviour = ImportWatch::Behaviour::kPass;
  std::set<VkDeviceMemory> live;
  size_t attempts = 0;
  size_t most = 0;
};

// Vulkan functions have no room for a pointer of ours.
State state;

bool imports_host_memory(const VkMemoryAllocateInfo& info) {
  for (auto* next = static_cast<const VkBaseInStructure*>(info.pNext); next != nullptr;
       next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT) return true;
  }
  return false;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks,
                                        VkDeviceMemory* memory) {
  if (!imports_host_memory(*info)) return state.allocate(device, info, callbacks, memory);
  ++state.attempts;
  if (state.behaviour == ImportWatch::Behaviour::kRefuse) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  VkMemoryAllocateInfo changed = *info;
  if (state.behaviour == ImportWatch::Behaviour::kDrop) changed.pNext = nullptr;
  const VkResult result = state.allocate(device, &changed, callbacks, memory);
  if (result == VK_SUCCESS) state.live.insert(*memory);
  state.most = std::max(state.most, state.live.size());
  return result;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* callbacks) {
  state.live.erase(memory);
  state.free(device, memory, callbacks);
}

}  // namespace

ImportWatch::ImportWatch(Device& device, Behaviour behaviour) : device_(device) {
  DeviceFunctions& functions = device.mutable_functions();
  state = {functions.AllocateMemory, functions.FreeMemory, behaviour, {}, 0, 0};
  functions.AllocateMemory = &allocate;
  functions.FreeMemory = &free_memory;
}

ImportWatch::~ImportWatch() {
  device_.mutable_functions().AllocateMemory = state.allocate;
  device_.mutable_functions().FreeMemory = state.free;
}

void ImportWatch::set_behaviour(Behaviour behaviour) { state.behaviour = behaviour; }
size_t ImportWatch::attempts() const { return state.attempts; }
size_t ImportWatch::live() const { return state.live.size(); }
size_t ImportWatch::most() const { return state.most; }

}  // namespace vgfio::testing
