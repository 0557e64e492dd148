#include "vgf/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Resource tensor(ResourceRole role) {
  Resource resource;
  resource.role = role;
  resource.format = VK_FORMAT_R32_SFLOAT;
  resource.shape = {1, 2, 2, 4};
  resource.element_bytes = 4;
  resource.bytes = 64;
  return resource;
}

Resource image(ResourceRole role) {
  Resource resource = tensor(role);
  resource.kind = ResourceKind::kImage;
  resource.descriptor = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  resource.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  resource.element_bytes = 16;
  return resource;
}

Segment segment_on(const std::vector<uint32_t>& resources) {
  Segment segment;
  for (const uint32_t resource : resources) {
    segment.bindings.push_back({0, static_cast<uint32_t>(segment.bindings.size()), resource});
  }
  return segment;
}

// Input 0, output 1, and one segment on both.
Model input_and_output() {
  Model model;
  model.resources = {tensor(ResourceRole::kInput), tensor(ResourceRole::kOutput)};
  model.segments = {segment_on({0, 1})};
  model.inputs = {0};
  model.outputs = {1};
  return model;
}

Plan planned(const Model& model, bool stage_all = false) {
  Result<Plan> plan = plan_session(model, stage_all);
  EXPECT_TRUE(plan.ok()) << plan.status().detail();
  return plan.ok() ? plan.take() : Plan();
}

// "u0 s0 d1": upload of resource 0, segment 0, download of resource 1.
std::string steps_of(const Plan& plan) {
  std::string text;
  for (const Step& step : plan.steps) {
    const char kind = step.kind == Step::Kind::kUpload    ? 'u'
                      : step.kind == Step::Kind::kSegment ? 's'
                                                          : 'd';
    text += (text.empty() ? "" : " ") + std::string(1, kind) + std::to_string(step.index);
  }
  return text;
}

TEST(PlanSession, PackedTensorsAreDirect) {
  const Plan plan = planned(input_and_output());
  EXPECT_EQ(steps_of(plan), "s0");
  for (const ResourcePlan& resource : plan.resources) {
    EXPECT_TRUE(resource.used);
    EXPECT_EQ(resource.host, HostAccess::kDirect);
    EXPECT_EQ(resource.staged_reason, VGFIO_REASON_NONE);
    EXPECT_FALSE(resource.memory_group.has_value());
  }
}

TEST(PlanSession, StageAllUploadsAndDownloadsWithoutAReason) {
  const Plan plan = planned(input_and_output(), true);
  EXPECT_EQ(steps_of(plan), "u0 s0 d1");
  EXPECT_EQ(plan.resources[0].host, HostAccess::kStaged);
  EXPECT_EQ(plan.resources[0].staged_reason, VGFIO_REASON_NONE);
}

TEST(PlanSession, IntermediatesAreNotAtTheBoundaryAndUnusedOnesNotUsed) {
  Model model = input_and_output();
  model.resources.push_back(tensor(ResourceRole::kIntermediate));
  model.resources.push_back(tensor(ResourceRole::kIntermediate));
  model.segments = {segment_on({0, 2}), segment_on({2, 1})};
  const Plan plan = planned(model);
  EXPECT_EQ(steps_of(plan), "s0 s1");
  EXPECT_EQ(plan.resources[2].host, HostAccess::kNone);
  EXPECT_TRUE(plan.resources[2].used);
  EXPECT_FALSE(plan.resources[3].used);
}

TEST(PlanSession, PackedStridesAreDirectOthersStagedWithTheReason) {
  Model model = input_and_output();
  model.resources[0].strides = {64, 32, 16, 4};
  EXPECT_EQ(planned(model).resources[0].host, HostAccess::kDirect);
  model.resources[0].strides = {128, 64, 16, 4};
  const Plan plan = planned(model);
  EXPECT_EQ(plan.resources[0].host, HostAccess::kStaged);
  EXPECT_EQ(plan.resources[0].staged_reason, VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT);
  EXPECT_EQ(steps_of(plan), "u0 s0");
}

TEST(PlanSession, ImagesAndAliasedTensorsAreStagedWithTheirReason) {
  Model model = input_and_output();
  model.resources[0] = image(ResourceRole::kInput);
  model.resources[1].alias_group = 3;
  const Plan plan = planned(model);
  EXPECT_EQ(plan.resources[0].staged_reason, VGFIO_REASON_NOT_A_TENSOR_DESCRIPTOR);
  EXPECT_EQ(plan.resources[1].staged_reason, VGFIO_REASON_ALIASED_RESOURCE);
  EXPECT_EQ(steps_of(plan), "u0 s0 d1");
}

