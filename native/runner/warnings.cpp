#include "runner/warnings.h"

#include <cstdio>

#include "base/names.h"
#include "runner/build_info.h"
#include "runner/host_info.h"
#include "runner/summary.h"

namespace vgfio {
namespace {

constexpr size_t kMinSamples = 30;
constexpr double kMaxSpread = 0.10;     // MAD over median
constexpr double kSlowFirstRun = 3.0;   // times the median
constexpr double kMinLatencyNs = 1000;  // the clock steps by some tens of nanoseconds

std::string decimals(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

void add_device(const DeviceInfo& device, std::vector<Warning>& warnings) {
  if (device.emulated) {
    warnings.push_back({"emulated_device",
                        "VK_ARM_tensors and VK_ARM_data_graph are emulated by layers: times are "
                        "not those of hardware with the extensions",
                        "compare ratios only, or run on a device with native VK_ARM_* extensions"});
  }
  if (device.type == "cpu") {
    warnings.push_back({"cpu_device",
                        device.name + " runs on the CPU: no time here says anything about a GPU",
                        "run on a GPU"});
  }
}

void add_host(std::vector<Warning>& warnings) {
  const auto host = host_json();
  const auto& governor = host["governor"];
  if (governor.is_string() && governor != "performance") {
    warnings.push_back({"governor",
                        "the CPU frequency governor is \"" + governor.get<std::string>() + "\"",
                        "set it to \"performance\" for the time of the measurement"});
  }
  const auto& load = host["load_average"];
  if (load.is_array() && load[0].get<double>() > host["cores"].get<double>()) {
    warnings.push_back({"high_load",
                        "the load average is " + decimals(load[0].get<double>(), 1) + " on " +
                            host["cores"].dump() + " cores",
                        "stop other work on this machine and run again"});
  }
}

void add_build(std::vector<Warning>& warnings) {
  const auto tool = tool_json();
  if (tool["build_type"] != "Debug" && tool["sanitizers"] == false) return;
  warnings.push_back(
      {"debug_build", "this is not an optimised build", "measure with the release preset"});
}

void add_fallbacks(const Session& session, std::vector<Warning>& warnings) {
  if (session.options().io_mode == VGFIO_IO_COPY) return;
  for (const vgfio_tensor_path& path : session.paths()) {
    if (path.path != VGFIO_PATH_COPY) continue;
    std::string message = std::string(direction_name(path.direction)) + " " +
                          std::to_string(path.index) + " of delegate " +
                          std::to_string(path.delegate) +
                          " was copied: " + reason_name(path.reason);
    if (path.detail[0] != '\0') message += std::string(" (") + path.detail + ")";
    warnings.push_back({"fallback", message, reason_remedy(path.reason)});
  }
}

}  // namespace

std::vector<Warning> sample_warnings(const std::vector<Record>& measured, uint64_t first_run_ns) {
  std::vector<uint64_t> latencies;
  for (const Record& record : measured) latencies.push_back(record.latency_ns);
  const auto latency = summarize(latencies);
  std::vector<Warning> warnings;
  if (!latency) return warnings;
  if (latency->count < kMinSamples) {
    warnings.push_back({"few_samples",
                        std::to_string(latency->count) + " measured inferences are few",
                        "measure at least " + std::to_string(kMinSamples)});
  }
  if (latency->median < kMinLatencyNs) {
    warnings.push_back({"timer_resolution",
                        "the median latency of " + decimals(latency->median, 0) +
                            " ns is close to the clock's resolution",
                        "measure a larger model"});
  }
  if (latency->median > 0 && latency->mad / latency->median > kMaxSpread) {
    warnings.push_back({"unstable",
                        "latencies are spread by " +
                            decimals(100 * latency->mad / latency->median, 0) +
                            "% around the median (MAD)",
                        "stop other work on this machine, fix the clock frequencies, measure "
                        "longer"});
  }
  if (latency->median > 0 && static_cast<double>(first_run_ns) > kSlowFirstRun * latency->median) {
    warnings.push_back({"slow_first_run",
                        "the first inference took " +
                            decimals(static_cast<double>(first_run_ns) / latency->median, 0) +
                            " times the median",
                        "it is reported apart; count it where start-up time matters"});
  }
  return warnings;
}

std::vector<Warning> find_warnings(const Session& session, const std::vector<Record>& measured) {
  std::vector<Warning> warnings;
  add_device(session.device(), warnings);
  add_host(warnings);
  add_build(warnings);
  for (Warning& warning : sample_warnings(measured, session.times().first_run_ns)) {
    warnings.push_back(std::move(warning));
  }
  add_fallbacks(session, warnings);
  return warnings;
}

}  // namespace vgfio
