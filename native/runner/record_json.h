// Records and their summaries as JSON, with the fixed names of the fields.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "stats/record.h"

namespace vgfio {

// One object per record; gpu_ns is null where it is not valid.
nlohmann::ordered_json records_json(const std::vector<Record>& records);

// One object per metric with its statistics; null where no record has it.
nlohmann::ordered_json summary_json(const std::vector<Record>& records);

}  // namespace vgfio