TEST(PlanSession, AliasGroupsShareMemory) {
  Model model = input_and_output();
  for (const uint32_t group : {8U, 5U, 8U}) {
    model.resources.push_back(tensor(ResourceRole::kIntermediate));
    model.resources.back().alias_group = group;
  }
  const Plan plan = planned(model);
  ASSERT_EQ(plan.memory_groups.size(), 2U);
  EXPECT_THAT(plan.memory_groups[0].resources, ElementsAre(2U, 4U));
  EXPECT_THAT(plan.memory_groups[1].resources, ElementsAre(3U));
  EXPECT_EQ(plan.resources[2].memory_group, 0U);
  EXPECT_EQ(plan.resources[3].memory_group, 1U);
  EXPECT_FALSE(plan.memory_groups[0].tensors_and_images);
  EXPECT_FALSE(plan.resources[2].image_aliasing);
}

// A shader writes an image that a graph reads as a tensor: the memory changes
// its layout in between, and back before the next submission.
TEST(PlanSession, ATensorOnAnImageChangesTheLayoutAndGoesBack) {
  Model model = input_and_output();
  model.resources.push_back(image(ResourceRole::kIntermediate));
  model.resources.push_back(tensor(ResourceRole::kIntermediate));
  model.resources[2].alias_group = 0;
  model.resources[3].alias_group = 0;
  model.segments = {segment_on({0, 2}), segment_on({3, 1})};
  const Plan plan = planned(model);
  EXPECT_TRUE(plan.resources[2].image_aliasing);
  EXPECT_TRUE(plan.resources[3].image_aliasing);
  EXPECT_FALSE(plan.resources[0].image_aliasing);
  ASSERT_EQ(plan.memory_groups.size(), 1U);
  EXPECT_TRUE(plan.memory_groups[0].tensors_and_images);
  EXPECT_EQ(plan.memory_groups[0].initial_layout, VK_IMAGE_LAYOUT_GENERAL);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_THAT(plan.steps[0].layouts, IsEmpty());
  ASSERT_EQ(plan.steps[1].layouts.size(), 1U);
  EXPECT_EQ(plan.steps[1].layouts[0].from, VK_IMAGE_LAYOUT_GENERAL);
  EXPECT_EQ(plan.steps[1].layouts[0].to, VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM);
  ASSERT_EQ(plan.final_layouts.size(), 1U);
  EXPECT_EQ(plan.final_layouts[0].from, VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM);
  EXPECT_EQ(plan.final_layouts[0].to, VK_IMAGE_LAYOUT_GENERAL);
}

TEST(PlanSession, TheFirstUseDecidesTheInitialLayout) {
  Model model = input_and_output();
  model.resources.push_back(image(ResourceRole::kIntermediate));
  model.resources.push_back(tensor(ResourceRole::kIntermediate));
  model.resources[2].alias_group = 0;
  model.resources[3].alias_group = 0;
  model.segments = {segment_on({0, 3}), segment_on({2, 1})};
  const Plan plan = planned(model);
  EXPECT_EQ(steps_of(plan), "s0 s1");
  EXPECT_EQ(plan.memory_groups[0].initial_layout, VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM);
}

TEST(PlanSession, ATensorOnAnImageOfItsSizeIsCopiedAsThatImage) {
  Model model = input_and_output();
  model.resources.push_back(image(ResourceRole::kIntermediate));
  model.resources[2].bytes = model.resources[0].bytes;
  model.resources[2].alias_group = 0;
  model.resources[0].alias_group = 0;
  model.segments = {segment_on({2, 1})};
  Plan plan = planned(model);
  EXPECT_EQ(steps_of(plan), "u0 s0");
  EXPECT_EQ(plan.resources[0].copied_as, 2U);
  EXPECT_EQ(plan.resources[0].staged_reason, VGFIO_REASON_ALIASED_RESOURCE);
  EXPECT_EQ(plan.resources[1].copied_as, 1U);
  EXPECT_EQ(plan.memory_groups[0].initial_layout, VK_IMAGE_LAYOUT_GENERAL);
  EXPECT_THAT(plan.final_layouts, IsEmpty());
  model.resources[2].bytes += 16;
  EXPECT_EQ(planned(model).resources[0].copied_as, 0U);
}

