#include "base/delegate_error.h"

#include <utility>

namespace vgfio {
namespace {
thread_local Status noted;
}  // namespace

void note_delegate_error(Status status) {
  if (noted.ok()) noted = std::move(status);
}

Status take_delegate_error() { return std::exchange(noted, Status()); }

}  // namespace vgfio
