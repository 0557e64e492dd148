// Builds VGF files, right and wrong ones, from plain descriptions.
#pragma once

#include <string>
#include <vector>

#include "vgf/model.h"

namespace vgfio::testing {

// Bytes aligned as decode_vgf() wants them.
class VgfBytes {
 public:
  VgfBytes() = default;
  explicit VgfBytes(const std::string& bytes);

  const void* data() const { return words_.data(); }
  uint8_t* mutable_data() { return reinterpret_cast<uint8_t*>(words_.data()); }
  size_t size() const { return size_; }
  // A copy of the first `size` bytes with nothing readable behind them.
  VgfBytes cut(size_t size) const;

 private:
  std::vector<uint64_t> words_;
  size_t size_ = 0;
};

// Vulkan's numbers, the wrong ones as well.
struct SamplerSpec {
  uint32_t min_filter = VK_FILTER_NEAREST;
  uint32_t mag_filter = VK_FILTER_NEAREST;
  uint32_t address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  uint32_t address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  uint32_t border = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
};

struct ResourceSpec {
  ResourceRole role = ResourceRole::kIntermediate;
  std::vector<int64_t> shape = {4};
  int format = VK_FORMAT_R32_SFLOAT;
  int descriptor = static_cast<int>(VK_DESCRIPTOR_TYPE_TENSOR_ARM);
  std::vector<int64_t> strides = {};
  std::optional<uint32_t> alias_group = {};
  std::optional<SamplerSpec> sampler = {};
};

struct SlotSpec {
  uint32_t binding = 0;
  uint32_t resource = 0;
};

struct DescriptorSetSpec {
  uint32_t set = 0;
  std::vector<SlotSpec> slots;
};

struct ConstantSpec {
  uint32_t resource = 0;
  std::vector<float> values;
  int64_t sparse_dimension = -1;
};

struct SegmentSpec {
  SegmentKind kind = SegmentKind::kGraph;
  std::string name = "segment";
  std::vector<uint32_t> code = {0x07230203, 0x00010600, 0, 1, 0};
  std::vector<DescriptorSetSpec> sets;
  std::vector<GraphConstant> constants = {};
  std::array<uint32_t, 3> dispatch{1, 1, 1};
  std::vector<PushConstantRange> push_constants = {};
  std::string glsl = {};  // instead of `code`
};

struct VgfSpec {
  std::vector<ResourceSpec> resources;
  std::vector<ConstantSpec> constants;
  std::vector<SegmentSpec> segments;
  std::vector<SlotSpec> inputs;
  std::vector<std::string> input_names;
  std::vector<SlotSpec> outputs;
  std::vector<std::string> output_names;
};

// Encodes what the description says, sensible or not; only a constant without
// values is left out.
VgfBytes build_vgf(const VgfSpec& spec);

// One graph with two inputs (resources 0 and 1), one output (2): tensors of four
// floats. Its SPIR-V is only a header, so that no device takes it.
VgfSpec two_inputs_one_output();

}  // namespace vgfio::testing