TEST(PlanSession, OneSegmentCannotHaveBothLayouts) {
  Model model = input_and_output();
  model.resources.push_back(image(ResourceRole::kIntermediate));
  model.resources.push_back(tensor(ResourceRole::kIntermediate));
  model.resources[2].alias_group = 0;
  model.resources[3].alias_group = 0;
  model.segments = {segment_on({0, 1, 2, 3})};
  const Result<Plan> plan = plan_session(model, false);
  EXPECT_EQ(plan.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(plan.status().detail(), HasSubstr("as an image and as a tensor"));
}

TEST(PlanSession, BuffersNextToImagesNeedNoLayout) {
  Model model = input_and_output();
  model.resources.push_back(image(ResourceRole::kIntermediate));
  model.resources.push_back(tensor(ResourceRole::kIntermediate));
  model.resources[3].kind = ResourceKind::kBuffer;
  model.resources[2].alias_group = 0;
  model.resources[3].alias_group = 0;
  model.segments = {segment_on({0, 2}), segment_on({3, 1})};
  const Plan plan = planned(model);
  EXPECT_FALSE(plan.memory_groups[0].tensors_and_images);
  EXPECT_THAT(plan.final_layouts, IsEmpty());
}

TEST(PlanSession, ConstantsHaveNoAliases) {
  Model model = input_and_output();
  model.resources.push_back(tensor(ResourceRole::kConstant));
  model.resources[2].alias_group = 0;
  const Result<Plan> plan = plan_session(model, false);
  EXPECT_EQ(plan.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(plan.status().detail(), HasSubstr("constant resource 2 is in an alias group"));
}

TEST(PlanSession, OneResourceCannotBeTwoInputs) {
  Model model = input_and_output();
  model.inputs = {0, 0};
  const Result<Plan> plan = plan_session(model, false);
  EXPECT_EQ(plan.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(plan.status().detail(), HasSubstr("resource 0 is two model inputs"));
}

TEST(PlanSession, AConstantCannotBeAnInput) {
  Model model = input_and_output();
  model.resources[0].role = ResourceRole::kConstant;
  const Result<Plan> plan = plan_session(model, false);
  EXPECT_EQ(plan.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(plan.status().detail(), HasSubstr("model input 0 is a constant"));
}

TEST(PlanSession, AConstantThatASegmentBindsNeedsData) {
  Model model = input_and_output();
  model.resources.push_back(tensor(ResourceRole::kConstant));
  model.segments[0].bindings.push_back({0, 2, 2});
  const Result<Plan> plan = plan_session(model, false);
  EXPECT_EQ(plan.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(plan.status().detail(), HasSubstr("constant resource 2 has no data"));
  model.constants = {{2, nullptr, 64, {}}};
  EXPECT_TRUE(planned(model).resources[2].used);
}

TEST(PlanSession, AnOutputThatIsAnInputIsNotDownloaded) {
  Model model = input_and_output();
  model.outputs = {1, 0};
  const Plan plan = planned(model, true);
  EXPECT_EQ(steps_of(plan), "u0 s0 d1");
}

TEST(PlanSession, AnOutputGivenTwiceIsDownloadedOnce) {
  Model model = input_and_output();
  model.outputs = {1, 1};
  EXPECT_EQ(steps_of(planned(model, true)), "u0 s0 d1");
}

TEST(PlanSession, AConstantOutputIsNoWorkForTheDevice) {
  Model model = input_and_output();
  model.resources.push_back(tensor(ResourceRole::kConstant));
  model.outputs = {1, 2};
  const Plan plan = planned(model, true);
  EXPECT_EQ(steps_of(plan), "u0 s0 d1");
  EXPECT_FALSE(plan.resources[2].used);
}

TEST(PlanSession, EliminatedInputsNeedNothing) {
  Model model = input_and_output();
  model.inputs = {std::nullopt, 0, std::nullopt};
  EXPECT_EQ(steps_of(planned(model, true)), "u0 s0 d1");
}

TEST(PackedStrides, InBytes) {
  EXPECT_THAT(packed_strides({2, 3, 4}, 2), ElementsAre(24, 8, 2));
  EXPECT_THAT(packed_strides({1}, 8), ElementsAre(8));
  EXPECT_THAT(packed_strides({}, 8), IsEmpty());
}

}  // namespace
}  // namespace vgfio
