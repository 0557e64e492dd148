#include <cstring>
#include <memory>
#include <string_view>

#include <vgf/decoder.hpp>

#include "vgf/decode_resource.h"

namespace vgfio {
namespace {

namespace lib = mlsdk::vgflib;

struct Decoders {
  std::unique_ptr<lib::ModuleTableDecoder> modules;
  std::unique_ptr<lib::ModelResourceTableDecoder> resources;
  std::unique_ptr<lib::ModelSequenceTableDecoder> sequence;
  std::unique_ptr<lib::ConstantDecoder> constants;
};

// Why the library refused a header, which it does not say: it takes the same
// header with empty sections unless the version is the reason.
Status refused_header(const uint8_t* header) {
  constexpr std::string_view kMagic = "VGF1";
  constexpr size_t kVersion = 8;  // major and minor, a byte each
  constexpr size_t kSections = 16;
  if (std::memcmp(header, kMagic.data(), kMagic.size()) != 0) return bad("no VGF header");
  std::vector<uint64_t> bare(lib::HeaderSize() / sizeof(uint64_t));
  std::memcpy(bare.data(), header, kSections);
  if (lib::CreateHeaderDecoder(bare.data(), lib::HeaderSize(), lib::HeaderSize()) == nullptr) {
    return Status::invalid("VGF version " + std::to_string(header[kVersion]) + "." +
                           std::to_string(header[kVersion + 1]) +
                           " is not supported; export again");
  }
  return bad("a section reaches past the end");
}

Result<Decoders> open_sections(const void* data, size_t bytes) {
  if (bytes < lib::HeaderSize()) return bad("shorter than its header");
  const auto header = lib::CreateHeaderDecoder(data, lib::HeaderSize(), bytes);
  if (header == nullptr) return refused_header(static_cast<const uint8_t*>(data));
  const auto* base = static_cast<const uint8_t*>(data);
  Decoders decoders;
  decoders.modules = lib::CreateModuleTableDecoder(base + header->GetModuleTableOffset(),
                                                   header->GetModuleTableSize());
  decoders.resources = lib::CreateModelResourceTableDecoder(
      base + header->GetModelResourceTableOffset(), header->GetModelResourceTableSize());
  decoders.sequence = lib::CreateModelSequenceTableDecoder(
      base + header->GetModelSequenceTableOffset(), header->GetModelSequenceTableSize());
  decoders.constants = lib::CreateConstantDecoder(base + header->GetConstantsOffset(),
                                                  header->GetConstantsSize());
  if (decoders.modules == nullptr) return bad("module table");
  if (decoders.resources == nullptr) return bad("resource table");
  if (decoders.sequence == nullptr) return bad("sequence table");
  if (decoders.constants == nullptr) return bad("constant section");
  return decoders;
}

// Bytes from the first element to the end of the layout.
uint64_t layout_bytes(const Resource& resource) {
  if (resource.strides.empty()) return resource.bytes;
  return static_cast<uint64_t>(resource.strides[0] * resource.shape[0]);
}

Result<Constant> decode_constant(const lib::ConstantDecoder& section, uint32_t index,
                                 const std::vector<Resource>& resources) {
  Constant constant;
  constant.resource = section.getConstantMrtIndex(index);
  if (constant.resource >= resources.size()) return bad(at("constant", index) + " has no resource");
  const auto bytes = section.getConstant(index);
  constant.data = bytes.data();
  constant.bytes = bytes.size();
  const Resource& resource = resources[constant.resource];
  if (section.isSparseConstant(index)) {
    const int64_t dimension = section.getConstantSparsityDimension(index);
    if (static_cast<uint64_t>(dimension) >= resource.shape.size()) {
      return bad(at("constant", index) + " is sparse along a dimension that it has not");
    }
    constant.sparse_dimension = static_cast<uint32_t>(dimension);
  }
  if (constant.data == nullptr || constant.bytes < layout_bytes(resource)) {
    return bad(at("constant", index) + " holds " + std::to_string(constant.bytes) + " of " +
               std::to_string(layout_bytes(resource)) + " bytes");
  }
  return constant;
}

Status decode_module(const lib::ModuleTableDecoder& modules, uint32_t index, Segment& segment) {
  if (index >= modules.size()) return bad("a segment names module " + std::to_string(index));
  if (!modules.isSPIRV(index) || !modules.hasSPIRVCode(index)) {
    return Status::unsupported(at("VGF module", index) +
                               " holds no SPIR-V; export it with compiled shaders");
  }
  const auto code = modules.getSPIRVModuleCode(index);
  if (code.size() < 5 || code[0] != 0x07230203) return bad(at("module", index) + " is no SPIR-V");
  segment.code = code.data();
  segment.code_words = code.size();
  segment.entry_point = std::string(modules.getModuleEntryPoint(index));
  return Status();
}

Result<std::vector<uint32_t>> decode_slots(const lib::ModelSequenceTableDecoder& sequence,
                                           lib::BindingSlotArrayHandle slots,
                                           size_t resource_count) {
  std::vector<uint32_t> resources;
  if (slots == nullptr) return resources;
  for (uint32_t i = 0; i < sequence.getBindingsSize(slots); ++i) {
    resources.push_back(sequence.getBindingSlotMrtIndex(slots, i));
    if (resources.back() >= resource_count) return bad("a binding names a resource out of range");
  }
  return resources;
}

Status decode_bindings(const lib::ModelSequenceTableDecoder& sequence, uint32_t index,
                       size_t resource_count, Segment& segment) {
  for (uint32_t set = 0; set < sequence.getSegmentDescriptorSetInfosSize(index); ++set) {
    const auto slots = sequence.getDescriptorBindingSlotsHandle(index, set);
    if (slots == nullptr) continue;
    VGFIO_ASSIGN_OR_RETURN(const std::vector<uint32_t> resources,
                           decode_slots(sequence, slots, resource_count));
    for (uint32_t i = 0; i < resources.size(); ++i) {
      segment.bindings.push_back({sequence.getSegmentDescriptorSetIndex(index, set),
                                  sequence.getBindingSlotBinding(slots, i), resources[i]});
    }
  }
  VGFIO_ASSIGN_OR_RETURN(segment.inputs,
                         decode_slots(sequence, sequence.getSegmentInputBindingSlotsHandle(index),
                                      resource_count));
  VGFIO_ASSIGN_OR_RETURN(segment.outputs,
                         decode_slots(sequence, sequence.getSegmentOutputBindingSlotsHandle(index),
                                      resource_count));
  return Status();
}

Status decode_graph_constants(const lib::ModelSequenceTableDecoder& sequence, uint32_t index,
                              size_t constant_count, Segment& segment) {
  const auto handle = sequence.getSegmentConstantBindingsHandle(index);
  if (handle == nullptr) return Status();
  for (uint32_t i = 0; i < sequence.getGraphConstantBindingsSize(handle); ++i) {
    const auto binding = sequence.getGraphConstantBinding(handle, i);
    if (binding.constantIndex >= constant_count) {
      return bad(at("segment", index) + " names a constant out of range");
    }
    segment.constants.push_back({binding.graphConstantId, binding.constantIndex});
  }
  return Status();
}

void decode_push_constants(const lib::ModelSequenceTableDecoder& sequence, uint32_t index,
                           Segment& segment) {
  const auto handle = sequence.getSegmentPushConstRange(index);
  if (handle == nullptr) return;
  for (uint32_t i = 0; i < sequence.getPushConstRangesSize(handle); ++i) {
    segment.push_constants.push_back({sequence.getPushConstRangeStageFlags(handle, i),
                                      sequence.getPushConstRangeOffset(handle, i),
                                      sequence.getPushConstRangeSize(handle, i)});
  }
}

Result<Segment> decode_segment(const Decoders& decoders, uint32_t index, const Model& model) {
  const lib::ModelSequenceTableDecoder& sequence = *decoders.sequence;
  Segment segment;
  segment.kind = sequence.getSegmentType(index) == lib::ModuleType::GRAPH ? SegmentKind::kGraph
                                                                          : SegmentKind::kCompute;
  segment.name = std::string(sequence.getSegmentName(index));
  VGFIO_RETURN_IF_ERROR(
      decode_module(*decoders.modules, sequence.getSegmentModuleIndex(index), segment));
  const auto dispatch = sequence.getSegmentDispatchShape(index);
  for (uint32_t i = 0; i < dispatch.size() && i < segment.dispatch.size(); ++i) {
    segment.dispatch[i] = dispatch[i];
  }
  VGFIO_RETURN_IF_ERROR(decode_bindings(sequence, index, model.resources.size(), segment));
  VGFIO_RETURN_IF_ERROR(decode_graph_constants(sequence, index, model.constants.size(), segment));
  decode_push_constants(sequence, index, segment);
  return segment;
}

// The binding number of a sequence input is the model input's number, since the
// converter leaves eliminated inputs out of the list; outputs are all there, in
// order.
Status decode_boundary(const lib::ModelSequenceTableDecoder& sequence, Model& model) {
  const auto inputs = sequence.getModelSequenceInputBindingSlotsHandle();
  const auto outputs = sequence.getModelSequenceOutputBindingSlotsHandle();
  const auto names = sequence.getModelSequenceInputNamesHandle();
  VGFIO_ASSIGN_OR_RETURN(const std::vector<uint32_t> input_resources,
                         decode_slots(sequence, inputs, model.resources.size()));
  VGFIO_ASSIGN_OR_RETURN(const std::vector<uint32_t> output_resources,
                         decode_slots(sequence, outputs, model.resources.size()));
  const size_t named = names == nullptr ? 0 : sequence.getNamesSize(names);
  const bool by_position = named == 0;
  model.inputs.resize(by_position ? input_resources.size() : named);
  for (uint32_t i = 0; i < input_resources.size(); ++i) {
    const size_t position = by_position ? i : sequence.getBindingSlotBinding(inputs, i);
    if (position >= model.inputs.size() || model.inputs[position]) {
      return bad(at("input binding", i) + " names a model input twice or out of range");
    }
    model.inputs[position] = input_resources[i];
  }
  model.outputs.assign(output_resources.begin(), output_resources.end());
  return Status();
}

}  // namespace

ImageExtent image_extent(const Resource& resource) {
  const std::vector<int64_t>& shape = resource.shape;
  return {static_cast<uint32_t>(shape[shape.size() - 2]),
          static_cast<uint32_t>(shape[shape.size() - 3])};
}

Result<Model> decode_vgf(const void* data, size_t bytes) {
  VGFIO_ASSIGN_OR_RETURN(const Decoders decoders, open_sections(data, bytes));
  Model model;
  for (uint32_t i = 0; i < decoders.resources->size(); ++i) {
    VGFIO_ASSIGN_OR_RETURN(Resource resource, decode_resource(*decoders.resources, i));
    model.resources.push_back(std::move(resource));
  }
  for (uint32_t i = 0; i < decoders.constants->size(); ++i) {
    VGFIO_ASSIGN_OR_RETURN(Constant constant,
                           decode_constant(*decoders.constants, i, model.resources));
    model.constants.push_back(constant);
  }
  for (uint32_t i = 0; i < decoders.sequence->modelSequenceTableSize(); ++i) {
    VGFIO_ASSIGN_OR_RETURN(Segment segment, decode_segment(decoders, i, model));
    model.segments.push_back(std::move(segment));
  }
  if (model.segments.empty()) return bad("no segment");
  VGFIO_RETURN_IF_ERROR(decode_boundary(*decoders.sequence, model));
  return model;
}

}  // namespace vgfio
