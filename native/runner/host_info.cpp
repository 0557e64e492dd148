#include "runner/host_info.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace vgfio {
namespace {

using Json = nlohmann::ordered_json;

// The value of the first "key<separator>value" line of a file; "" if none.
std::string find_value(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const size_t at = line.find(separator);
    if (at == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
    size_t begin = line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\"\r") - begin + 1);
  }
  return {};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string cpu_model() {
  std::string model = find_value("/proc/cpuinfo", "model name", ':');
  if (model.empty()) model = find_value("/proc/cpuinfo", "Hardware", ':');
  if (model.empty()) model = first_line("/proc/device-tree/model");
  return model;
}

}  // namespace

Json host_json() {
  utsname names{};
  uname(&names);
  Json load = nullptr;
  if (double average[3]; getloadavg(average, 3) == 3) load = {average[0], average[1], average[2]};
  return {
      {"os", text_or_null(find_value("/etc/os-release", "PRETTY_NAME", '='))},
      {"kernel", std::string(names.sysname) + " " + names.release},
      {"machine", names.machine},
      {"cpu", text_or_null(cpu_model())},
      {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
      {"governor",
       text_or_null(first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))},
      {"load_average", load},
  };
}

}  // namespace vgfio
