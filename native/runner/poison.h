// Tells an output that was written from one that nobody touched.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "runner/session.h"

namespace vgfio {

// Fills every bound output with a pattern that no run leaves there by chance.
void poison_outputs(Session& session);

// After a run that began with poison_outputs(): VGFIO_RUN_FAILED naming the
// first output that still is the pattern, byte for byte. An output that may
// rightly hold the pattern is told by one more inference on another pattern.
Status check_outputs_written(Session& session);

}  // namespace vgfio
