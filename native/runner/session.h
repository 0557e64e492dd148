// The engine behind the C interface and the programs' benchmark mode: one
// loaded method, its bindings and its runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "runner/benchmark_loop.h"
#include "runner/io_binding.h"
#include "runner/method.h"
#include "runner/preflight.h"
#include "runner/program.h"
#include "stats/sink.h"

namespace vgfio {

struct SessionOptions {
  vgfio_io_mode io_mode = VGFIO_IO_COPY;
  vgfio_wait wait = VGFIO_WAIT_ADAPTIVE;
  uint64_t io_alignment = 0;  // bytes, a power of two >= 64; 0: what the device asks for
  bool require_zero_copy = false;
  bool allow_planned_io = false;
  vgfio_copy_memory copy_memory = VGFIO_COPY_MEMORY_AUTO;
  uint32_t binding_sets = 0;  // 0: the delegate's default
  std::string method_name;    // "": the first one
  std::string data_path;      // .ptd file, or ""
  std::string device;         // part of a name, or an index; "": the delegate's rule
};

inline constexpr uint64_t kMinIoAlignment = 64;

struct SessionTimes {
  uint64_t load_ns = 0;       // program and method, the delegates' part included
  InitTimes delegates;        // sum over the VGF delegates
  uint64_t import_ns = 0;     // host imports before the measured inferences
  uint64_t first_run_ns = 0;  // latency of the session's first inference; 0 before it
};

class Session {
 public:
  // `read_ns` is the time that opening the program took. Checks the request,
  // then loads the method: a device is touched only by a valid request.
  static Result<std::unique_ptr<Session>> create(std::unique_ptr<ModelProgram> model,
                                                 const SessionOptions& options, uint64_t read_ns);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::vector<vgfio_tensor_info>& tensors(vgfio_direction direction) const {
    return direction == VGFIO_INPUT ? method_info_.inputs : method_info_.outputs;
  }
  IoBinding& binding() { return *binding_; }
  const IoBinding& binding() const { return *binding_; }
  // As IoBinding::bind(), and knows memory that lend() gave.
  Status bind(vgfio_direction direction, size_t index, void* data, size_t capacity);
  // Keeps a buffer known also while it is not bound. VGFIO_INVALID_REQUEST if it
  // overlaps another one, or for forget() if it is not kept.
  Status keep(void* data, size_t capacity);
  Status forget(void* data);
  // The delegate's own memory for a model tensor (VGFIO_IO_LEND). Errors:
  // VGFIO_INVALID_REQUEST in another mode, VGFIO_UNSUPPORTED if there is none.
  Result<DelegateSource::Lent> lend(vgfio_direction direction, size_t index);

  size_t delegate_count() const { return sink_.delegates().size(); }
  // Warm-up, then the plan. The warm-up's records are kept until the next run.
  Status run(uint64_t warmup, const LoopPlan& plan, size_t* written);
  const std::vector<Record>& warmup_records() const { return warmup_records_; }

  // Of the last inference.
  std::vector<vgfio_tensor_path> paths() const;
  // Of the first delegate; they share one device.
  DeviceInfo device() const;
  SessionTimes times() const;
  const ModelProgram& model() const { return *model_; }
  // SHA-256 of the program's bytes, computed when it is first asked for.
  const std::string& model_digest();
  const MethodFacts& facts() const { return *method_info_.facts; }
  const SessionOptions& options() const { return options_; }
  executorch::runtime::Method& method() { return loaded_->method(); }

 private:
  explicit Session(const SessionOptions& options) : options_(options) {}
  void set_alignment();
  Status warm_up(uint64_t count);
  void note_first_inference(const Record& record);

  SessionOptions options_;
  std::unique_ptr<ModelProgram> model_;
  CheckedMethod method_info_;
  Sink sink_;  // before the method: delegates detach when it goes
  std::unique_ptr<LoadedMethod> loaded_;
  std::unique_ptr<IoBinding> binding_;  // goes first: forgets the buffers
  std::vector<void*> lent_;
  std::map<void*, NotedRegion> kept_;
  std::vector<Record> warmup_records_;
  SessionTimes times_;
  std::string model_digest_;
};

// VGFIO_INVALID_REQUEST for values outside the enumerations or an alignment
// that is no power of two from kMinIoAlignment on.
Status check_options(const SessionOptions& options);

}  // namespace vgfio
