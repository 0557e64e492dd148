// The buffers that a program binds: own aligned memory, or what the delegate
// lends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/status.h"
#include "runner/session.h"
#include "runner/session_json.h"
#include "runner/warnings.h"

namespace vgfio {

// Must outlive the runs of the session that it is bound to.
class IoBuffers {
 public:
  // Binds a buffer to every input and output: in I/O mode lend the delegate's
  // memory where it has some, else own memory as the tensor requires it.
  Status bind_all(Session& session);

  // Fills the bound inputs: from `paths`, one per input, or seeded random data
  // where there are none. Returns one origin per input.
  static Result<std::vector<DataOrigin>> fill_inputs(Session& session,
                                                     const std::vector<std::string>& paths,
                                                     uint64_t seed);

  // A warning for each input that no longer holds what `origins` says.
  static std::vector<Warning> find_changed_inputs(const Session& session,
                                                  const std::vector<DataOrigin>& origins);

 private:
  Status bind(Session& session, vgfio_direction direction, size_t index);

  std::vector<AlignedBuffer> buffers_;
};

}  // namespace vgfio
