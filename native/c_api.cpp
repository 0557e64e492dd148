// The C interface: argument checks, one call into the engine each, and nothing
// thrown across it.
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "base/clock.h"
#include "base/delegate_error.h"
#include "base/names.h"
#include "delegate/register.h"
#include "runner/build_info.h"
#include "runner/program.h"
#include "runner/session.h"
#include "runner/session_json.h"
#include "runner/stop.h"
#include "vgf_io_bench.h"

#include <executorch/runtime/platform/runtime.h>

struct vgfio_session {
  std::unique_ptr<vgfio::Session> session;
  std::string report;  // what vgfio_session_report() gave last
};

namespace vgfio {
namespace {

thread_local std::string error_detail;

// Open sessions; with the last one the device closes, so that nothing of Vulkan
// is left for static destruction.
std::atomic<int> open_sessions{0};

int finish(const Status& status) {
  error_detail = status.detail();
  return status.code();
}

// Runs the body of a function of the interface.
template <typename Body>
int guarded(const Body& body) {
  try {
    return finish(body());
  } catch (const std::bad_alloc&) {
    return finish(Status::failed("no host memory left"));
  } catch (const std::exception& error) {
    return finish(Status::failed(std::string("unexpected: ") + error.what()));
  } catch (...) {
    return finish(Status::failed("unexpected exception"));
  }
}

Status need(const void* pointer, const char* name) {
  return pointer != nullptr ? Status() : Status::invalid(std::string(name) + " is NULL");
}

template <typename T>
Status check_struct(const T* value, const char* name) {
  VGFIO_RETURN_IF_ERROR(need(value, name));
  if (value->struct_size >= sizeof(T)) return Status();
  return Status::invalid(std::string(name) + "->struct_size is " +
                         std::to_string(value->struct_size) + ", this library needs " +
                         std::to_string(sizeof(T)) + "; use a caller built with its header");
}

Status check_direction(uint32_t direction) {
  return direction <= VGFIO_OUTPUT ? Status() : Status::invalid("there is no such direction");
}

std::string text(const char* value) { return value != nullptr ? value : ""; }

Result<SessionOptions> read_options(const vgfio_session_options* given) {
  SessionOptions options;
  if (given == nullptr) return options;
  VGFIO_RETURN_IF_ERROR(check_struct(given, "options"));
  options.io_mode = static_cast<vgfio_io_mode>(given->io_mode);
  options.wait = static_cast<vgfio_wait>(given->wait);
  options.io_alignment = given->io_alignment;
  options.require_zero_copy = given->require_zero_copy != 0;
  options.allow_planned_io = given->allow_planned_io != 0;
  options.copy_memory = static_cast<vgfio_copy_memory>(given->copy_memory);
  options.binding_sets = given->binding_sets;
  options.method_name = text(given->method_name);
  options.data_path = text(given->data_path);
  options.device = text(given->device);
  return options;
}

Status create(Result<std::unique_ptr<ModelProgram>> model, uint64_t begin_ns,
              const vgfio_session_options* given, vgfio_session** out) {
  if (!model.ok()) return model.status();
  VGFIO_ASSIGN_OR_RETURN(const SessionOptions options, read_options(given));
  if (!register_vgf_backend()) {
    return Status::failed("VgfBackend cannot be registered: another one is in this process");
  }
  VGFIO_ASSIGN_OR_RETURN(std::unique_ptr<Session> session,
                         Session::create(model.take(), options, now_ns() - begin_ns));
  *out = new vgfio_session{std::move(session), {}};
  ++open_sessions;
  return Status();
}

// Null checks that all calls on a session share.
template <typename Body>
int on_session(vgfio_session* session, const Body& body) {
  return guarded([&]() -> Status {
    VGFIO_RETURN_IF_ERROR(need(session, "session"));
    return body(*session->session);
  });
}

}  // namespace
}  // namespace vgfio

using vgfio::Status;

extern "C" {

uint32_t vgfio_abi_version(void) { return VGFIO_ABI_VERSION; }

const char* vgfio_build_info(void) {
  static const std::string info = vgfio::tool_json().dump();
  return info.c_str();
}

const char* vgfio_error_detail(void) { return vgfio::error_detail.c_str(); }

const char* vgfio_reason_name(uint32_t reason) { return vgfio::reason_name(reason); }
const char* vgfio_reason_remedy(uint32_t reason) { return vgfio::reason_remedy(reason); }
const char* vgfio_io_mode_name(uint32_t io_mode) { return vgfio::io_mode_name(io_mode); }
const char* vgfio_path_name(uint32_t path) { return vgfio::path_name(path); }

int vgfio_probe_devices(const char** out_json) {
  return vgfio::guarded([&]() -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out_json, "out_json"));
    *out_json = vgfio::probe_vgf_devices();
    return Status();
  });
}

int vgfio_session_create(const char* model_path, const vgfio_session_options* options,
                         vgfio_session** out) {
  return vgfio::guarded([&]() -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out, "out"));
    *out = nullptr;
    VGFIO_RETURN_IF_ERROR(vgfio::need(model_path, "model_path"));
    executorch::runtime::runtime_init();
    const uint64_t begin = vgfio::now_ns();
    return vgfio::create(vgfio::ModelProgram::open(model_path), begin, options, out);
  });
}

