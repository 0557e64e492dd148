#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

extern char** environ;

namespace vgfio::testing {
namespace {

std::vector<std::string> merged(const Environment& added) {
  Environment all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const char* equals = std::strchr(*entry, '=');
    if (equals != nullptr)
      all[std::string(*entry, static_cast<size_t>(equals - *entry))] = equals + 1;
  }
  all.erase("ET_VGF_ZERO_COPY");  // a test says itself what it wants
  for (const auto& [name, value] : added) all[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : all) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Environment no_device() {
  return {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}};
}

Process::Process(const std::string& program, const std::vector<std::string>& arguments,
                 const Environment& environment) {
  static int count = 0;
  const std::string base = temporary("process" + std::to_string(count++));
  out_ = base + ".out";
  err_ = base + ".err";
  std::vector<std::string> argv_texts = {std::string(VGFIO_PROGRAMS) + "/" + program};
  argv_texts.insert(argv_texts.end(), arguments.begin(), arguments.end());
  std::vector<std::string> env_texts = merged(environment);
  const auto argv = pointers(argv_texts);
  const auto env = pointers(env_texts);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_.c_str(), kFlags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_.c_str(), kFlags, 0600);
  const int error = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) ADD_FAILURE() << "cannot start " << argv[0] << ": " << std::strerror(error);
}

Process::~Process() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Process::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

Outcome Process::wait() {
  int status = 0;
  if (pid_ <= 0 || waitpid(pid_, &status, 0) != pid_) return {};
  pid_ = -1;
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  outcome.out = read_file(out_);
  outcome.err = read_file(err_);
  return outcome;
}

Outcome run(const std::string& program, const std::vector<std::string>& arguments,
            const Environment& environment) {
  return Process(program, arguments, environment).wait();
}

std::string demo_model(const std::string& name) {
  return std::string(VGFIO_DEMO_MODELS) + "/" + name + ".pte";
}

std::string data_model(const std::string& name) {
  return std::string(VGFIO_TEST_DATA) + "/" + name + ".pte";
}

// ctest runs tests side by side: each process has a folder of its own.
std::string temporary(const std::string& name) {
  const std::string folder = ::testing::TempDir() + "vgfio." + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  return folder + "/" + name;
}

std::string input_file(const std::string& name, size_t bytes) {
  const std::string path = temporary(name);
  std::ofstream(path, std::ios::binary) << std::string(bytes, '\0');
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool exists(const std::string& path) { return std::filesystem::exists(path); }

}  // namespace vgfio::testing
