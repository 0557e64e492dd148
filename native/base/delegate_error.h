// The reason behind a delegate's error code. ExecuTorch's Error is a number;
// the delegate notes the Status beside it and whoever called the method takes
// it. Per thread.
#pragma once

#include "base/status.h"

namespace vgfio {

// Keeps the first Status until it is taken.
void note_delegate_error(Status status);

// The noted Status, ok if there is none; forgets it.
Status take_delegate_error();

}  // namespace vgfio