int vgfio_session_create_from_memory(const void* data, size_t bytes,
                                     const vgfio_session_options* options, vgfio_session** out) {
  return vgfio::guarded([&]() -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out, "out"));
    *out = nullptr;
    VGFIO_RETURN_IF_ERROR(vgfio::need(data, "data"));
    executorch::runtime::runtime_init();
    const uint64_t begin = vgfio::now_ns();
    return vgfio::create(vgfio::ModelProgram::from_memory(data, bytes), begin, options, out);
  });
}

void vgfio_session_destroy(vgfio_session* session) {
  if (session == nullptr) return;
  delete session;
  if (--vgfio::open_sessions == 0) vgfio::shutdown_vgf_backend();
}

int vgfio_tensor_count(vgfio_session* session, uint32_t direction, uint32_t* out) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out, "out"));
    VGFIO_RETURN_IF_ERROR(vgfio::check_direction(direction));
    *out = static_cast<uint32_t>(engine.tensors(static_cast<vgfio_direction>(direction)).size());
    return Status();
  });
}

int vgfio_tensor_describe(vgfio_session* session, uint32_t direction, uint32_t index,
                          vgfio_tensor_info* out) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::check_struct(out, "out"));
    VGFIO_RETURN_IF_ERROR(vgfio::check_direction(direction));
    const auto& tensors = engine.tensors(static_cast<vgfio_direction>(direction));
    if (index >= tensors.size()) return Status::invalid("there is no tensor of that index");
    *out = tensors[index];
    return Status();
  });
}

int vgfio_bind(vgfio_session* session, uint32_t direction, uint32_t index, void* data,
               size_t capacity) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::check_direction(direction));
    return engine.bind(static_cast<vgfio_direction>(direction), index, data, capacity);
  });
}

int vgfio_unbind(vgfio_session* session, uint32_t direction, uint32_t index) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::check_direction(direction));
    return engine.binding().unbind(static_cast<vgfio_direction>(direction), index);
  });
}

int vgfio_keep(vgfio_session* session, void* data, size_t capacity) {
  return vgfio::on_session(
      session, [&](vgfio::Session& engine) -> Status { return engine.keep(data, capacity); });
}

int vgfio_forget(vgfio_session* session, void* data) {
  return vgfio::on_session(session,
                           [&](vgfio::Session& engine) -> Status { return engine.forget(data); });
}

int vgfio_lend(vgfio_session* session, uint32_t direction, uint32_t index, void** out,
               size_t* capacity) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out, "out"));
    *out = nullptr;
    VGFIO_RETURN_IF_ERROR(vgfio::need(capacity, "capacity"));
    VGFIO_RETURN_IF_ERROR(vgfio::check_direction(direction));
    VGFIO_ASSIGN_OR_RETURN(const vgfio::DelegateSource::Lent lent,
                           engine.lend(static_cast<vgfio_direction>(direction), index));
    *out = lent.data;
    *capacity = lent.capacity;
    return Status();
  });
}

int vgfio_delegate_count(vgfio_session* session, uint32_t* out) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out, "out"));
    *out = static_cast<uint32_t>(engine.delegate_count());
    return Status();
  });
}

int vgfio_run(vgfio_session* session, const vgfio_run_options* options, vgfio_record* records,
              size_t capacity, vgfio_record* delegate_records, size_t* written) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(written, "written"));
    *written = 0;
    VGFIO_RETURN_IF_ERROR(vgfio::check_struct(options, "options"));
    if (options->iterations > 0) VGFIO_RETURN_IF_ERROR(vgfio::need(records, "records"));
    vgfio::LoopPlan plan;
    plan.iterations = options->iterations;
    plan.max_ns = options->max_ns;
    plan.profile_device = options->profile_device != 0;
    plan.storage = {records, capacity, delegate_records};
    return engine.run(options->warmup, plan, written);
  });
}

int vgfio_path_count(vgfio_session* session, uint32_t* out) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out, "out"));
    *out = static_cast<uint32_t>(engine.paths().size());
    return Status();
  });
}

int vgfio_path_get(vgfio_session* session, uint32_t index, vgfio_tensor_path* out) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::check_struct(out, "out"));
    const auto paths = engine.paths();
    if (index >= paths.size()) return Status::invalid("there is no path of that index");
    *out = paths[index];
    return Status();
  });
}

int vgfio_session_report(vgfio_session* session, const char** out_json) {
  return vgfio::on_session(session, [&](vgfio::Session& engine) -> Status {
    VGFIO_RETURN_IF_ERROR(vgfio::need(out_json, "out_json"));
    session->report = vgfio::session_json(engine, {}).dump();
    *out_json = session->report.c_str();
    return Status();
  });
}

void vgfio_request_stop(void) { vgfio::request_stop(); }
void vgfio_clear_stop(void) { vgfio::clear_stop(); }

}  // extern "C"
