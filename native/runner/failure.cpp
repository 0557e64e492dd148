#include "runner/failure.h"

#include <algorithm>
#include <cstdio>

namespace vgfio {

int end_with(const std::string& program, const Status& status) {
  std::fflush(stdout);
  std::string line = status.detail();
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::fprintf(stderr, "%s: error: %s\n", program.c_str(), line.c_str());
  return status.code();
}

}  // namespace vgfio
