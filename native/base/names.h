// The one table of the names and remedies that reports, messages and options
// use for the enumerations of the C interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vgf_io_bench.h"

namespace vgfio {

// Static strings, "unknown" for a number outside the list.
const char* reason_name(uint32_t reason);    // "misaligned_pointer"
const char* reason_remedy(uint32_t reason);  // one sentence that says what to change; "" for NONE
const char* io_mode_name(uint32_t io_mode);  // "copy", "zero_copy", "staged", "lend"
const char* path_name(uint32_t path);        // "copy", "zero_copy", "staged", "lent", "none"
const char* wait_name(uint32_t wait);        // "adaptive", "fence", "spin"
const char* copy_memory_name(uint32_t copy_memory);  // "auto", "cached", "uncached", "device_local"
const char* status_name(uint32_t status);            // "ok", "run_failed", ...
const char* direction_name(uint32_t direction);      // "input", "output"

// The value with that name; a dash is taken for an underscore ("zero-copy").
// Nothing for any other text.
std::optional<vgfio_io_mode> parse_io_mode(std::string_view name);
std::optional<vgfio_wait> parse_wait(std::string_view name);
std::optional<vgfio_copy_memory> parse_copy_memory(std::string_view name);

}  // namespace vgfio
