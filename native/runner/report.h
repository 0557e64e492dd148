// A whole report as JSON, in the form of the schema.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "runner/session.h"
#include "runner/session_json.h"
#include "runner/warnings.h"

namespace vgfio {

// What was asked for.
struct ReportConfig {
  std::string source;  // "executor_runner" or "arm_vgf_runner"
  uint64_t warmup = 0;
  uint64_t iterations = 0;
  uint64_t profile_iterations = 0;
  uint64_t seed = 0;
  std::vector<std::string> command_line;
};

// What came out, as far as it came.
struct Measured {
  Status status;  // ok, interrupted, or why the run failed
  std::vector<Record> warmup;
  std::vector<Record> iterations;
  std::vector<Record> parts;      // iteration-major, one per VGF delegate
  std::vector<Record> profile;    // with device timestamps
  std::vector<Warning> warnings;  // beyond those of find_warnings()
};

// `origins` has one entry per input.
nlohmann::ordered_json report_json(Session& session, const ReportConfig& config,
                                   const std::vector<DataOrigin>& origins,
                                   const Measured& measured);

}  // namespace vgfio
