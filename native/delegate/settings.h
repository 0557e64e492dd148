// How methods are loaded: from the environment, then the options of the runtime.
#pragma once

#include <string>

#include <executorch/runtime/backend/options.h>

#include "base/status.h"
#include "vgf/session_options.h"

namespace vgfio {

struct BackendSettings {
  VgfSessionOptions session;
  std::string device;
};

BackendSettings settings_from_environment();

// VGFIO_INVALID_REQUEST for an option or a value that VgfBackend does not know.
Status apply_option(const executorch::runtime::BackendOption& option, BackendSettings& settings);

}  // namespace vgfio
