// Nothing that is wrong with a file may crash the decoder, and each thing has
// its own message. Run under the sanitizers as well: most of what could go wrong
// here is a read past the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "vgf/model.h"
#include "vgf/plan.h"
#include "vgf_builder.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

Status decode(const VgfBytes& bytes) { return decode_vgf(bytes.data(), bytes.size()).status(); }

void expect_refused(const VgfSpec& spec, const std::string& message,
                    StatusCode code = VGFIO_INVALID_REQUEST) {
  const Status status = decode(build_vgf(spec));
  EXPECT_EQ(status.code(), code) << status.detail();
  EXPECT_THAT(status.detail(), HasSubstr(message));
}

// Everything that a VGF can hold.
VgfSpec rich_vgf() {
  VgfSpec spec = two_inputs_one_output();
  spec.resources.push_back({ResourceRole::kConstant, {2, 4}});
  spec.resources.push_back({ResourceRole::kIntermediate, {1, 3, 5, 4}, VK_FORMAT_R8G8B8A8_UNORM,
                            VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, {}, 1U, SamplerSpec()});
  spec.resources.push_back({ResourceRole::kIntermediate, {3, 5, 4}, VK_FORMAT_R8_SINT,
                            int{VK_DESCRIPTOR_TYPE_TENSOR_ARM}, {}, 1U});
  spec.constants = {{3, {1, 0, 2, 0, 3, 0, 4, 0}, 1}};
  spec.segments[0].constants = {{0, 0}};
  SegmentSpec compute;
  compute.kind = SegmentKind::kCompute;
  compute.sets = {{0, {{0, 4}}}, {1, {{0, 2}}}};
  compute.push_constants = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4}};
  spec.segments.push_back(compute);
  return spec;
}

TEST(MalformedVgf, TheRichOneIsFine) {
  EXPECT_EQ(decode(build_vgf(rich_vgf())).detail(), "");
}

TEST(MalformedVgf, CutAtEverySixteenth) {
  const VgfBytes whole = build_vgf(rich_vgf());
  for (size_t part = 0; part < 16; ++part) {
    const Status status = decode(whole.cut(whole.size() * part / 16));
    EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST) << part << "/16: " << status.detail();
    EXPECT_THAT(status.detail(), HasSubstr("malformed VGF")) << part << "/16";
  }
}

// A flipped byte may leave a valid file. Then it must also be plannable or
// refused.
TEST(MalformedVgf, FiveHundredRandomBytes) {
  const VgfBytes whole = build_vgf(rich_vgf());
  std::mt19937 random(20240229);
  size_t refused = 0;
  for (int i = 0; i < 500; ++i) {
    VgfBytes flipped = whole;
    flipped.mutable_data()[random() % whole.size()] = static_cast<uint8_t>(random());
    const Result<Model> model = decode_vgf(flipped.data(), flipped.size());
    const Status status = model.ok() ? plan_session(*model, false).status() : model.status();
    if (status.ok()) continue;
    ++refused;
    EXPECT_NE(status.detail(), "") << "flip " << i;
    EXPECT_TRUE(status.code() == VGFIO_INVALID_REQUEST || status.code() == VGFIO_UNSUPPORTED)
        << "flip " << i << ": " << status.detail();
  }
  EXPECT_GT(refused, 0U);
}

TEST(MalformedVgf, RandomBytesAndNone) {
  EXPECT_THAT(decode(VgfBytes("")).detail(), HasSubstr("shorter than its header"));
  EXPECT_THAT(decode(VgfBytes(std::string(4096, 'x'))).detail(), HasSubstr("no VGF header"));
}

TEST(MalformedVgf, ASectionPastTheEnd) {
  VgfBytes bytes = build_vgf(two_inputs_one_output());
  bytes.mutable_data()[31] = 1;  // highest byte of the first section's size
  EXPECT_THAT(decode(bytes).detail(), HasSubstr("a section reaches past the end"));
}

TEST(MalformedVgf, NoSegment) {
  VgfSpec spec = two_inputs_one_output();
  spec.segments = {};
  expect_refused(spec, "malformed VGF: no segment");
}

TEST(MalformedVgf, BindingsOutOfRange) {
  VgfSpec spec = two_inputs_one_output();
  spec.segments[0].sets[0].slots[1].resource = 3;
  expect_refused(spec, "a binding names a resource out of range");
  spec = two_inputs_one_output();
  spec.inputs[0].resource = 1000;
  expect_refused(spec, "a binding names a resource out of range");
  spec = two_inputs_one_output();
  spec.outputs[0].resource = 0xFFFFFFFF;
  expect_refused(spec, "a binding names a resource out of range");
}

TEST(MalformedVgf, ConstantsOutOfRange) {
  VgfSpec spec = rich_vgf();
  spec.constants[0].resource = 6;
  expect_refused(spec, "constant 0 has no resource");
  spec = rich_vgf();
  spec.segments[0].constants[0].constant = 1;
  expect_refused(spec, "segment 0 names a constant out of range");
}

TEST(MalformedVgf, InputsThatAreNoModelInput) {
  VgfSpec spec = two_inputs_one_output();
  spec.inputs[1].binding = 2;
  expect_refused(spec, "input binding 1 names a model input twice or out of range");
  spec = two_inputs_one_output();
  spec.inputs[1].binding = 0;
  expect_refused(spec, "input binding 1 names a model input twice or out of range");
}

