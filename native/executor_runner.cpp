// ExecuTorch's executor_runner with the VGF backend and a benchmark mode.
#include "runner/runner_program.h"

int main(int argc, char** argv) {
  vgfio::RunnerProgram program("executor_runner", argc, argv);
  if (const auto code = program.parse(
          "runs an ExecuTorch model (.pte) on CPU kernels and the VGF backend",
          "ET_VGF_ZERO_COPY=1 executor_runner --model_path=model.pte --inputs=a.bin,b.bin")) {
    return *code;
  }
  return program.run({});
}
