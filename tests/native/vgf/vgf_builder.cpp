#include "vgf_builder.h"

#include <cstring>
#include <sstream>

#include <vgf/encoder.hpp>

namespace vgfio::testing {
namespace {

namespace lib = mlsdk::vgflib;

constexpr uint16_t kHeaderVersion = 328;

lib::ResourceRef add_resource(lib::Encoder& encoder, const ResourceSpec& spec) {
  const lib::DescriptorType descriptor = spec.descriptor;
  const lib::FormatType format = spec.format;
  switch (spec.role) {
    case ResourceRole::kInput:
      return encoder.AddInputResource(descriptor, format, spec.shape, spec.strides,
                                      spec.alias_group);
    case ResourceRole::kOutput:
      return encoder.AddOutputResource(descriptor, format, spec.shape, spec.strides,
                                       spec.alias_group);
    case ResourceRole::kConstant:
      return encoder.AddConstantResource(format, spec.shape, spec.strides);
    default:
      return encoder.AddIntermediateResource(descriptor, format, spec.shape, spec.strides,
                                             spec.alias_group);
  }
}

void add_resources(lib::Encoder& encoder, const VgfSpec& spec) {
  for (const ResourceSpec& resource : spec.resources) {
    const lib::ResourceRef ref = add_resource(encoder, resource);
    if (resource.sampler) {
      encoder.AddSamplerConfig(ref, resource.sampler->min_filter, resource.sampler->mag_filter,
                               resource.sampler->address_u, resource.sampler->address_v,
                               resource.sampler->border);
    }
  }
  for (const ConstantSpec& constant : spec.constants) {
    if (constant.values.empty()) continue;
    encoder.AddConstant({constant.resource}, constant.values.data(),
                        constant.values.size() * sizeof(float), constant.sparse_dimension);
  }
}

std::vector<lib::BindingSlotRef> add_slots(lib::Encoder& encoder,
                                           const std::vector<SlotSpec>& slots) {
  std::vector<lib::BindingSlotRef> refs;
  for (const SlotSpec& slot : slots) {
    refs.push_back(encoder.AddBindingSlot(slot.binding, {slot.resource}));
  }
  return refs;
}

// Inputs and outputs of the segment: its slots, by the role of their resource.
std::vector<SlotSpec> slots_with_role(const VgfSpec& spec, const SegmentSpec& segment,
                                      ResourceRole role) {
  std::vector<SlotSpec> slots;
  for (const DescriptorSetSpec& set : segment.sets) {
    for (const SlotSpec& slot : set.slots) {
      const bool known = slot.resource < spec.resources.size();
      if (known && spec.resources[slot.resource].role == role) slots.push_back(slot);
    }
  }
  return slots;
}

void add_segment(lib::Encoder& encoder, const VgfSpec& spec, const SegmentSpec& segment) {
  const auto type = segment.kind == SegmentKind::kGraph ? lib::ModuleType::GRAPH
                                                        : lib::ModuleType::COMPUTE;
  const lib::ModuleRef module =
      segment.glsl.empty()
          ? encoder.AddModule(type, segment.name, "main", segment.code)
          : encoder.AddModule(type, segment.name, "main", lib::ShaderType::GLSL, segment.glsl);
  std::vector<lib::DescriptorSetInfoRef> sets;
  for (const DescriptorSetSpec& set : segment.sets) {
    sets.push_back(encoder.AddDescriptorSetInfo(add_slots(encoder, set.slots), set.set));
  }
  std::vector<lib::GraphConstantBindingRef> constants;
  for (const GraphConstant& constant : segment.constants) {
    constants.emplace_back(constant.id, lib::ConstantRef{constant.constant});
  }
  std::vector<lib::PushConstRangeRef> ranges;
  for (const PushConstantRange& range : segment.push_constants) {
    ranges.push_back(encoder.AddPushConstRange(range.stages, range.offset, range.size));
  }
  const auto inputs = add_slots(encoder, slots_with_role(spec, segment, ResourceRole::kInput));
  const auto outputs = add_slots(encoder, slots_with_role(spec, segment, ResourceRole::kOutput));
  encoder.AddSegmentInfo(module, segment.name, sets, inputs, outputs, constants, segment.dispatch,
                         ranges);
}

}  // namespace

VgfBytes::VgfBytes(const std::string& bytes)
    : words_((bytes.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t)), size_(bytes.size()) {
  if (!bytes.empty()) std::memcpy(words_.data(), bytes.data(), bytes.size());
}

VgfBytes VgfBytes::cut(size_t size) const {
  return VgfBytes(std::string(static_cast<const char*>(data()), size));
}

VgfBytes build_vgf(const VgfSpec& spec) {
  const std::unique_ptr<lib::Encoder> encoder = lib::CreateEncoder(kHeaderVersion);
  add_resources(*encoder, spec);
  for (const SegmentSpec& segment : spec.segments) add_segment(*encoder, spec, segment);
  encoder->AddModelSequenceInputsOutputs(add_slots(*encoder, spec.inputs), spec.input_names,
                                         add_slots(*encoder, spec.outputs), spec.output_names);
  encoder->Finish();
  std::ostringstream bytes;
  encoder->WriteTo(bytes);
  return VgfBytes(bytes.str());
}

VgfSpec two_inputs_one_output() {
  VgfSpec spec;
  spec.resources = {{ResourceRole::kInput}, {ResourceRole::kInput}, {ResourceRole::kOutput}};
  SegmentSpec graph;
  graph.sets = {{0, {{0, 0}, {1, 1}, {2, 2}}}};
  spec.segments = {graph};
  spec.inputs = {{0, 0}, {1, 1}};
  spec.input_names = {"input_0", "input_1"};
  spec.outputs = {{2, 2}};
  spec.output_names = {"output_0"};
  return spec;
}

}  // namespace vgfio::testing
