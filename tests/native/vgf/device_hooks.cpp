#include "device_hooks.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace vgfio::testing {
namespace {

#define VGFIO_ALL(X) VGFIO_DEVICE_FUNCTIONS(X) VGFIO_OPTIONAL_DEVICE_FUNCTIONS(X)

#define VGFIO_ENTRY(name) k##name,
enum Function : FunctionIndex { VGFIO_ALL(VGFIO_ENTRY) kFunctionCount };
#undef VGFIO_ENTRY

#define VGFIO_ENTRY(name) "vk" #name,
constexpr std::array<const char*, kFunctionCount> kNames = {VGFIO_ALL(VGFIO_ENTRY)};
#undef VGFIO_ENTRY

// Vulkan functions have no room for a pointer of ours.
struct State {
  DeviceFunctions real;
  std::array<uint64_t, kFunctionCount> calls{};
  std::array<uint64_t, kFunctionCount> succeeded{};
  FunctionIndex failing = kFunctionCount;
  uint64_t calls_until_failure = 0;
  VkResult result = VK_SUCCESS;
  bool failed = false;
};
State state;

bool fails_now(FunctionIndex function) {
  if (function != state.failing || state.failed || --state.calls_until_failure > 0) return false;
  state.failed = true;
  return true;
}

template <FunctionIndex index, auto Member, typename Pointer>
struct Hook;

template <FunctionIndex index, auto Member, typename R, typename... Args>
struct Hook<index, Member, R(VKAPI_PTR*)(Args...)> {
  static constexpr bool can_fail = std::is_same_v<R, VkResult>;

  static VKAPI_ATTR R VKAPI_CALL call(Args... args) {
    ++state.calls[index];
    if constexpr (can_fail) {
      if (fails_now(index)) return state.result;
      const VkResult result = (state.real.*Member)(args...);
      if (result == VK_SUCCESS) ++state.succeeded[index];
      return result;
    } else {
      ++state.succeeded[index];
      return (state.real.*Member)(args...);
    }
  }
};

#define VGFIO_HOOK(name) Hook<k##name, &DeviceFunctions::name, PFN_vk##name>

void install(DeviceFunctions& functions) {
  state = State();
  state.real = functions;
#define VGFIO_ENTRY(name) \
  if (functions.name != nullptr) functions.name = &VGFIO_HOOK(name)::call;
  VGFIO_ALL(VGFIO_ENTRY)
#undef VGFIO_ENTRY
}

int64_t count(const std::vector<Function>& functions) {
  int64_t sum = 0;
  for (const Function function : functions) {
    sum += static_cast<int64_t>(state.succeeded[function]);
  }
  return sum;
}

}  // namespace

DeviceHooks::DeviceHooks(Device& device) : device_(device) { install(device.mutable_functions()); }

DeviceHooks::~DeviceHooks() { device_.mutable_functions() = state.real; }

std::vector<FunctionIndex> DeviceHooks::that_can_fail() {
  std::vector<FunctionIndex> functions;
#define VGFIO_ENTRY(name) \
  if (VGFIO_HOOK(name)::can_fail) functions.push_back(k##name);
  VGFIO_ALL(VGFIO_ENTRY)
#undef VGFIO_ENTRY
  return functions;
}

std::string DeviceHooks::name(FunctionIndex function) { return kNames[function]; }

FunctionIndex DeviceHooks::index(const std::string& name) {
  return static_cast<FunctionIndex>(
      std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

void DeviceHooks::fail(FunctionIndex function, uint64_t nth, VkResult result) {
  state.failing = function;
  state.calls_until_failure = nth;
  state.result = result;
  state.failed = false;
}

bool DeviceHooks::failed() const { return state.failed; }
uint64_t DeviceHooks::calls(FunctionIndex function) const { return state.calls[function]; }

std::map<std::string, int64_t> DeviceHooks::leaks() const {
  std::map<std::string, int64_t> leaks;
  const auto pair = [&](const char* object, const std::vector<Function>& made,
                        const std::vector<Function>& ended) {
    const int64_t left = count(made) - count(ended);
    if (left != 0) leaks[object] = left;
  };
#define VGFIO_PAIR(object) pair(#object, {kCreate##object}, {kDestroy##object});
  VGFIO_PAIR(Buffer)
  VGFIO_PAIR(Image)
  VGFIO_PAIR(ImageView)
  VGFIO_PAIR(Sampler)
  VGFIO_PAIR(ShaderModule)
  VGFIO_PAIR(DescriptorSetLayout)
  VGFIO_PAIR(DescriptorPool)
  VGFIO_PAIR(PipelineLayout)
  VGFIO_PAIR(CommandPool)
  VGFIO_PAIR(QueryPool)
  VGFIO_PAIR(Fence)
  VGFIO_PAIR(TensorARM)
  VGFIO_PAIR(TensorViewARM)
  VGFIO_PAIR(DataGraphPipelineSessionARM)
#undef VGFIO_PAIR
  pair("Pipeline", {kCreateComputePipelines, kCreateDataGraphPipelinesARM}, {kDestroyPipeline});
  pair("DeviceMemory", {kAllocateMemory}, {kFreeMemory});
  pair("CommandBuffer", {kAllocateCommandBuffers}, {kFreeCommandBuffers});
  return leaks;
}

}  // namespace vgfio::testing
