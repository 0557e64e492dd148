// Vulkan with VK_ARM_tensors and VK_ARM_data_graph, also where the installed
// headers are too old to know them. Each extension is declared only if its own
// macro is missing, and only as far as this project uses it. The numbers are
// the registry's (extensions 460 and 507); tests/python/test_headers.py
// compares them with newer headers where those are installed.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#ifndef VK_ARM_tensors
#define VK_ARM_tensors 1

VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkTensorARM)
VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkTensorViewARM)

#define VK_ARM_TENSORS_EXTENSION_NAME "VK_ARM_tensors"

inline constexpr auto VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM = VkStructureType(1000460000);
inline constexpr auto VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM = VkStructureType(1000460001);
inline constexpr auto VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM = VkStructureType(1000460002);
inline constexpr auto VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM =
    VkStructureType(1000460003);
inline constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM =
    VkStructureType(1000460004);
inline constexpr auto VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM = VkStructureType(1000460006);
inline constexpr auto VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM =
    VkStructureType(1000460007);
inline constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM =
    VkStructureType(1000460009);
inline constexpr auto VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM = VkStructureType(1000460011);
inline constexpr auto VK_STRUCTURE_TYPE_TENSOR_COPY_ARM = VkStructureType(1000460012);
inline constexpr auto VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_TENSOR_CREATE_INFO_ARM =
    VkStructureType(1000460017);

inline constexpr auto VK_DESCRIPTOR_TYPE_TENSOR_ARM = VkDescriptorType(1000460000);
inline constexpr auto VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM = VkImageLayout(1000460000);
inline constexpr auto VK_IMAGE_USAGE_TENSOR_ALIASING_BIT_ARM = VkImageUsageFlagBits(0x00800000);

enum VkTensorTilingARM {
  VK_TENSOR_TILING_OPTIMAL_ARM = 0,
  VK_TENSOR_TILING_LINEAR_ARM = 1,
  VK_TENSOR_TILING_MAX_ENUM_ARM = 0x7FFFFFFF
};

using VkTensorCreateFlagsARM = VkFlags64;
using VkTensorViewCreateFlagsARM = VkFlags64;
using VkTensorUsageFlagsARM = VkFlags64;
inline constexpr VkTensorUsageFlagsARM VK_TENSOR_USAGE_SHADER_BIT_ARM = 0x02;
inline constexpr VkTensorUsageFlagsARM VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM = 0x04;
inline constexpr VkTensorUsageFlagsARM VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM = 0x08;
inline constexpr VkTensorUsageFlagsARM VK_TENSOR_USAGE_IMAGE_ALIASING_BIT_ARM = 0x10;
inline constexpr VkTensorUsageFlagsARM VK_TENSOR_USAGE_DATA_GRAPH_BIT_ARM = 0x20;

struct VkTensorDescriptionARM {
  VkStructureType sType;
  const void* pNext;
  VkTensorTilingARM tiling;
  VkFormat format;
  uint32_t dimensionCount;
  const int64_t* pDimensions;
  const int64_t* pStrides;
  VkTensorUsageFlagsARM usage;
};

struct VkTensorCreateInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkTensorCreateFlagsARM flags;
  const VkTensorDescriptionARM* pDescription;
  VkSharingMode sharingMode;
  uint32_t queueFamilyIndexCount;
  const uint32_t* pQueueFamilyIndices;
};

struct VkTensorViewCreateInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkTensorViewCreateFlagsARM flags;
  VkTensorARM tensor;
  VkFormat format;
};

struct VkTensorMemoryRequirementsInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkTensorARM tensor;
};

struct VkBindTensorMemoryInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkTensorARM tensor;
  VkDeviceMemory memory;
  VkDeviceSize memoryOffset;
};

struct VkWriteDescriptorSetTensorARM {
  VkStructureType sType;
  const void* pNext;
  uint32_t tensorViewCount;
  const VkTensorViewARM* pTensorViews;
};

struct VkPhysicalDeviceTensorPropertiesARM {
  VkStructureType sType;
  void* pNext;
  uint32_t maxTensorDimensionCount;
  uint64_t maxTensorElements;
  uint64_t maxPerDimensionTensorElements;
  int64_t maxTensorStride;
  uint64_t maxTensorSize;
  uint32_t maxTensorShaderAccessArrayLength;
  uint32_t maxTensorShaderAccessSize;
  uint32_t maxDescriptorSetStorageTensors;
  uint32_t maxPerStageDescriptorSetStorageTensors;
  uint32_t maxDescriptorSetUpdateAfterBindStorageTensors;
  uint32_t maxPerStageDescriptorUpdateAfterBindStorageTensors;
  VkBool32 shaderStorageTensorArrayNonUniformIndexingNative;
  VkShaderStageFlags shaderTensorSupportedStages;
};

