// Device features by name: which ones this project can use, which it needs, and
// where each lives in the pNext chain.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "vulkan/arm_extensions.h"

namespace vgfio {

// The feature structures, chained for vkGetPhysicalDeviceFeatures2 or for
// VkDeviceCreateInfo. Not copyable: the chain points into it.
struct FeatureChain {
  FeatureChain();
  FeatureChain(const FeatureChain&) = delete;
  FeatureChain& operator=(const FeatureChain&) = delete;

  // Takes the ARM structures out of the chain, for devices without them.
  void leave_out_arm();

  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDeviceVulkan13Features v13{};
  VkPhysicalDeviceTensorFeaturesARM tensor{};
  VkPhysicalDeviceDataGraphFeaturesARM data_graph{};
};

struct Feature {
  const char* name;
  bool required;  // without it no VGF runs; the others are enabled where present
  VkBool32& (*field)(FeatureChain&);
};

const std::vector<Feature>& known_features();

// Names of the known features that are set in a chain, and the reverse.
std::set<std::string> feature_names(FeatureChain& chain);
void set_features(const std::set<std::string>& names, FeatureChain& chain);

}  // namespace vgfio
