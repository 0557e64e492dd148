// Between the Status of this project and the Error of ExecuTorch's runtime.
#pragma once

#include <exception>
#include <new>

#include <executorch/runtime/core/error.h>

#include "base/delegate_error.h"
#include "base/status.h"

namespace vgfio {

inline executorch::runtime::Error to_error(const Status& status) {
  using executorch::runtime::Error;
  switch (status.code()) {
    case VGFIO_OK:
      return Error::Ok;
    case VGFIO_INVALID_REQUEST:
      return Error::InvalidProgram;
    case VGFIO_UNSUPPORTED:
      return Error::NotSupported;
    default:
      return Error::Internal;
  }
}

// The Error; its Status is kept for whoever called the runtime.
inline executorch::runtime::Error note(const Status& status) {
  note_delegate_error(status);
  return to_error(status);
}

// Runs what may throw (allocation, the VGF library) and turns that into a
// Status: an exception must not cross into ExecuTorch.
template <typename Function>
Status guarded(const Function& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return Status::failed("no host memory left");
  } catch (const std::exception& error) {
    return Status::failed(std::string("unexpected: ") + error.what());
  }
}

}  // namespace vgfio
