#include "runner/method.h"

#include <algorithm>
#include <utility>

#include <executorch/runtime/backend/backend_options_map.h>
#include <executorch/runtime/backend/interface.h>

#include "base/delegate_error.h"
#include "delegate/options.h"
#include "runner/file_errors.h"
#include "runner/runtime_log.h"

namespace vgfio {
namespace {

namespace et = executorch::runtime;
using executorch::extension::FileDataLoader;
using executorch::extension::FlatTensorDataMap;

constexpr size_t kPlannedAlignment = 4096;
constexpr size_t kDelegateOptions = 6;

et::BackendOptions<kDelegateOptions> delegate_options(const DelegateChoice& choice) {
  et::BackendOptions<kDelegateOptions> options;
  // Storage for every key is there, so that no call can fail.
  if (choice.io_mode) (void)options.set_option(kOptionIoMode, static_cast<int>(*choice.io_mode));
  if (choice.wait) (void)options.set_option(kOptionWait, static_cast<int>(*choice.wait));
  if (!choice.device.empty()) (void)options.set_option(kOptionDevice, choice.device.c_str());
  if (choice.copy_memory != VGFIO_COPY_MEMORY_AUTO) {
    (void)options.set_option(kOptionCopyMemory, static_cast<int>(choice.copy_memory));
  }
  if (choice.binding_sets != 0) {
    (void)options.set_option(kOptionBindingSets, static_cast<int>(choice.binding_sets));
  }
  if (choice.require_zero_copy) (void)options.set_option(kOptionRequireZeroCopy, true);
  return options;
}

std::string registered_backends() {
  std::string names;
  for (size_t i = 0; i < et::get_num_registered_backends(); ++i) {
    const auto name = et::get_backend_name(i);
    if (name.ok()) names += (names.empty() ? "" : ", ") + std::string(*name);
  }
  return names.empty() ? "none" : names;
}

Status check_backends(const MethodFacts& facts) {
  for (const std::string& id : facts.delegates) {
    if (et::get_backend_class(id.c_str()) == nullptr) {
      return Status::invalid(
          "the model needs the backend " + quote(id) +
          ", which this program does not have; registered backends: " + registered_backends());
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LoadedMethod>> LoadedMethod::load(const ModelProgram& model,
                                                         const MethodFacts& facts,
                                                         const std::string& data_path,
                                                         const DelegateChoice& choice,
                                                         et::EventTracer* tracer) {
  if (choice.device.size() >= et::kMaxOptionValueLength) {
    return Status::invalid("the device name is too long");
  }
  VGFIO_RETURN_IF_ERROR(check_backends(facts));
  std::unique_ptr<LoadedMethod> loaded(new LoadedMethod());
  const RuntimeLogCapture capture;
  if (!data_path.empty()) VGFIO_RETURN_IF_ERROR(loaded->load_data(data_path));

  const auto meta = model.program().method_meta(facts.name.c_str());
  if (!meta.ok()) {
    return runtime_status(meta.error(), VGFIO_INVALID_REQUEST, "the method cannot be described");
  }
  VGFIO_RETURN_IF_ERROR(loaded->plan_memory(*meta));
  loaded->memory_manager_.emplace(&loaded->method_allocator_, &*loaded->planned_memory_,
                                  &loaded->temp_allocator_);

  auto options = delegate_options(choice);
  et::LoadBackendOptionsMap options_map;
  (void)options_map.set_options(kVgfBackendName, options.view());
  (void)take_delegate_error();
  auto method =
      model.program().load_method(facts.name.c_str(), &*loaded->memory_manager_, tracer,
                                  loaded->data_map_ ? &*loaded->data_map_ : nullptr, &options_map);
  if (!method.ok()) {
    return runtime_status(method.error(), VGFIO_INVALID_REQUEST,
                          "method " + quote(facts.name) + " cannot be loaded");
  }
  loaded->method_.emplace(std::move(*method));
  return loaded;
}

Status LoadedMethod::load_data(const std::string& path) {
  if (auto bytes = regular_file_bytes(path); !bytes.ok())
    return bytes.status().with_context("data");
  auto loader = FileDataLoader::from(path.c_str());
  if (!loader.ok()) {
    return runtime_status(loader.error(), VGFIO_INVALID_REQUEST,
                          "cannot open the data file " + quote(path));
  }
  data_loader_ = std::make_unique<FileDataLoader>(std::move(*loader));
  auto map = FlatTensorDataMap::load(data_loader_.get());
  if (!map.ok()) {
    return runtime_status(map.error(), VGFIO_INVALID_REQUEST,
                          quote(path) + " is not a usable data file (.ptd)");
  }
  data_map_.emplace(std::move(*map));
  return {};
}

Status LoadedMethod::plan_memory(const et::MethodMeta& meta) {
  for (size_t i = 0; i < meta.num_memory_planned_buffers(); ++i) {
    const auto bytes = meta.memory_planned_buffer_size(i);
    const auto device = meta.memory_planned_buffer_device(i);
    if (!bytes.ok() || *bytes < 0) return Status::invalid("the model's memory plan is damaged");
    if (device.ok() && !device->is_cpu()) {
      return Status::invalid(
          "the model plans memory on another device than the CPU; export it "
          "without device memory planning");
    }
    VGFIO_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                           AlignedBuffer::allocate(static_cast<size_t>(*bytes), kPlannedAlignment));
    // The runtime reads what no instruction has written as it is: as zeros.
    std::fill_n(buffer.data(), buffer.capacity(), std::byte{0});
    planned_regions_.emplace_back(HostRegion{buffer.data(), buffer.capacity(), false, true});
    planned_spans_.emplace_back(reinterpret_cast<uint8_t*>(buffer.data()),
                                static_cast<size_t>(*bytes));
    planned_buffers_.push_back(std::move(buffer));
  }
  planned_memory_.emplace(
      et::Span<et::Span<uint8_t>>(planned_spans_.data(), planned_spans_.size()));
  return {};
}

}  // namespace vgfio
