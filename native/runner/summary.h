// Statistics of one metric over the measured inferences. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vgfio {

// Units are those of the samples. A percentile is there only where enough
// samples carry it: p90 from 10, p95 from 20, p99 from 100 on.
struct Summary {
  size_t count = 0;
  double median = 0;
  double mean = 0;
  uint64_t min = 0;
  uint64_t max = 0;
  double mad = 0;  // median of the distances from the median
  std::optional<double> p90;
  std::optional<double> p95;
  std::optional<double> p99;
};

// Nothing for no samples. The median of an even count is the middle of the two;
// percentiles are interpolated between the neighbouring samples.
std::optional<Summary> summarize(std::vector<uint64_t> samples);

}  // namespace vgfio
