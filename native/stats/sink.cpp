#include "stats/sink.h"

#include <algorithm>
#include <utility>

namespace vgfio {
namespace {
thread_local Sink* current_sink = nullptr;
}  // namespace

void Sink::open_record() {
  std::fill(parts_.begin(), parts_.end(), Record{});
  recording_ = true;
}

void Sink::close_record(Record& whole, Record* parts) {
  recording_ = false;
  for (size_t i = 0; i < parts_.size(); ++i) add_part(whole, parts_[i], i == 0);
  if (parts != nullptr) std::copy(parts_.begin(), parts_.end(), parts);
}

size_t Sink::attach(DelegateSource* source) {
  delegates_.push_back(source);
  parts_.emplace_back();
  return delegates_.size() - 1;
}

void Sink::detach(DelegateSource* source) {
  std::replace(delegates_.begin(), delegates_.end(), source, static_cast<DelegateSource*>(nullptr));
}

Sink* Sink::current() { return current_sink; }

Sink::Scope::Scope(Sink* sink) : previous_(std::exchange(current_sink, sink)) {}
Sink::Scope::~Scope() { current_sink = previous_; }

}  // namespace vgfio
