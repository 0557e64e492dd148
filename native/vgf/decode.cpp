#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include <vgf/decoder.hpp>

#include "vgf/format.h"
#include "vgf/model.h"

namespace vgfio {
namespace {

namespace lib = mlsdk::vgflib;

struct Decoders {
  std::unique_ptr<lib::ModuleTableDecoder> modules;
  std::unique_ptr<lib::ModelResourceTableDecoder> resources;
  std::unique_ptr<lib::ModelSequenceTableDecoder> sequence;
  std::unique_ptr<lib::ConstantDecoder> constants;
};

Status bad(const std::string& what) { return Status::invalid("malformed VGF: " + what); }

std::string at(const char* what, size_t index) {
  return std::string(what) + " " + std::to_string(index);
}

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

ResourceRole role_of(lib::ResourceCategory category) {
  switch (category) {
    case lib::ResourceCategory::INPUT:
      return ResourceRole::kInput;
    case lib::ResourceCategory::OUTPUT:
      return ResourceRole::kOutput;
    case lib::ResourceCategory::CONSTANT:
      return ResourceRole::kConstant;
    default:
      return ResourceRole::kIntermediate;
  }
}

// The descriptor type as a number: the file may hold anything, and older headers
// do not list the tensor type in the enumeration.
Result<ResourceKind> kind_of(int descriptor, size_t index) {
  switch (descriptor) {
    case static_cast<int>(VK_DESCRIPTOR_TYPE_TENSOR_ARM):
      return ResourceKind::kTensor;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      return ResourceKind::kBuffer;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return ResourceKind::kImage;
    default:
      return bad(at("resource", index) + " has descriptor type " +
                 std::to_string(descriptor) + ", which is not supported");
  }
}

// Product of the shape and the element size; nullopt on overflow or a dimension
// below 1.
std::optional<uint64_t> packed_bytes(const std::vector<int64_t>& shape, uint64_t element_bytes) {
  uint64_t bytes = element_bytes;
  for (const int64_t dimension : shape) {
    if (dimension < 1 ||
        bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) /
                    static_cast<uint64_t>(dimension)) {
      return std::nullopt;
    }
    bytes *= static_cast<uint64_t>(dimension);
  }
  return bytes;
}

// What core Vulkan has; nothing for anything else.
std::optional<SamplerConfig> sampler_of(const lib::ModelResourceTableDecoder& table,
                                        lib::SamplerConfigHandle handle) {
  const uint32_t min_filter = table.getSamplerConfigMinFilter(handle);
  const uint32_t mag_filter = table.getSamplerConfigMagFilter(handle);
  const uint32_t address_u = table.getSamplerConfigAddressModeU(handle);
  const uint32_t address_v = table.getSamplerConfigAddressModeV(handle);
  const uint32_t border = table.getSamplerConfigBorderColor(handle);
  if (std::max(min_filter, mag_filter) > VK_FILTER_LINEAR ||
      std::max(address_u, address_v) > VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
      border > VK_BORDER_COLOR_INT_OPAQUE_WHITE) {
    return std::nullopt;
  }
  return SamplerConfig{
      static_cast<VkFilter>(min_filter), static_cast<VkFilter>(mag_filter),
      static_cast<VkSamplerAddressMode>(address_u), static_cast<VkSamplerAddressMode>(address_v),
      static_cast<VkBorderColor>(border)};
}

// Positive multiples of the element size, no dimension reaching into the one
// outside it: what Vulkan asks of the strides of a tensor.
bool strides_fit(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides,
                 uint64_t element_bytes) {
  auto inner = static_cast<int64_t>(element_bytes);  // bytes inside the dimension
  if (strides.back() != inner) return false;
  for (size_t i = shape.size(); i-- > 0;) {
    if (strides[i] < inner || strides[i] % static_cast<int64_t>(element_bytes) != 0 ||
        strides[i] > std::numeric_limits<int64_t>::max() / shape[i]) {
      return false;
    }
    inner = strides[i] * shape[i];
  }
  return true;
}

// Bytes from the first element to the end of the layout.
uint64_t layout_bytes(const Resource& resource) {
  if (resource.strides.empty()) return resource.bytes;
  return static_cast<uint64_t>(resource.strides[0] * resource.shape[0]);
}

Status check_image_shape(const Resource& resource, const FormatInfo& format, size_t index) {
  const std::vector<int64_t>& shape = resource.shape;
  const bool batch_of_one = shape.size() == 4 && shape[0] == 1;
  if (!batch_of_one && shape.size() != 3) {
    return bad(at("image resource", index) + " is not [1,] height, width, channels");
  }
  if (shape.back() != format.components) {
    return bad(at("image resource", index) + " has " + std::to_string(shape.back()) +
               " channels, its format " + format.name + " has " +
               std::to_string(format.components));
  }
  constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();
  if (shape[shape.size() - 2] > kMaxExtent || shape[shape.size() - 3] > kMaxExtent) {
    return bad(at("image resource", index) + " is larger than an image can be");
  }
  return Status();
}

Result<Resource> decode_resource(const lib::ModelResourceTableDecoder& table, uint32_t index) {
  Resource resource;
  resource.role = role_of(table.getCategory(index));
  const int descriptor =
      table.getDescriptorType(index).value_or(static_cast<int>(VK_DESCRIPTOR_TYPE_TENSOR_ARM));
  VGFIO_ASSIGN_OR_RETURN(resource.kind, kind_of(descriptor, index));
  resource.descriptor = static_cast<VkDescriptorType>(descriptor);
  const int number = table.getVkFormat(index);
  const std::optional<FormatInfo> format =
      number < 0 ? std::nullopt : format_info(static_cast<VkFormat>(number));
  if (!format) {
    return Status::unsupported(at("VGF resource", index) + " has format " +
                               std::to_string(number) + ", which is not supported");
  }
  resource.format = static_cast<VkFormat>(number);
  const auto shape = table.getTensorShape(index);
  resource.shape.assign(shape.begin(), shape.end());
  if (resource.shape.empty()) resource.shape = {1};
  const auto strides = table.getTensorStride(index);
  resource.strides.assign(strides.begin(), strides.end());
  if (!resource.strides.empty() && resource.strides.size() != resource.shape.size()) {
    return bad(at("resource", index) + " has not as many strides as dimensions");
  }
  resource.element_bytes = format->element_bytes;
  // The channels of an image are inside its texels.
  std::vector<int64_t> counted = resource.shape;
  if (resource.kind == ResourceKind::kImage) {
    VGFIO_RETURN_IF_ERROR(check_image_shape(resource, *format, index));
    counted.pop_back();
  }
  const std::optional<uint64_t> bytes = packed_bytes(counted, resource.element_bytes);
  if (!bytes) {
    return bad(at("resource", index) + " has a dimension below 1 or too large a shape");
  }
  resource.bytes = *bytes;
  if (!resource.strides.empty() &&
      !strides_fit(resource.shape, resource.strides, resource.element_bytes)) {
    return bad(at("resource", index) + " has strides that do not fit its shape");
  }
  resource.alias_group = table.getAliasGroupId(index);
  if (const auto handle = table.getSamplerConfigHandle(index)) {
    resource.sampler = sampler_of(table, handle);
    if (!resource.sampler) {
      return bad(at("resource", index) + " has a sampler setting that is not supported");
    }
  }
  return resource;
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
