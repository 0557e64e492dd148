// The Vulkan functions that this project calls, in tables that belong to it: no
// prototype is linked, and a test may replace an entry to make it fail.
#pragma once

#include "vulkan/arm_extensions.h"

namespace vgfio {

#define VGFIO_GLOBAL_FUNCTIONS(X) \
  X(CreateInstance)               \
  X(EnumerateInstanceVersion)     \
  X(EnumerateInstanceLayerProperties)

#define VGFIO_INSTANCE_FUNCTIONS(X)         \
  X(DestroyInstance)                        \
  X(EnumeratePhysicalDevices)               \
  X(GetPhysicalDeviceProperties2)           \
  X(GetPhysicalDeviceFeatures2)             \
  X(GetPhysicalDeviceMemoryProperties)      \
  X(GetPhysicalDeviceQueueFamilyProperties) \
  X(EnumerateDeviceExtensionProperties)     \
  X(CreateDevice)                           \
  X(GetDeviceProcAddr)

#define VGFIO_DEVICE_FUNCTIONS(X)                       \
  X(DestroyDevice)                                      \
  X(GetDeviceQueue)                                     \
  X(AllocateMemory)                                     \
  X(FreeMemory)                                         \
  X(MapMemory)                                          \
  X(UnmapMemory)                                        \
  X(CreateBuffer)                                       \
  X(DestroyBuffer)                                      \
  X(GetBufferMemoryRequirements)                        \
  X(BindBufferMemory)                                   \
  X(CreateImage)                                        \
  X(DestroyImage)                                       \
  X(GetImageMemoryRequirements)                         \
  X(BindImageMemory)                                    \
  X(CreateImageView)                                    \
  X(DestroyImageView)                                   \
  X(CreateSampler)                                      \
  X(DestroySampler)                                     \
  X(CreateShaderModule)                                 \
  X(DestroyShaderModule)                                \
  X(CreateDescriptorSetLayout)                          \
  X(DestroyDescriptorSetLayout)                         \
  X(CreateDescriptorPool)                               \
  X(DestroyDescriptorPool)                              \
  X(AllocateDescriptorSets)                             \
  X(UpdateDescriptorSets)                               \
  X(CreatePipelineLayout)                               \
  X(DestroyPipelineLayout)                              \
  X(CreateComputePipelines)                             \
  X(DestroyPipeline)                                    \
  X(CreateCommandPool)                                  \
  X(DestroyCommandPool)                                 \
  X(AllocateCommandBuffers)                             \
  X(FreeCommandBuffers)                                 \
  X(BeginCommandBuffer)                                 \
  X(EndCommandBuffer)                                   \
  X(CmdBindPipeline)                                    \
  X(CmdBindDescriptorSets)                              \
  X(CmdDispatch)                                        \
  X(CmdPushConstants)                                   \
  X(CmdPipelineBarrier2)                                \
  X(CmdCopyBuffer)                                      \
  X(CmdCopyBufferToImage)                               \
  X(CmdCopyImageToBuffer)                               \
  X(CmdFillBuffer)                                      \
  X(CmdResetQueryPool)                                  \
  X(CmdWriteTimestamp2)                                 \
  X(CreateQueryPool)                                    \
  X(DestroyQueryPool)                                   \
  X(GetQueryPoolResults)                                \
  X(CreateFence)                                        \
  X(DestroyFence)                                       \
  X(ResetFences)                                        \
  X(GetFenceStatus)                                     \
  X(WaitForFences)                                      \
  X(QueueSubmit)                                        \
  X(DeviceWaitIdle)                                     \
  X(CreateTensorARM)                                    \
  X(DestroyTensorARM)                                   \
  X(CreateTensorViewARM)                                \
  X(DestroyTensorViewARM)                               \
  X(GetTensorMemoryRequirementsARM)                     \
  X(BindTensorMemoryARM)                                \
  X(CmdCopyTensorARM)                                   \
  X(CreateDataGraphPipelinesARM)                        \
  X(CreateDataGraphPipelineSessionARM)                  \
  X(DestroyDataGraphPipelineSessionARM)                 \
  X(GetDataGraphPipelineSessionBindPointRequirementsARM) \
  X(GetDataGraphPipelineSessionMemoryRequirementsARM)   \
  X(BindDataGraphPipelineSessionMemoryARM)              \
  X(CmdDispatchDataGraphARM)

// Null on a device without the extension; asked for only where it is enabled.
#define VGFIO_OPTIONAL_DEVICE_FUNCTIONS(X) X(GetMemoryHostPointerPropertiesEXT)

#define VGFIO_DECLARE_FUNCTION(name) PFN_vk##name name = nullptr;

struct GlobalFunctions {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  VGFIO_GLOBAL_FUNCTIONS(VGFIO_DECLARE_FUNCTION)
};
struct InstanceFunctions {
  VGFIO_INSTANCE_FUNCTIONS(VGFIO_DECLARE_FUNCTION)
};
struct DeviceFunctions {
  VGFIO_DEVICE_FUNCTIONS(VGFIO_DECLARE_FUNCTION)
  VGFIO_OPTIONAL_DEVICE_FUNCTIONS(VGFIO_DECLARE_FUNCTION)
};

#undef VGFIO_DECLARE_FUNCTION

}  // namespace vgfio
