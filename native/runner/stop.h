// The request to stop a run after the current inference. Process-wide;
// everything here is async-signal-safe.
#pragma once

namespace vgfio {

void request_stop();
void clear_stop();
bool stop_requested();

// While one exists SIGINT and SIGTERM request a stop; a second signal ends the
// process in the usual way.
class StopOnSignals {
 public:
  StopOnSignals();
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
};

}  // namespace vgfio
