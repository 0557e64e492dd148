#include "runner/runtime_log.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <executorch/runtime/platform/platform.h>

#include "base/delegate_error.h"

namespace vgfio {
namespace {

using executorch::runtime::get_pal_impl;
using executorch::runtime::PalImpl;
using executorch::runtime::register_pal;

struct Captured {
  int depth = 0;
  char first_error[512] = "";  // a fixed array: capturing allocates nothing
};
thread_local Captured captured;

pal_emit_log_message_method forward = nullptr;
pal_abort_method forward_abort = nullptr;
std::atomic<const char*> program_name{nullptr};
std::atomic<int> abort_code{1};

void emit(et_timestamp_t timestamp, et_pal_log_level_t level, const char* file,
          const char* function, size_t line, const char* message, size_t length) {
  const bool error = level == kError || level == kFatal;
  if (error && captured.first_error[0] == '\0') {
    const size_t kept = std::min(length, sizeof(captured.first_error) - 1);
    std::memcpy(captured.first_error, message, kept);
    captured.first_error[kept] = '\0';
  }
  if (captured.depth == 0 && forward != nullptr) {
    forward(timestamp, level, file, function, line, message, length);
  }
}

// Replaces the runtime's abort: a program that asked for it ends with a line and
// an exit code, any other process as it would have without this.
void end_process() {
  const char* program = program_name.load();
  if (program == nullptr) {
    if (forward_abort != nullptr) forward_abort();
    std::abort();
  }
  char line[640];
  const int length = std::snprintf(line, sizeof(line), "%s: error: the runtime gave up: %s\n",
                                   program, captured.first_error);
  if (length > 0) {
    const auto bytes = std::min<size_t>(static_cast<size_t>(length), sizeof(line) - 1);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, bytes);
  }
  _exit(abort_code.load());
}

// Once for the process: the runtime complains about every registration after
// the first.
void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    forward = get_pal_impl()->emit_log_message;
    forward_abort = get_pal_impl()->abort;
    register_pal(
        PalImpl::create(nullptr, end_process, nullptr, nullptr, emit, nullptr, nullptr, __FILE__));
  });
}

}  // namespace

RuntimeLogCapture::RuntimeLogCapture() {
  install();
  if (captured.depth++ == 0) captured.first_error[0] = '\0';
}

RuntimeLogCapture::~RuntimeLogCapture() { --captured.depth; }

std::string take_runtime_error() {
  std::string text = captured.first_error;
  captured.first_error[0] = '\0';
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

Status runtime_status(executorch::runtime::Error error, StatusCode code, const std::string& what) {
  const std::string said = take_runtime_error();
  if (Status noted = take_delegate_error(); !noted.ok()) return noted;
  std::string detail = what;
  if (!said.empty()) detail += ": " + said;
  return {code, detail + " (" + executorch::runtime::to_string(error) + ")"};
}

void exit_on_runtime_abort(const char* program, int code) {
  abort_code = code;
  program_name = program;
  install();
}

}  // namespace vgfio
