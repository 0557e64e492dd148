#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vgf/model.h"
#include "vgf_builder.h"

namespace vgfio::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The model points into the bytes.
struct Decoded {
  VgfBytes bytes;
  Model model;
};

Decoded decode(const VgfSpec& spec) {
  Decoded decoded;
  decoded.bytes = build_vgf(spec);
  Result<Model> model = decode_vgf(decoded.bytes.data(), decoded.bytes.size());
  EXPECT_TRUE(model.ok()) << model.status().detail();
  if (model.ok()) decoded.model = model.take();
  return decoded;
}

TEST(DecodeVgf, AGraphWithItsBoundary) {
  const Decoded decoded = decode(two_inputs_one_output());
  const Model& model = decoded.model;
  ASSERT_EQ(model.resources.size(), 3U);
  const Resource& input = model.resources[0];
  EXPECT_EQ(input.role, ResourceRole::kInput);
  EXPECT_EQ(input.kind, ResourceKind::kTensor);
  EXPECT_EQ(input.descriptor, VK_DESCRIPTOR_TYPE_TENSOR_ARM);
  EXPECT_EQ(input.format, VK_FORMAT_R32_SFLOAT);
  EXPECT_THAT(input.shape, ElementsAre(4));
  EXPECT_THAT(input.strides, IsEmpty());
  EXPECT_EQ(input.element_bytes, 4U);
  EXPECT_EQ(input.bytes, 16U);
  EXPECT_FALSE(input.alias_group.has_value());
  EXPECT_FALSE(input.sampler.has_value());
  EXPECT_EQ(model.resources[2].role, ResourceRole::kOutput);
  EXPECT_THAT(model.inputs, ElementsAre(0U, 1U));
  EXPECT_THAT(model.outputs, ElementsAre(2U));
}

TEST(DecodeVgf, ASegmentWithItsCodeAndBindings) {
  const Decoded decoded = decode(two_inputs_one_output());
  ASSERT_EQ(decoded.model.segments.size(), 1U);
  const Segment& segment = decoded.model.segments[0];
  EXPECT_EQ(segment.kind, SegmentKind::kGraph);
  EXPECT_EQ(segment.name, "segment");
  EXPECT_EQ(segment.entry_point, "main");
  ASSERT_EQ(segment.code_words, 5U);
  EXPECT_EQ(segment.code[0], 0x07230203U);
  ASSERT_EQ(segment.bindings.size(), 3U);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(segment.bindings[i].set, 0U);
    EXPECT_EQ(segment.bindings[i].binding, i);
    EXPECT_EQ(segment.bindings[i].resource, i);
  }
  EXPECT_THAT(segment.inputs, ElementsAre(0U, 1U));
  EXPECT_THAT(segment.outputs, ElementsAre(2U));
}

TEST(DecodeVgf, SeveralSegmentsThatShareAnIntermediate) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources.push_back({ResourceRole::kIntermediate, {2, 3}, VK_FORMAT_R8_SINT});
  SegmentSpec compute;
  compute.kind = SegmentKind::kCompute;
  compute.name = "second";
  compute.sets = {{0, {{0, 3}}}, {2, {{7, 2}}}};
  compute.dispatch = {3, 2, 5};
  compute.push_constants = {{VK_SHADER_STAGE_COMPUTE_BIT, 4, 12}};
  spec.segments[0].sets = {{0, {{0, 0}, {1, 1}, {2, 3}}}};
  spec.segments.push_back(compute);
  const Decoded decoded = decode(spec);
  ASSERT_EQ(decoded.model.segments.size(), 2U);
  EXPECT_EQ(decoded.model.resources[3].role, ResourceRole::kIntermediate);
  EXPECT_EQ(decoded.model.resources[3].bytes, 6U);
  EXPECT_THAT(decoded.model.segments[0].outputs, IsEmpty());

  const Segment& second = decoded.model.segments[1];
  EXPECT_EQ(second.kind, SegmentKind::kCompute);
  EXPECT_EQ(second.name, "second");
  EXPECT_THAT(second.dispatch, ElementsAre(3U, 2U, 5U));
  ASSERT_EQ(second.bindings.size(), 2U);
  EXPECT_EQ(second.bindings[1].set, 2U);
  EXPECT_EQ(second.bindings[1].binding, 7U);
  ASSERT_EQ(second.push_constants.size(), 1U);
  EXPECT_EQ(second.push_constants[0].stages, VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT});
  EXPECT_EQ(second.push_constants[0].offset, 4U);
  EXPECT_EQ(second.push_constants[0].size, 12U);
}

