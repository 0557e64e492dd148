// What ExecuTorch's own VGF backend calls where it is built with
// EXECUTORCH_VGF_IO_STATS: statistics around its copies and its submission, and
// the caller's memory bound instead of copied. Without the option this header is
// one empty macro.
//
// Included by the backend's files, so it names no Vulkan type.
#pragma once

#ifndef EXECUTORCH_VGF_IO_STATS

// Its argument is compiled only with the option.
#define VGF_IO_STATS(...)

#else

#define VGF_IO_STATS(...) __VA_ARGS__

#include <memory>

#include <executorch/runtime/backend/interface.h>

#include "base/clock.h"
#include "stats/record.h"

namespace executorch {
namespace backends {
namespace vgf {
class VgfRepr;
}
}  // namespace backends
}  // namespace executorch

namespace vgfio {

class UpstreamVgf;  // the one class that reads the members of a VgfRepr

// When a delegate's initialisation began, and when its device was open.
class InitClock {
 public:
  void device_opened() { opened_ns_ = now_ns(); }
  uint64_t device_ns() const { return opened_ns_ - begin_ns_; }
  uint64_t since_opened_ns() const { return now_ns() - opened_ns_; }

 private:
  uint64_t begin_ns_ = now_ns();
  uint64_t opened_ns_ = begin_ns_;
};

// The model boundary of one delegate. Owned by its VgfRepr, which outlives it.
class DelegateIo {
 public:
  // Last step of init(): reads the options of the runtime and the VGF once more,
  // and sets repr.io. On an error `repr` is destroyed, and init() returns it.
  static executorch::runtime::Error attach(
      executorch::backends::vgf::VgfRepr& repr,
      const executorch::runtime::BackendInitContext& context,
      const executorch::runtime::FreeableBuffer& processed, const InitClock& clock);
  ~DelegateIo();
  DelegateIo(const DelegateIo&) = delete;
  DelegateIo& operator=(const DelegateIo&) = delete;

  // One execute(): binds what can be bound, and adds to the open record when it
  // ends. `args` are the inputs, then the outputs.
  class Inference {
   public:
    Inference(DelegateIo& io, executorch::runtime::Span<executorch::runtime::EValue*> args);
    ~Inference();
    Inference(const Inference&) = delete;
    Inference& operator=(const Inference&) = delete;
    // Not Ok: execute() must return it.
    executorch::runtime::Error error() const { return error_; }

   private:
    DelegateIo& io_;
    executorch::runtime::Error error_;
  };

  // Whether argument `arg` crosses without a copy in this inference.
  bool bound(size_t arg) const;
  // Add the rest of the caller's scope to the record: one memcpy of argument
  // `arg`; queue submit to fence signalled.
  ScopedTimer time_copy(size_t arg) const;
  ScopedTimer time_submit();

 private:
  struct State;
  explicit DelegateIo(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vgfio

#endif
