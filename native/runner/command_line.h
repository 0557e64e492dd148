// Command lines as gflags takes them, with errors that are values: gflags ends
// the process with 1 on a bad flag, which here means a failed run.
#pragma once

#include "base/status.h"

namespace vgfio {

enum class CommandLine { kRun, kHelp, kVersion };

// Sets the flags. Takes --flag=value, --flag value, --[no]flag, with one dash or
// two. VGFIO_INVALID_REQUEST: an unknown flag (with the nearest name), a bad or
// missing value, an argument that is no flag.
Result<CommandLine> parse_command_line(int argc, char** argv);

}  // namespace vgfio
