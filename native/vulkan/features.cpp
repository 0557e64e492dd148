#include "vulkan/features.h"

namespace vgfio {

FeatureChain::FeatureChain() {
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  tensor.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM;
  data_graph.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_FEATURES_ARM;
  core.pNext = &v11;
  v11.pNext = &v12;
  v12.pNext = &v13;
  v13.pNext = &tensor;
  tensor.pNext = &data_graph;
}

void FeatureChain::leave_out_arm() { v13.pNext = nullptr; }

const std::vector<Feature>& known_features() {
#define VGFIO_FEATURE(part, name, required) \
  {#name, required, [](FeatureChain& chain) -> VkBool32& { return chain.part.name; }}
  // The optional ones are what shaders inside a VGF, or the emulation layers'
  // own shaders, may use.
  static const std::vector<Feature> features = {
      VGFIO_FEATURE(tensor, tensors, true),
      VGFIO_FEATURE(data_graph, dataGraph, true),
      VGFIO_FEATURE(v13, synchronization2, true),
      VGFIO_FEATURE(v13, maintenance4, false),
      VGFIO_FEATURE(v13, shaderIntegerDotProduct, false),
      VGFIO_FEATURE(v13, computeFullSubgroups, false),
      VGFIO_FEATURE(v13, subgroupSizeControl, false),
      VGFIO_FEATURE(v12, hostQueryReset, false),
      VGFIO_FEATURE(v12, storageBuffer8BitAccess, false),
      VGFIO_FEATURE(v12, uniformAndStorageBuffer8BitAccess, false),
      VGFIO_FEATURE(v12, shaderInt8, false),
      VGFIO_FEATURE(v12, shaderFloat16, false),
      VGFIO_FEATURE(v12, vulkanMemoryModel, false),
      VGFIO_FEATURE(v12, vulkanMemoryModelDeviceScope, false),
      VGFIO_FEATURE(v12, scalarBlockLayout, false),
      VGFIO_FEATURE(v12, runtimeDescriptorArray, false),
      VGFIO_FEATURE(v12, timelineSemaphore, false),
      VGFIO_FEATURE(v11, storageBuffer16BitAccess, false),
      VGFIO_FEATURE(v11, uniformAndStorageBuffer16BitAccess, false),
      VGFIO_FEATURE(tensor, tensorNonPacked, false),
      VGFIO_FEATURE(tensor, shaderTensorAccess, false),
      VGFIO_FEATURE(tensor, shaderStorageTensorArrayDynamicIndexing, false),
      VGFIO_FEATURE(data_graph, dataGraphSpecializationConstants, false),
      VGFIO_FEATURE(data_graph, dataGraphShaderModule, false),
      VGFIO_FEATURE(core.features, shaderInt16, false),
      VGFIO_FEATURE(core.features, shaderInt64, false),
      VGFIO_FEATURE(core.features, shaderFloat64, false),
      VGFIO_FEATURE(core.features, shaderStorageImageExtendedFormats, false),
      VGFIO_FEATURE(core.features, shaderStorageImageReadWithoutFormat, false),
      VGFIO_FEATURE(core.features, shaderStorageImageWriteWithoutFormat, false),
  };
#undef VGFIO_FEATURE
  return features;
}

std::set<std::string> feature_names(FeatureChain& chain) {
  std::set<std::string> names;
  for (const Feature& feature : known_features()) {
    if (feature.field(chain) == VK_TRUE) names.insert(feature.name);
  }
  return names;
}

void set_features(const std::set<std::string>& names, FeatureChain& chain) {
  for (const Feature& feature : known_features()) {
    if (names.count(feature.name) > 0) feature.field(chain) = VK_TRUE;
  }
}

}  // namespace vgfio
