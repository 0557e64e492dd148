// What this build is made of.
#pragma once

#include <nlohmann/json.hpp>

namespace vgfio {

// The "tool" section of a report: name, version, build type, compiler,
// ExecuTorch version, sanitizers.
nlohmann::ordered_json tool_json();

}  // namespace vgfio
