// What ExecuTorch's executor_runner does: runs a model and shows its outputs.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "runner/method.h"
#include "runner/runner_options.h"

namespace vgfio {

// `buffer_alignment` gives the alignment in bytes that the device wants of the
// buffers; it is called only after a method with a VGF delegate is loaded.
Status run_plain(const RunnerOptions& options, const DelegateChoice& choice,
                 size_t (*buffer_alignment)(const DelegateChoice& choice));

}  // namespace vgfio
