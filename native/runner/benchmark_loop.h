// The measured loop: nothing in it allocates, logs or does I/O.
#pragma once

#include <cstddef>
#include <cstdint>

#include <executorch/runtime/executor/method.h>

#include "base/status.h"
#include "runner/io_binding.h"
#include "stats/record.h"
#include "stats/sink.h"

namespace vgfio {

// Where records go; storage is the caller's, made before the loop.
struct RecordStorage {
  Record* records = nullptr;
  size_t capacity = 0;      // records
  Record* parts = nullptr;  // capacity * delegate count, or null
};

struct LoopPlan {
  uint64_t iterations = 0;
  uint64_t max_ns = 0;  // stop early after that time, 0: no limit
  bool profile_device = false;
  RecordStorage storage;
};

// Runs `plan.iterations` inferences and fills storage.records[0 .. written).
// start_ns counts from the first of them. Errors: a capacity below the
// iterations (VGFIO_INVALID_REQUEST; nothing runs), what the method reports, or
// VGFIO_INTERRUPTED after a stop request. *written is right in every case.
Status run_loop(executorch::runtime::Method& method, IoBinding& binding, Sink& sink,
                const LoopPlan& plan, size_t* written);

}  // namespace vgfio
