#include "runner/benchmark_loop.h"

#include <string>

#include "base/delegate_error.h"
#include "runner/runtime_log.h"
#include "runner/stop.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;

// Device timestamps are on for a scope.
class ProfileScope {
 public:
  ProfileScope(Sink& sink, bool on) : sink_(sink) { sink_.set_profile_device(on); }
  ~ProfileScope() { sink_.set_profile_device(false); }
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;

 private:
  Sink& sink_;
};

et::Error measure(et::Method& method, Sink& sink, Record& record, Record* parts,
                  uint64_t& origin_ns) {
  sink.open_record();
  const uint64_t begin = now_ns();
  const et::Error error = method.execute();
  const uint64_t end = now_ns();
  if (origin_ns == 0) origin_ns = begin;
  record = Record{};
  record.start_ns = begin - origin_ns;
  record.latency_ns = end - begin;
  sink.close_record(record, parts);
  return error;
}

Status failed_inference(et::Error error, uint64_t index) {
  return runtime_status(error, VGFIO_RUN_FAILED, "inference " + std::to_string(index) + " failed");
}

}  // namespace

Status run_loop(et::Method& method, IoBinding& binding, Sink& sink, const LoopPlan& plan,
                size_t* written) {
  *written = 0;
  const RecordStorage& storage = plan.storage;
  if (storage.capacity < plan.iterations) {
    return Status::invalid("there is room for " + std::to_string(storage.capacity) + " records, " +
                           std::to_string(plan.iterations) + " are asked for");
  }
  const size_t delegates = sink.delegates().size();
  const RuntimeLogCapture capture;
  const Sink::Scope scope(&sink);
  const ProfileScope profile(sink, plan.profile_device);
  (void)take_delegate_error();

  uint64_t origin_ns = 0;
  const uint64_t loop_begin = now_ns();
  for (uint64_t i = 0; i < plan.iterations; ++i) {
    if (stop_requested()) return {VGFIO_INTERRUPTED, "stopped on request"};
    if (plan.max_ns != 0 && now_ns() - loop_begin >= plan.max_ns) break;
    VGFIO_RETURN_IF_ERROR(binding.begin_inference());
    Record* parts = storage.parts == nullptr ? nullptr : storage.parts + i * delegates;
    const et::Error error = measure(method, sink, storage.records[i], parts, origin_ns);
    if (error != et::Error::Ok) return failed_inference(error, i);
    ++*written;
  }
  return {};
}

}  // namespace vgfio
