// Prints and writes a method's outputs the way ExecuTorch's executor_runner
// does, so that scripts which read those keep working.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/executor/method.h>

#include "base/status.h"

namespace vgfio {

enum class PrintMode { kNone, kSummary, kAll };

// "none", "summary" or "all".
std::optional<PrintMode> parse_print_mode(std::string_view text);

// All outputs of the last inference.
Result<std::vector<executorch::runtime::EValue>> get_outputs(executorch::runtime::Method& method);

// kSummary: one "OutputX <i>: tensor(sizes=[...], [...])" each, long tensors
// with their first and last 100 elements; kAll: one line per element.
void print_outputs(std::ostream& stream, const std::vector<executorch::runtime::EValue>& outputs,
                   PrintMode mode);

// Writes the raw bytes of tensor <i> to BASE-<i>.bin.
Status write_outputs(const std::string& base,
                     const std::vector<executorch::runtime::EValue>& outputs);

}  // namespace vgfio
