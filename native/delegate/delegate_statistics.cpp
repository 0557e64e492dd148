// What a delegate tells the statistics; compiled only with them.
#include "base/names.h"
#include "delegate/delegate_instance.h"

namespace vgfio {
namespace {

std::string version_text(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
         std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

}  // namespace

DeviceInfo DelegateInstance::device() const {
  const DeviceSnapshot& snapshot = device_->info();
  const DevicePlan& plan = device_->plan();
  DeviceInfo info;
  info.name = snapshot.name;
  info.vendor_id = snapshot.vendor_id;
  info.device_id = snapshot.device_id;
  info.driver_name = snapshot.driver_name;
  info.driver_info = snapshot.driver_info;
  info.api_version = version_text(snapshot.api_version);
  info.type = device_type_name(snapshot.type);
  info.emulated = device_->emulated();
  if (info.emulated) {
    info.layers.assign(emulation_layer_names().begin(), emulation_layer_names().end());
  }
  info.extensions = plan.extensions;
  info.import_alignment = plan.host_import ? snapshot.import_alignment : 0;
  info.timestamps = plan.timestamp_valid_bits > 0;
  info.timestamp_period_ns = static_cast<double>(snapshot.timestamp_period_ns);
  for (uint32_t i = 0; i < snapshot.memory.memoryTypeCount; ++i) {
    const VkMemoryType& type = snapshot.memory.memoryTypes[i];
    info.memory_types.push_back(
        {type.propertyFlags, type.heapIndex, snapshot.memory.memoryHeaps[type.heapIndex].size});
  }
  info.wait = wait_name(session_->wait());
  return info;
}

InitTimes DelegateInstance::init_times() const {
  return {init_.device_ns, session_->times().decode_ns, session_->times().pipeline_ns};
}

DelegateSource::Lent DelegateInstance::lend(vgfio_direction direction, size_t index) {
  const size_t count = tensor_count(direction);
  if (index >= count) return {};
  const size_t offset = direction == VGFIO_OUTPUT ? session_->input_count() : 0;
  const Result<HostTensor> lent = session_->lend(offset + index);
  return lent.ok() ? Lent{lent->data, lent->bytes} : Lent{};
}

size_t DelegateInstance::tensor_count(vgfio_direction direction) const {
  return direction == VGFIO_INPUT ? session_->input_count() : session_->output_count();
}

}  // namespace vgfio