struct VkPhysicalDeviceTensorFeaturesARM {
  VkStructureType sType;
  void* pNext;
  VkBool32 tensorNonPacked;
  VkBool32 shaderTensorAccess;
  VkBool32 shaderStorageTensorArrayDynamicIndexing;
  VkBool32 shaderStorageTensorArrayNonUniformIndexing;
  VkBool32 descriptorBindingStorageTensorUpdateAfterBind;
  VkBool32 tensors;
};

struct VkTensorCopyARM {
  VkStructureType sType;
  const void* pNext;
  uint32_t dimensionCount;
  const uint64_t* pSrcOffset;
  const uint64_t* pDstOffset;
  const uint64_t* pExtent;
};

struct VkCopyTensorInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkTensorARM srcTensor;
  VkTensorARM dstTensor;
  uint32_t regionCount;
  const VkTensorCopyARM* pRegions;
};

struct VkExternalMemoryTensorCreateInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkExternalMemoryHandleTypeFlags handleTypes;
};

using PFN_vkCreateTensorARM = VkResult(VKAPI_PTR*)(VkDevice, const VkTensorCreateInfoARM*,
                                                   const VkAllocationCallbacks*, VkTensorARM*);
using PFN_vkDestroyTensorARM = void(VKAPI_PTR*)(VkDevice, VkTensorARM,
                                                const VkAllocationCallbacks*);
using PFN_vkCreateTensorViewARM = VkResult(VKAPI_PTR*)(VkDevice, const VkTensorViewCreateInfoARM*,
                                                       const VkAllocationCallbacks*,
                                                       VkTensorViewARM*);
using PFN_vkDestroyTensorViewARM = void(VKAPI_PTR*)(VkDevice, VkTensorViewARM,
                                                    const VkAllocationCallbacks*);
using PFN_vkGetTensorMemoryRequirementsARM =
    void(VKAPI_PTR*)(VkDevice, const VkTensorMemoryRequirementsInfoARM*, VkMemoryRequirements2*);
using PFN_vkBindTensorMemoryARM = VkResult(VKAPI_PTR*)(VkDevice, uint32_t,
                                                       const VkBindTensorMemoryInfoARM*);
using PFN_vkCmdCopyTensorARM = void(VKAPI_PTR*)(VkCommandBuffer, const VkCopyTensorInfoARM*);

#endif  // VK_ARM_tensors

#ifndef VK_ARM_data_graph
#define VK_ARM_data_graph 1

VK_DEFINE_NON_DISPATCHABLE_HANDLE(VkDataGraphPipelineSessionARM)

#define VK_ARM_DATA_GRAPH_EXTENSION_NAME "VK_ARM_data_graph"

inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CREATE_INFO_ARM =
    VkStructureType(1000507000);
inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_CREATE_INFO_ARM =
    VkStructureType(1000507001);
inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_RESOURCE_INFO_ARM =
    VkStructureType(1000507002);
inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_ARM =
    VkStructureType(1000507003);
inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_MEMORY_REQUIREMENTS_INFO_ARM =
    VkStructureType(1000507004);
inline constexpr auto VK_STRUCTURE_TYPE_BIND_DATA_GRAPH_PIPELINE_SESSION_MEMORY_INFO_ARM =
    VkStructureType(1000507005);
inline constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_FEATURES_ARM =
    VkStructureType(1000507006);
inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SHADER_MODULE_CREATE_INFO_ARM =
    VkStructureType(1000507007);
inline constexpr auto
    VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENTS_INFO_ARM =
        VkStructureType(1000507011);
inline constexpr auto VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_REQUIREMENT_ARM =
    VkStructureType(1000507012);
inline constexpr auto
    VK_STRUCTURE_TYPE_DATA_GRAPH_PIPELINE_CONSTANT_TENSOR_SEMI_STRUCTURED_SPARSITY_INFO_ARM =
        VkStructureType(1000507015);

inline constexpr auto VK_PIPELINE_BIND_POINT_DATA_GRAPH_ARM = VkPipelineBindPoint(1000507000);
inline constexpr auto VK_QUEUE_DATA_GRAPH_BIT_ARM = VkQueueFlagBits(0x00000400);
inline constexpr VkPipelineStageFlags2 VK_PIPELINE_STAGE_2_DATA_GRAPH_BIT_ARM = 0x40000000000ULL;
inline constexpr VkAccessFlags2 VK_ACCESS_2_DATA_GRAPH_READ_BIT_ARM = 0x800000000000ULL;
inline constexpr VkAccessFlags2 VK_ACCESS_2_DATA_GRAPH_WRITE_BIT_ARM = 0x1000000000000ULL;

enum VkDataGraphPipelineSessionBindPointARM {
  VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TRANSIENT_ARM = 0,
  VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_MAX_ENUM_ARM = 0x7FFFFFFF
};
enum VkDataGraphPipelineSessionBindPointTypeARM {
  VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TYPE_MEMORY_ARM = 0,
  VK_DATA_GRAPH_PIPELINE_SESSION_BIND_POINT_TYPE_MAX_ENUM_ARM = 0x7FFFFFFF
};

