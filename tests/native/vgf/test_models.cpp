#include "test_models.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "shaders.h"

namespace vgfio::testing {
namespace {

// Set by CMake: harness/models of this checkout.
const std::filesystem::path kModels = VGFIO_DEMO_MODELS;

}  // namespace

VgfBytes shipped_vgf(const std::string& name) {
  std::ifstream file(kModels / name, std::ios::binary);
  const std::string program{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const size_t begin = program.find("VGF1");
  return begin == std::string::npos ? VgfBytes() : VgfBytes(program.substr(begin));
}

std::vector<std::string> shipped_models() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(kModels, ignored)) {
    if (entry.path().extension() == ".pte") names.push_back(entry.path().filename());
  }
  return names;
}

VgfSpec broadcast_add(int64_t a, int64_t b, int64_t c) {
  const auto buffer = [](ResourceRole role, int64_t floats) {
    return ResourceSpec{role, {floats}, VK_FORMAT_R32_SFLOAT, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  };
  VgfSpec spec = two_inputs_one_output();
  spec.resources = {buffer(ResourceRole::kInput, a), buffer(ResourceRole::kInput, b),
                    buffer(ResourceRole::kOutput, c)};
  spec.segments[0].kind = SegmentKind::kCompute;
  spec.segments[0].code = broadcast_add_shader();
  spec.segments[0].dispatch = {static_cast<uint32_t>((c + 63) / 64), 1, 1};
  return spec;
}

VgfSpec tensor_add() {
  VgfSpec spec = two_inputs_one_output();
  for (ResourceSpec& resource : spec.resources) resource.shape = {1, 3, 5, 4};
  spec.segments[0].kind = SegmentKind::kCompute;
  spec.segments[0].code = tensor_add_shader();
  spec.segments[0].dispatch = {4, 5, 3};
  return spec;
}

VgfSpec double_image() {
  const auto image = [](ResourceRole role, VkDescriptorType descriptor) {
    return ResourceSpec{role, {1, 3, 5, 4}, VK_FORMAT_R32G32B32A32_SFLOAT, descriptor};
  };
  VgfSpec spec;
  spec.resources = {image(ResourceRole::kInput, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
                    image(ResourceRole::kOutput, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)};
  spec.resources[0].sampler = SamplerSpec();
  SegmentSpec segment;
  segment.kind = SegmentKind::kCompute;
  segment.code = double_image_shader();
  segment.sets = {{0, {{0, 0}}}, {1, {{0, 1}}}};
  segment.push_constants = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 16}};
  spec.segments = {segment};
  spec.inputs = {{0, 0}};
  spec.input_names = {"image"};
  spec.outputs = {{0, 1}};
  spec.output_names = {"doubled"};
  return spec;
}

}  // namespace vgfio::testing
