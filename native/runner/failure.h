// How a program ends with an error.
#pragma once

#include <string>

#include "base/status.h"

namespace vgfio {

// Prints "PROGRAM: error: DETAIL" as one line on standard error; the exit code.
int end_with(const std::string& program, const Status& status);

}  // namespace vgfio
