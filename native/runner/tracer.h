// ExecuTorch's event tracing into an ETDump file.
#pragma once

#include <memory>
#include <string>

#include <executorch/runtime/core/event_tracer.h>

#include "base/status.h"

namespace vgfio {

class Tracer {
 public:
  // VGFIO_UNSUPPORTED in a build without ETDump (VGFIO_NO_ETDUMP).
  static Result<std::unique_ptr<Tracer>> create();
  virtual ~Tracer() = default;

  // Must outlive the method that is loaded with it.
  virtual executorch::runtime::EventTracer* events() = 0;
  // Writes what was traced.
  virtual Status write(const std::string& path) = 0;
};

}  // namespace vgfio
