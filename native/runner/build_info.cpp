#include "runner/build_info.h"

namespace vgfio {
namespace {

#ifdef NDEBUG
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

// Whose VGF backend runs the models: this project's, or the one of ExecuTorch's tree.
#ifndef VGFIO_DELEGATE
#define VGFIO_DELEGATE "vgf-io-bench"
#endif

#ifdef VGFIO_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

#if defined(__clang__)
constexpr char kCompiler[] = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr char kCompiler[] = "GCC " __VERSION__;
#else
constexpr char kCompiler[] = "unknown";
#endif

}  // namespace

nlohmann::ordered_json tool_json() {
  return {
      {"name", "vgf-io-bench"},
      {"version", VGFIO_VERSION},
      {"build_type", VGFIO_BUILD_TYPE},
      {"compiler", kCompiler},
      {"executorch", VGFIO_EXECUTORCH_VERSION},
      {"delegate", VGFIO_DELEGATE},
      {"statistics", true},
      {"assertions", kAssertions},
      {"sanitizers", kSanitized},
  };
}

}  // namespace vgfio
