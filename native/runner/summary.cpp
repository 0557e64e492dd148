#include "runner/summary.h"

#include <algorithm>
#include <cmath>

namespace vgfio {
namespace {

// The value at `fraction` of sorted, non-empty samples, linearly interpolated.
template <typename T>
double quantile(const std::vector<T>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const auto low = static_cast<double>(sorted[below]);
  return low + (static_cast<double>(sorted[above]) - low) * (position - static_cast<double>(below));
}

std::optional<double> percentile(const std::vector<uint64_t>& sorted, double fraction,
                                 size_t needed) {
  if (sorted.size() < needed) return std::nullopt;
  return quantile(sorted, fraction);
}

}  // namespace

std::optional<Summary> summarize(std::vector<uint64_t> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  Summary summary;
  summary.count = samples.size();
  summary.min = samples.front();
  summary.max = samples.back();
  summary.median = quantile(samples, 0.5);
  // Around the minimum, so that large equal samples lose no digits.
  double above_min = 0;
  for (const uint64_t sample : samples) above_min += static_cast<double>(sample - summary.min);
  summary.mean = static_cast<double>(summary.min) + above_min / static_cast<double>(samples.size());

  std::vector<double> distances;
  for (const uint64_t sample : samples) {
    distances.push_back(std::abs(static_cast<double>(sample) - summary.median));
  }
  std::sort(distances.begin(), distances.end());
  summary.mad = quantile(distances, 0.5);

  summary.p90 = percentile(samples, 0.90, 10);
  summary.p95 = percentile(samples, 0.95, 20);
  summary.p99 = percentile(samples, 0.99, 100);
  return summary;
}

}  // namespace vgfio
