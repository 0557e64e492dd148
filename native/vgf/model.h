// A VGF file as plain structures, checked: every index is in range, every size
// fits, every format is known. No device is needed to read one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "vulkan/arm_extensions.h"

namespace vgfio {

enum class ResourceRole { kInput, kOutput, kIntermediate, kConstant };
enum class ResourceKind { kTensor, kBuffer, kImage };

struct SamplerConfig {
  VkFilter min_filter = VK_FILTER_NEAREST;
  VkFilter mag_filter = VK_FILTER_NEAREST;
  VkSamplerAddressMode address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSamplerAddressMode address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkBorderColor border = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
};

struct Resource {
  ResourceRole role = ResourceRole::kIntermediate;
  ResourceKind kind = ResourceKind::kTensor;
  VkDescriptorType descriptor = VK_DESCRIPTOR_TYPE_TENSOR_ARM;
  VkFormat format = VK_FORMAT_UNDEFINED;
  std::vector<int64_t> shape;    // elements, outermost first; {1} for rank 0
  std::vector<int64_t> strides;  // bytes; empty: packed
  uint64_t element_bytes = 0;
  uint64_t bytes = 0;  // packed size
  std::optional<uint32_t> alias_group;
  std::optional<SamplerConfig> sampler;
};

// Width, height and channels of an image resource: [1,] height, width, channels.
struct ImageExtent {
  uint32_t width = 0;
  uint32_t height = 0;
};
ImageExtent image_extent(const Resource& resource);

struct Binding {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t resource = 0;  // index into Model::resources
};

struct GraphConstant {
  uint32_t id = 0;        // in the SPIR-V graph
  uint32_t constant = 0;  // index into Model::constants
};

struct PushConstantRange {
  VkShaderStageFlags stages = 0;
  uint32_t offset = 0;
  uint32_t size = 0;
};

enum class SegmentKind { kGraph, kCompute };

struct Segment {
  SegmentKind kind = SegmentKind::kGraph;
  std::string name;
  std::string entry_point;
  const uint32_t* code = nullptr;  // SPIR-V; points into the VGF bytes
  size_t code_words = 0;
  std::array<uint32_t, 3> dispatch{1, 1, 1};  // work groups of a compute segment
  std::vector<Binding> bindings;
  std::vector<uint32_t> inputs;   // resources read, where the file says so
  std::vector<uint32_t> outputs;  // resources written
  std::vector<GraphConstant> constants;
  std::vector<PushConstantRange> push_constants;
};

struct Constant {
  uint32_t resource = 0;
  const uint8_t* data = nullptr;  // points into the VGF bytes
  uint64_t bytes = 0;
  std::optional<uint32_t> sparse_dimension;  // 2:4 sparse along it
};

// What a model input or output is: a resource, or none where the converter
// eliminated it.
using BoundaryResource = std::optional<uint32_t>;

struct Model {
  std::vector<Resource> resources;
  std::vector<Segment> segments;
  std::vector<Constant> constants;
  std::vector<BoundaryResource> inputs;   // in the order of the delegate's arguments
  std::vector<BoundaryResource> outputs;
};

// Reads a VGF. `data` must be aligned to 8 bytes and outlive the Model. Errors
// are VGFIO_INVALID_REQUEST and name the part that is wrong.
Result<Model> decode_vgf(const void* data, size_t bytes);

}  // namespace vgfio