TEST(MalformedVgf, UnknownFormatAndDescriptorType) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[1].format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
  expect_refused(spec, "VGF resource 1 has format 131, which is not supported",
                 VGFIO_UNSUPPORTED);
  spec.resources[1].format = VK_FORMAT_UNDEFINED;
  expect_refused(spec, "VGF resource 1 has format 0", VGFIO_UNSUPPORTED);
  spec = two_inputs_one_output();
  spec.resources[2].descriptor = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  expect_refused(spec, "resource 2 has descriptor type 10");
}

TEST(MalformedVgf, NumbersThatNoEnumerationHolds) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[1].format = -5;
  expect_refused(spec, "VGF resource 1 has format -5, which is not supported",
                 VGFIO_UNSUPPORTED);
  spec = two_inputs_one_output();
  spec.resources[1].descriptor = -5;
  expect_refused(spec, "resource 1 has descriptor type -5");
}

TEST(MalformedVgf, SamplersThatVulkanDoesNotHave) {
  for (const SamplerSpec& sampler : std::vector<SamplerSpec>{
           {2, 0, 0, 0, 0}, {0, 1000015000, 0, 0, 0}, {0, 0, 4, 0, 0}, {0, 0, 0, 0xFFFFFFFF, 0},
           {0, 0, 0, 0, 6}}) {
    VgfSpec spec = rich_vgf();
    spec.resources[4].sampler = sampler;
    expect_refused(spec, "resource 4 has a sampler setting that is not supported");
  }
}

TEST(MalformedVgf, DimensionsThatAreNone) {
  for (const int64_t dimension : {int64_t{0}, int64_t{-2}, INT64_MIN}) {
    VgfSpec spec = two_inputs_one_output();
    spec.resources[1].shape = {4, dimension};
    expect_refused(spec, "resource 1 has a dimension below 1 or too large a shape");
  }
}

TEST(MalformedVgf, DynamicShapes) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[1].shape = {4, -1};
  expect_refused(spec, "VGF resource 1 has a dynamic dimension; dynamic shapes are not supported");
}

TEST(MalformedVgf, ShapesThatOverflow) {
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
           {INT64_MAX}, {int64_t{1} << 32, int64_t{1} << 32}, {int64_t{1} << 61}}) {
    VgfSpec spec = two_inputs_one_output();
    spec.resources[0].shape = shape;
    expect_refused(spec, "resource 0 has a dimension below 1 or too large a shape");
  }
}

TEST(MalformedVgf, Strides) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[0].shape = {2, 2};
  spec.resources[0].strides = {8};
  expect_refused(spec, "resource 0 has not as many strides as dimensions");
  for (const std::vector<int64_t>& strides : std::vector<std::vector<int64_t>>{
           {8, 0}, {-8, 4}, {4, 4}, {8, 8}, {10, 4}, {INT64_MAX - 3, 4}}) {
    spec.resources[0].strides = strides;
    expect_refused(spec, "resource 0 has strides that do not fit its shape");
  }
}

TEST(MalformedVgf, Images) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[0] = {ResourceRole::kInput, {2, 3, 5, 4}, VK_FORMAT_R8G8B8A8_UNORM,
                       VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
  expect_refused(spec, "image resource 0 is not [1,] height, width, channels");
  spec.resources[0].shape = {5, 4};
  expect_refused(spec, "image resource 0 is not [1,] height, width, channels");
  spec.resources[0].shape = {3, 5, 3};
  expect_refused(spec, "image resource 0 has 3 channels, its format R8G8B8A8_UNORM has 4");
  spec.resources[0].shape = {int64_t{1} << 32, 1, 4};
  expect_refused(spec, "image resource 0 is larger than an image can be");
}

TEST(MalformedVgf, ConstantTooShort) {
  VgfSpec spec = rich_vgf();
  spec.constants[0].values.pop_back();
  expect_refused(spec, "constant 0 holds 28 of 32 bytes");
}

TEST(MalformedVgf, ConstantTooShortForItsStrides) {
  VgfSpec spec = rich_vgf();
  spec.resources[3].strides = {32, 4};
  expect_refused(spec, "constant 0 holds 32 of 64 bytes");
  spec.constants[0].values.resize(16);
  EXPECT_EQ(decode(build_vgf(spec)).detail(), "");
}

TEST(MalformedVgf, ConstantSparseAlongADimensionThatItHasNot) {
  VgfSpec spec = rich_vgf();
  spec.constants[0].sparse_dimension = 2;
  expect_refused(spec, "constant 0 is sparse along a dimension that it has not");
}

TEST(MalformedVgf, ModulesWithoutUsableCode) {
  VgfSpec spec = two_inputs_one_output();
  spec.segments[0].code = {1, 2, 3, 4, 5};
  expect_refused(spec, "module 0 is no SPIR-V");
  spec.segments[0].code = {0x07230203};
  expect_refused(spec, "module 0 is no SPIR-V");
  spec.segments[0].code = {};
  expect_refused(spec, "VGF module 0 holds no SPIR-V", VGFIO_UNSUPPORTED);
  spec.segments[0].glsl = "void main() {}";
  expect_refused(spec, "VGF module 0 holds no SPIR-V", VGFIO_UNSUPPORTED);
}

TEST(MalformedVgf, ANewerVersionIsNotReadAsThisOne) {
  VgfBytes bytes = build_vgf(two_inputs_one_output());
  bytes.mutable_data()[8] = 9;  // major version, behind magic and Vulkan header version
  const Status status = decode(bytes);
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(status.detail(), HasSubstr("VGF version 9."));
}

}  // namespace
}  // namespace vgfio::testing
