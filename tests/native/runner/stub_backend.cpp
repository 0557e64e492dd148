#include "stub_backend.h"

#include <algorithm>
#include <cstring>

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/platform/runtime.h>

#include "base/delegate_error.h"
#include "delegate/options.h"
#include "stats/sink.h"

namespace vgfio::testing {
namespace {

namespace et = executorch::runtime;

StubBehaviour behaviour;

class Instance : public DelegateSource {
 public:
  Instance() : sink_(behaviour.statistics ? Sink::current() : nullptr) {
    if (sink_ != nullptr) index_ = sink_->attach(this);
    ++behaviour.live;
  }
  ~Instance() override {
    if (sink_ != nullptr) sink_->detach(this);
    --behaviour.live;
  }

  et::Error execute(et::Span<et::EValue*> args) {
    const uint64_t execution = behaviour.executions++;
    if (behaviour.on_execute) behaviour.on_execute(execution);
    if (sink_ != nullptr && sink_->profile_device()) ++behaviour.profiled;
    if (execution == behaviour.fail_at) {
      if (!behaviour.fail_execute.ok()) note_delegate_error(behaviour.fail_execute);
      return et::Error::Internal;
    }
    Record* record = sink_ != nullptr ? sink_->part(index_) : nullptr;
    VGFIO_TIME(record, execute_ns);
    arguments_ = args.size();
    if (behaviour.writes_outputs) write_outputs(args, record);
    VGFIO_ADD(record, imports, 1);
    if (record != nullptr && sink_->profile_device()) {
      record->gpu_ns = 1000;
      record->gpu_ns_valid = 1;
    }
    return et::Error::Ok;
  }

  DeviceInfo device() const override {
    DeviceInfo info;
    info.name = "stub device";
    info.driver_name = "stub";
    info.driver_info = "1";
    info.api_version = "1.3.0";
    info.type = "other";
    info.import_alignment = behaviour.import_alignment;
    info.timestamps = behaviour.timestamps;
    info.memory_types = {{0xf, 0, uint64_t{1} << 30}};
    info.wait = "fence";
    return info;
  }
  InitTimes init_times() const override { return {1, 2, 3}; }
  std::vector<vgfio_tensor_path> tensor_paths() const override {
    std::vector<vgfio_tensor_path> paths(arguments_);
    for (size_t i = 0; i < paths.size(); ++i) {
      const bool output = i + behaviour.outputs >= paths.size();
      paths[i].direction = output ? VGFIO_OUTPUT : VGFIO_INPUT;
      paths[i].index = static_cast<uint32_t>(output ? i + behaviour.outputs - paths.size() : i);
      paths[i].path = behaviour.path;
      paths[i].memory_type = -1;
      if (behaviour.path == VGFIO_PATH_COPY) paths[i].reason = VGFIO_REASON_MISALIGNED_POINTER;
    }
    return paths;
  }
  Lent lend(vgfio_direction, size_t) override {
    return behaviour.lent.empty() ? Lent{} : Lent{behaviour.lent.data(), behaviour.lent.size()};
  }
  size_t tensor_count(vgfio_direction direction) const override {
    return direction == VGFIO_OUTPUT ? behaviour.outputs : 2;
  }

 private:
  static void write_outputs(et::Span<et::EValue*> args, Record* record) {
    const auto& source = args[0]->toTensor();
    for (size_t i = args.size() - behaviour.outputs; i < args.size(); ++i) {
      const auto& output = args[i]->toTensor();
      const size_t bytes = std::min(source.nbytes(), output.nbytes());
      if (output.mutable_data_ptr() == nullptr || source.const_data_ptr() == nullptr) continue;
      VGFIO_TIME(record, out_memcpy_ns);
      std::memmove(output.mutable_data_ptr(), source.const_data_ptr(), bytes);
      VGFIO_ADD(record, out_copy_bytes, bytes);
    }
  }

  Sink* sink_;
  size_t index_ = 0;
  size_t arguments_ = 0;
};

class Backend : public et::BackendInterface {
 public:
  bool is_available() const override { return true; }
  et::Result<et::DelegateHandle*> init(et::BackendInitContext&, et::FreeableBuffer*,
                                       et::ArrayRef<et::CompileSpec>) const override {
    ++behaviour.inits;
    if (!behaviour.fail_init.ok()) {
      note_delegate_error(behaviour.fail_init);
      return et::Error::NotSupported;
    }
    return static_cast<et::DelegateHandle*>(new Instance);
  }
  et::Error execute(et::BackendExecutionContext&, et::DelegateHandle* handle,
                    et::Span<et::EValue*> args) const override {
    return static_cast<Instance*>(handle)->execute(args);
  }
  void destroy(et::DelegateHandle* handle) const override { delete static_cast<Instance*>(handle); }
};

void register_once() {
  static Backend backend;
  static const et::Error registered = [] {
    et::runtime_init();
    return et::register_backend({kVgfBackendName, &backend});
  }();
  if (registered != et::Error::Ok) std::abort();
}

}  // namespace

StubBehaviour& reset_stub() {
  register_once();
  behaviour = StubBehaviour();
  return behaviour;
}

StubBehaviour& stub() { return behaviour; }

std::string demo_model(const std::string& name) {
  return std::string(VGFIO_DEMO_MODELS) + "/" + name + ".pte";
}

Result<std::unique_ptr<Session>> open_session(const SessionOptions& options,
                                              const std::string& path) {
  VGFIO_ASSIGN_OR_RETURN(std::unique_ptr<ModelProgram> model,
                         ModelProgram::open(path.empty() ? demo_model("add_1x4x256x256") : path));
  return Session::create(std::move(model), options, 0);
}

}  // namespace vgfio::testing
