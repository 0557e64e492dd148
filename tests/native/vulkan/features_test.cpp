#include "vulkan/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::UnorderedElementsAre;

std::vector<VkStructureType> chained_types(const FeatureChain& chain) {
  std::vector<VkStructureType> types;
  for (auto* next = reinterpret_cast<const VkBaseInStructure*>(&chain.core); next != nullptr;
       next = next->pNext) {
    types.push_back(next->sType);
  }
  return types;
}

TEST(Features, EachNameOnceAndEachFieldOnce) {
  FeatureChain chain;
  std::set<std::string> names;
  std::set<const VkBool32*> fields;
  for (const Feature& feature : known_features()) {
    EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
    EXPECT_TRUE(fields.insert(&feature.field(chain)).second) << feature.name;
  }
}

TEST(Features, GoIntoAChainByNameAndComeBack) {
  for (const Feature& feature : known_features()) {
    FeatureChain chain;
    EXPECT_TRUE(feature_names(chain).empty());
    set_features({feature.name}, chain);
    EXPECT_THAT(feature_names(chain), UnorderedElementsAre(feature.name));
  }
}

TEST(Features, UnknownNamesChangeNothing) {
  FeatureChain chain;
  set_features({"geometryShader", ""}, chain);
  EXPECT_TRUE(feature_names(chain).empty());
  EXPECT_EQ(chain.core.features.geometryShader, VK_FALSE);
}

TEST(Features, TheFieldIsTheOneOfThatName) {
  FeatureChain chain;
  set_features({"tensors", "dataGraph", "synchronization2", "shaderInt8", "shaderInt16"}, chain);
  EXPECT_EQ(chain.tensor.tensors, VK_TRUE);
  EXPECT_EQ(chain.data_graph.dataGraph, VK_TRUE);
  EXPECT_EQ(chain.v13.synchronization2, VK_TRUE);
  EXPECT_EQ(chain.v12.shaderInt8, VK_TRUE);
  EXPECT_EQ(chain.core.features.shaderInt16, VK_TRUE);
}

TEST(Features, ChainNamesEveryStructureAndCanLeaveOutTheArmOnes) {
  FeatureChain chain;
  const std::vector<VkStructureType> core = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
  };
  std::vector<VkStructureType> all = core;
  all.push_back(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM);
  all.push_back(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DATA_GRAPH_FEATURES_ARM);
  EXPECT_EQ(chained_types(chain), all);
  chain.leave_out_arm();
  EXPECT_EQ(chained_types(chain), core);
}

}  // namespace
}  // namespace vgfio