TEST(DecodeVgf, ConstantsDenseAndSparse) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources.push_back({ResourceRole::kConstant, {3}});
  spec.resources.push_back({ResourceRole::kConstant, {2, 4}});
  spec.constants = {{3, {1, 2, 3}}, {4, {1, 0, 2, 0, 3, 0, 4, 0}, 1}};
  spec.segments[0].constants = {{9, 0}, {4, 1}};
  const Decoded decoded = decode(spec);
  const Model& model = decoded.model;
  ASSERT_EQ(model.constants.size(), 2U);
  EXPECT_EQ(model.constants[0].resource, 3U);
  EXPECT_EQ(model.constants[0].bytes, 12U);
  EXPECT_EQ(reinterpret_cast<const float*>(model.constants[0].data)[2], 3.0F);
  EXPECT_FALSE(model.constants[0].sparse_dimension.has_value());
  EXPECT_EQ(model.constants[1].sparse_dimension, 1U);
  EXPECT_EQ(model.resources[3].role, ResourceRole::kConstant);
  EXPECT_EQ(model.resources[3].kind, ResourceKind::kTensor);
  const Segment& segment = model.segments[0];
  ASSERT_EQ(segment.constants.size(), 2U);
  EXPECT_EQ(segment.constants[0].id, 9U);
  EXPECT_EQ(segment.constants[0].constant, 0U);
  EXPECT_EQ(segment.constants[1].id, 4U);
}

TEST(DecodeVgf, BuffersAndUniformBuffers) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[0].descriptor = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  spec.resources[1].descriptor = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  const Decoded decoded = decode(spec);
  EXPECT_EQ(decoded.model.resources[0].kind, ResourceKind::kBuffer);
  EXPECT_EQ(decoded.model.resources[1].kind, ResourceKind::kBuffer);
  EXPECT_EQ(decoded.model.resources[1].descriptor, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
}

TEST(DecodeVgf, ImagesWithSamplers) {
  VgfSpec spec = two_inputs_one_output();
  SamplerSpec sampler;
  sampler.min_filter = VK_FILTER_LINEAR;
  sampler.address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  sampler.border = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  spec.resources[0] = {ResourceRole::kInput, {1, 3, 5, 4}, VK_FORMAT_R8G8B8A8_UNORM,
                       VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, {}, {}, sampler};
  spec.resources[2] = {ResourceRole::kOutput, {3, 5, 1}, VK_FORMAT_R32_SFLOAT,
                       VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
  const Decoded decoded = decode(spec);
  const Resource& image = decoded.model.resources[0];
  EXPECT_EQ(image.kind, ResourceKind::kImage);
  EXPECT_EQ(image.bytes, 3U * 5U * 4U);  // the channels are inside the texels
  EXPECT_EQ(image_extent(image).width, 5U);
  EXPECT_EQ(image_extent(image).height, 3U);
  ASSERT_TRUE(image.sampler.has_value());
  EXPECT_EQ(image.sampler->min_filter, VK_FILTER_LINEAR);
  EXPECT_EQ(image.sampler->mag_filter, VK_FILTER_NEAREST);
  EXPECT_EQ(image.sampler->address_u, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
  EXPECT_EQ(image.sampler->address_v, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
  EXPECT_EQ(image.sampler->border, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
  const Resource& output = decoded.model.resources[2];
  EXPECT_EQ(output.bytes, 3U * 5U * 4U);
  EXPECT_EQ(image_extent(output).width, 5U);
}

TEST(DecodeVgf, AliasGroups) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[0].alias_group = 7;
  spec.resources[2].alias_group = 7;
  const Decoded decoded = decode(spec);
  EXPECT_EQ(decoded.model.resources[0].alias_group, 7U);
  EXPECT_FALSE(decoded.model.resources[1].alias_group.has_value());
  EXPECT_EQ(decoded.model.resources[2].alias_group, 7U);
}

TEST(DecodeVgf, RankZeroIsOneElementAndStridesAreKept) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[0].shape = {};
  spec.resources[1] = {ResourceRole::kInput, {2, 3}, VK_FORMAT_R16_SFLOAT,
                       int{VK_DESCRIPTOR_TYPE_TENSOR_ARM}, {16, 2}};
  const Decoded decoded = decode(spec);
  EXPECT_THAT(decoded.model.resources[0].shape, ElementsAre(1));
  EXPECT_EQ(decoded.model.resources[0].bytes, 4U);
  EXPECT_THAT(decoded.model.resources[1].strides, ElementsAre(16, 2));
  EXPECT_EQ(decoded.model.resources[1].bytes, 12U);  // packed, whatever the strides
}

// As the converter writes it: the sequence lists the inputs that are left, with
// the number of the model input as their binding, and the names of all.
TEST(DecodeVgf, EliminatedInputsLeaveGaps) {
  VgfSpec spec = two_inputs_one_output();
  spec.inputs = {{1, 0}, {3, 1}};
  spec.input_names = {"a", "b", "c", "d"};
  const Decoded decoded = decode(spec);
  EXPECT_THAT(decoded.model.inputs,
              ElementsAre(std::nullopt, std::optional<uint32_t>(0), std::nullopt,
                          std::optional<uint32_t>(1)));
}

TEST(DecodeVgf, InputsWithoutNamesAreInTheirOrder) {
  VgfSpec spec = two_inputs_one_output();
  spec.inputs = {{5, 1}, {3, 0}};
  spec.input_names = {};
  EXPECT_THAT(decode(spec).model.inputs, ElementsAre(1U, 0U));
}

TEST(DecodeVgf, NoInputsAtAll) {
  VgfSpec spec = two_inputs_one_output();
  spec.inputs = {};
  spec.input_names = {};
  EXPECT_THAT(decode(spec).model.inputs, IsEmpty());
}

}  // namespace
}  // namespace vgfio::testing
