// A backend registered as VgfBackend that computes nothing: it copies its first
// input over its outputs, adds to the record, and fails when it is told to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "runner/session.h"
#include "stats/record.h"

namespace vgfio::testing {

struct StubBehaviour {
  size_t outputs = 1;  // the last arguments of a call
  bool writes_outputs = true;
  bool statistics = true;  // attaches to the Sink
  uint64_t import_alignment = 4096;
  bool timestamps = true;
  Status fail_init;
  Status fail_execute;
  uint64_t fail_at = ~uint64_t{0};  // which execution fails
  std::function<void(uint64_t execution)> on_execute;
  vgfio_path path = VGFIO_PATH_COPY;
  std::string lent;  // memory that lend() hands out for every tensor
  // Seen:
  uint64_t executions = 0;
  uint64_t inits = 0;
  uint64_t live = 0;
  uint64_t profiled = 0;  // executions under profile_device()
};

// Resets the behaviour and registers the backend with the first call.
StubBehaviour& reset_stub();
StubBehaviour& stub();

// A session on a demo model, "add_1x4x256x256" unless said otherwise.
Result<std::unique_ptr<Session>> open_session(const SessionOptions& options = {},
                                              const std::string& path = "");
std::string demo_model(const std::string& name);

}  // namespace vgfio::testing
