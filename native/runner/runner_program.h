// What executor_runner and arm_vgf_runner have in common: command line, mode,
// errors, exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "runner/method.h"

namespace vgfio {

class RunnerProgram {
 public:
  RunnerProgram(std::string name, int argc, char** argv);

  // Sets the flags. An exit code if the program is done already: help, version,
  // a bad command line (2). The help begins with the purpose and the example.
  std::optional<int> parse(const std::string& purpose, const std::string& example);
  // Runs the mode that the flags ask for with VgfBackend registered, and returns
  // the exit code.
  int run(const DelegateChoice& choice);
  // Prints the one line of an error and returns its exit code.
  int fail(const Status& status) const;

 private:
  Status run_mode(DelegateChoice choice);

  std::string name_;
  int argc_;
  char** argv_;
};

}  // namespace vgfio
