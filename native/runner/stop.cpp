#include "runner/stop.h"

#include <csignal>

#include <atomic>
#include <initializer_list>

namespace vgfio {
namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void on_signal(int) { request_stop(); }

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void request_stop() { stop.store(true, std::memory_order_relaxed); }
void clear_stop() { stop.store(false, std::memory_order_relaxed); }
bool stop_requested() { return stop.load(std::memory_order_relaxed); }

StopOnSignals::StopOnSignals() {
  // SA_RESETHAND: the second signal has its default effect.
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, on_signal, SA_RESETHAND | SA_RESTART);
}

StopOnSignals::~StopOnSignals() {
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, SIG_DFL, 0);
}

}  // namespace vgfio