using VkDataGraphPipelineSessionCreateFlagsARM = VkFlags64;

struct VkPhysicalDeviceDataGraphFeaturesARM {
  VkStructureType sType;
  void* pNext;
  VkBool32 dataGraph;
  VkBool32 dataGraphUpdateAfterBind;
  VkBool32 dataGraphSpecializationConstants;
  VkBool32 dataGraphDescriptorBuffer;
  VkBool32 dataGraphShaderModule;
};

struct VkDataGraphPipelineConstantARM {
  VkStructureType sType;
  const void* pNext;
  uint32_t id;
  const void* pConstantData;
};

struct VkDataGraphPipelineConstantTensorSemiStructuredSparsityInfoARM {
  VkStructureType sType;
  const void* pNext;
  uint32_t dimension;
  uint32_t zeroCount;
  uint32_t groupSize;
};

struct VkDataGraphPipelineResourceInfoARM {
  VkStructureType sType;
  const void* pNext;
  uint32_t descriptorSet;
  uint32_t binding;
  uint32_t arrayElement;
};

struct VkDataGraphPipelineShaderModuleCreateInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkShaderModule module;
  const char* pName;
  const VkSpecializationInfo* pSpecializationInfo;
  uint32_t constantCount;
  const VkDataGraphPipelineConstantARM* pConstants;
};

struct VkDataGraphPipelineCreateInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkFlags64 flags;
  VkPipelineLayout layout;
  uint32_t resourceInfoCount;
  const VkDataGraphPipelineResourceInfoARM* pResourceInfos;
};

struct VkDataGraphPipelineSessionCreateInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkDataGraphPipelineSessionCreateFlagsARM flags;
  VkPipeline dataGraphPipeline;
};

struct VkDataGraphPipelineSessionBindPointRequirementsInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkDataGraphPipelineSessionARM session;
};

struct VkDataGraphPipelineSessionBindPointRequirementARM {
  VkStructureType sType;
  void* pNext;
  VkDataGraphPipelineSessionBindPointARM bindPoint;
  VkDataGraphPipelineSessionBindPointTypeARM bindPointType;
  uint32_t numObjects;
};

struct VkDataGraphPipelineSessionMemoryRequirementsInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkDataGraphPipelineSessionARM session;
  VkDataGraphPipelineSessionBindPointARM bindPoint;
  uint32_t objectIndex;
};

struct VkBindDataGraphPipelineSessionMemoryInfoARM {
  VkStructureType sType;
  const void* pNext;
  VkDataGraphPipelineSessionARM session;
  VkDataGraphPipelineSessionBindPointARM bindPoint;
  uint32_t objectIndex;
  VkDeviceMemory memory;
  VkDeviceSize memoryOffset;
};

struct VkDataGraphPipelineDispatchInfoARM;  // never passed: the default dispatch is used

using PFN_vkCreateDataGraphPipelinesARM =
    VkResult(VKAPI_PTR*)(VkDevice, VkDeferredOperationKHR, VkPipelineCache, uint32_t,
                         const VkDataGraphPipelineCreateInfoARM*, const VkAllocationCallbacks*,
                         VkPipeline*);
using PFN_vkCreateDataGraphPipelineSessionARM =
    VkResult(VKAPI_PTR*)(VkDevice, const VkDataGraphPipelineSessionCreateInfoARM*,
                         const VkAllocationCallbacks*, VkDataGraphPipelineSessionARM*);
using PFN_vkDestroyDataGraphPipelineSessionARM =
    void(VKAPI_PTR*)(VkDevice, VkDataGraphPipelineSessionARM, const VkAllocationCallbacks*);
using PFN_vkGetDataGraphPipelineSessionBindPointRequirementsARM =
    VkResult(VKAPI_PTR*)(VkDevice, const VkDataGraphPipelineSessionBindPointRequirementsInfoARM*,
                         uint32_t*, VkDataGraphPipelineSessionBindPointRequirementARM*);
using PFN_vkGetDataGraphPipelineSessionMemoryRequirementsARM =
    void(VKAPI_PTR*)(VkDevice, const VkDataGraphPipelineSessionMemoryRequirementsInfoARM*,
                     VkMemoryRequirements2*);
using PFN_vkBindDataGraphPipelineSessionMemoryARM =
    VkResult(VKAPI_PTR*)(VkDevice, uint32_t, const VkBindDataGraphPipelineSessionMemoryInfoARM*);
using PFN_vkCmdDispatchDataGraphARM = void(VKAPI_PTR*)(VkCommandBuffer,
                                                       VkDataGraphPipelineSessionARM,
                                                       const VkDataGraphPipelineDispatchInfoARM*);

#endif  // VK_ARM_data_graph
