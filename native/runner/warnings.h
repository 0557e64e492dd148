// What makes the numbers of a report doubtful: data with a remedy. The codes are
// those that the harness gives.
#pragma once

#include <string>
#include <vector>

#include "runner/session.h"

namespace vgfio {

struct Warning {
  std::string code;
  std::string message;
  std::string remedy;
};

// `measured` are the records of the measured inferences.
std::vector<Warning> find_warnings(const Session& session, const std::vector<Record>& measured);

// Of the samples alone: few, spread out, a slow first run.
std::vector<Warning> sample_warnings(const std::vector<Record>& measured, uint64_t first_run_ns);

}  // namespace vgfio
