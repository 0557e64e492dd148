// The machine as it is now.
#pragma once

#include <nlohmann/json.hpp>

namespace vgfio {

// The "host" section of a report: operating system, kernel, machine, CPU, cores,
// governor (null where there is none), load average. Never the host's name.
nlohmann::ordered_json host_json();

}  // namespace vgfio
