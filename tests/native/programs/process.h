// Runs a program of this build and keeps what it said.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace vgfio::testing {

struct Outcome {
  int exit_code = -1;  // -signal if one ended it
  std::string out;
  std::string err;
};

using Environment = std::map<std::string, std::string>;

// An environment in which no Vulkan device can be found: a program that ends
// with 2 here has refused before it looked for one.
Environment no_device();

class Process {
 public:
  // The program's name as in the build's bin folder; `environment` is added to
  // this process's own.
  Process(const std::string& program, const std::vector<std::string>& arguments,
          const Environment& environment = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void signal(int number) const;
  Outcome wait();

 private:
  pid_t pid_ = -1;
  std::string out_;
  std::string err_;
};

Outcome run(const std::string& program, const std::vector<std::string>& arguments,
            const Environment& environment = {});

std::string demo_model(const std::string& name);
std::string data_model(const std::string& name);
// A file of `bytes` bytes in the test's temporary folder; its path.
std::string input_file(const std::string& name, size_t bytes);
std::string read_file(const std::string& path);
bool exists(const std::string& path);
std::string temporary(const std::string& name);

}  // namespace vgfio::testing
