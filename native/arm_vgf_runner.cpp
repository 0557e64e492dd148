// Runs and measures models on the VGF backend alone: no CPU kernels, and the
// backend's own settings as flags.
#include <cstdio>

#include <gflags/gflags.h>

#include "base/names.h"
#include "delegate/register.h"
#include "runner/runner_program.h"

DEFINE_string(device, "", "Part of the device's name, or its index in --list_devices.");
DEFINE_string(io, "", "copy, zero-copy, staged or lend; empty: what ET_VGF_ZERO_COPY says.");
DEFINE_string(wait, "adaptive", "How the host waits for the device: adaptive, fence or spin.");
DEFINE_string(copy_memory, "auto",
              "Memory that is copied to and from: auto, cached, uncached or device-local.");
DEFINE_uint32(binding_sets, 0,
              "Combinations of bound buffers that are kept ready; 0: the backend's default.");
DEFINE_bool(list_devices, false, "Prints what this machine offers and lacks as JSON, and ends.");

namespace vgfio {
namespace {

constexpr uint32_t kMostBindingSets = 1 << 20;

Result<DelegateChoice> read_choice() {
  DelegateChoice choice;
  choice.device = FLAGS_device;
  if (!FLAGS_io.empty()) {
    choice.io_mode = parse_io_mode(FLAGS_io);
    if (!choice.io_mode) return Status::invalid("--io takes copy, zero-copy, staged or lend");
  }
  choice.wait = parse_wait(FLAGS_wait);
  if (!choice.wait) return Status::invalid("--wait takes adaptive, fence or spin");
  const auto memory = parse_copy_memory(FLAGS_copy_memory);
  if (!memory) {
    return Status::invalid("--copy_memory takes auto, cached, uncached or device-local");
  }
  choice.copy_memory = *memory;
  if (FLAGS_binding_sets > kMostBindingSets) {
    return Status::invalid("--binding_sets takes at most " + std::to_string(kMostBindingSets));
  }
  choice.binding_sets = FLAGS_binding_sets;
  return choice;
}

}  // namespace
}  // namespace vgfio

int main(int argc, char** argv) {
  vgfio::RunnerProgram program("arm_vgf_runner", argc, argv);
  if (const auto code = program.parse("runs an ExecuTorch model (.pte) on the VGF backend alone",
                                      "arm_vgf_runner --model_path=model.pte --io=zero-copy")) {
    return *code;
  }
  if (FLAGS_list_devices) {
    std::puts(vgfio::probe_vgf_devices());
    return 0;
  }
  const auto choice = vgfio::read_choice();
  return choice.ok() ? program.run(*choice) : program.fail(choice.status());
}
