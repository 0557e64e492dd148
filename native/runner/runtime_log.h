// Keeps ExecuTorch's log lines of one thread from standard error, and keeps the
// first error among them as the reason that its error number lacks.
#pragma once

#include <string>

#include <executorch/runtime/core/error.h>

#include "base/status.h"

namespace vgfio {

// While one exists, this thread's log lines are captured, not printed; other
// threads and later lines go where they went before. Nests.
class RuntimeLogCapture {
 public:
  RuntimeLogCapture();
  ~RuntimeLogCapture();
  RuntimeLogCapture(const RuntimeLogCapture&) = delete;
  RuntimeLogCapture& operator=(const RuntimeLogCapture&) = delete;
};

// The first error line captured on this thread since the last call; "" if none.
std::string take_runtime_error();

// A failure of the runtime as a Status: the delegate's own noted Status if there
// is one; else `code` with `what`, the captured line and the error's name.
Status runtime_status(executorch::runtime::Error error, StatusCode code, const std::string& what);

// Lets the runtime's fatal checks end the process with one error line and the
// exit code `code` instead of SIGABRT. For programs only.
void exit_on_runtime_abort(const char* program, int code);

}  // namespace vgfio
