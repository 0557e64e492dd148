// The sections of a report that are constant over a session.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "runner/session.h"

namespace vgfio {

// Where an input's data came from; for a report only.
struct DataOrigin {
  const char* source = "caller";  // "file", "synthetic", "caller"
  std::string sha256;             // of the tensor's bytes; "" if not known
};

// The keys "tool", "host", "device", "model", "io" and "init". `origins` has one
// entry per input, or none.
nlohmann::ordered_json session_json(Session& session, const std::vector<DataOrigin>& origins = {});

// Text as valid UTF-8: what is not (a path may hold any byte) is replaced.
std::string json_text(const std::string& text);

}  // namespace vgfio
