#include "base/names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace vgfio {
namespace {

struct Reason {
  const char* name;
  const char* remedy;
};

// In the order of vgfio_reason.
constexpr std::array<Reason, VGFIO_REASON_COUNT> kReasons = {{
    {"none", ""},
    {"extension_missing",
     "Use a device and driver with VK_EXT_external_memory_host, or the lend mode, which needs no "
     "import."},
    {"null_pointer", "Bind a buffer to every input and output before the run."},
    {"misaligned_pointer",
     "Allocate the buffer at a multiple of the device's import alignment (required_alignment)."},
    {"size_not_a_multiple",
     "Make the buffer as large as required_capacity: the tensor's bytes rounded up to the import "
     "alignment."},
    {"requirement_exceeds_buffer",
     "Allocate at least the bytes that the device needs for this tensor (allocated_bytes)."},
    {"no_common_memory_type",
     "Allocate ordinary page-backed host memory, or use the lend mode: no memory type of the "
     "device suits both this buffer and the tensor."},
    {"not_host_coherent",
     "Use the lend or copy mode: the device offers no host-coherent memory type for this buffer."},
    {"import_failed",
     "Check that the buffer is ordinary writable memory (not a device mapping) and that the "
     "driver's limit of imports is not reached."},
    {"import_does_not_alias",
     "Update the driver or the layers: the import succeeds but does not reach the caller's "
     "memory."},
    {"not_a_tensor_descriptor",
     "Export the model so that this input or output is bound as a tensor, not as a buffer or an "
     "image."},
    {"aliased_resource",
     "Export the model so that this tensor has a resource of its own: it shares one with another "
     "tensor of the graph."},
    {"eliminated", "Drop this input from the model: the compiler found it unused."},
    {"memory_planned",
     "Export with MemoryPlanningPass(alloc_graph_input=False, alloc_graph_output=False), so that "
     "the caller's buffer is used."},
    {"constant", "Nothing to change: a constant is uploaded once and never crosses the boundary."},
    {"overlapping_buffers",
     "Give every input and output a buffer of its own that overlaps no other."},
    {"read_only", "Bind writable memory: the device refuses to import a read-only mapping."},
    {"unsupported_format_or_layout",
     "Export with a contiguous layout and an element type that the device takes as a tensor."},
}};

constexpr std::array kIoModes = {"copy", "zero_copy", "staged", "lend"};
constexpr std::array kPaths = {"copy", "zero_copy", "staged", "lent", "none"};
constexpr std::array kWaits = {"adaptive", "fence", "spin"};
constexpr std::array kCopyMemories = {"auto", "cached", "uncached", "device_local"};
constexpr std::array kDirections = {"input", "output"};

template <size_t kCount>
const char* lookup(const std::array<const char*, kCount>& names, uint32_t value) {
  return value < kCount ? names[value] : "unknown";
}

template <typename Enum, size_t kCount>
std::optional<Enum> parse(const std::array<const char*, kCount>& names, std::string_view name) {
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  const auto found = std::find(names.begin(), names.end(), plain);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

const char* reason_name(uint32_t reason) {
  return reason < kReasons.size() ? kReasons[reason].name : "unknown";
}

const char* reason_remedy(uint32_t reason) {
  return reason < kReasons.size() ? kReasons[reason].remedy : "unknown";
}

const char* io_mode_name(uint32_t io_mode) { return lookup(kIoModes, io_mode); }
const char* path_name(uint32_t path) { return lookup(kPaths, path); }
const char* wait_name(uint32_t wait) { return lookup(kWaits, wait); }
const char* copy_memory_name(uint32_t memory) { return lookup(kCopyMemories, memory); }
const char* direction_name(uint32_t direction) { return lookup(kDirections, direction); }

const char* status_name(uint32_t status) {
  switch (status) {
    case VGFIO_OK:
      return "ok";
    case VGFIO_RUN_FAILED:
      return "run_failed";
    case VGFIO_INVALID_REQUEST:
      return "invalid_request";
    case VGFIO_UNSUPPORTED:
      return "unsupported";
    case VGFIO_INTERRUPTED:
      return "interrupted";
    default:
      return "unknown";
  }
}

std::optional<vgfio_io_mode> parse_io_mode(std::string_view name) {
  return parse<vgfio_io_mode>(kIoModes, name);
}

std::optional<vgfio_wait> parse_wait(std::string_view name) {
  return parse<vgfio_wait>(kWaits, name);
}

std::optional<vgfio_copy_memory> parse_copy_memory(std::string_view name) {
  return parse<vgfio_copy_memory>(kCopyMemories, name);
}

}  // namespace vgfio
