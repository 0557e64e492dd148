#include "runner/session_json.h"

#include <algorithm>

#include "base/names.h"
#include "delegate/options.h"
#include "runner/build_info.h"
#include "runner/host_info.h"

namespace vgfio {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(json_text(text));
}

Json device_json(const DeviceInfo& device) {
  Json types = Json::array();
  for (const MemoryTypeInfo& type : device.memory_types) {
    types.push_back({{"flags", type.flags}, {"heap", type.heap}, {"heap_bytes", type.heap_bytes}});
  }
  return {
      {"name", json_text(device.name)},
      {"vendor_id", device.vendor_id},
      {"device_id", device.device_id},
      {"driver_name", json_text(device.driver_name)},
      {"driver_info", json_text(device.driver_info)},
      {"api_version", device.api_version},
      {"type", device.type},
      {"emulated", device.emulated},
      {"layers", device.layers},
      {"extensions", device.extensions},
      {"import_alignment", device.import_alignment},
      {"timestamps", device.timestamps},
      {"timestamp_period_ns", device.timestamp_period_ns},
      {"memory_types", types},
      {"wait", device.wait},
  };
}

Json delegates_json(const std::vector<std::string>& ids) {
  Json json = Json::array();
  std::vector<std::string> seen;
  for (const std::string& id : ids) {
    if (std::find(seen.begin(), seen.end(), id) != seen.end()) continue;
    seen.push_back(id);
    json.push_back({{"id", json_text(id)}, {"count", std::count(ids.begin(), ids.end(), id)}});
  }
  return json;
}

Json model_json(Session& session) {
  const ModelProgram& model = session.model();
  const auto& ids = session.facts().delegates;
  return {
      {"path", text_or_null(model.path())},
      {"sha256", session.model_digest()},
      {"bytes", model.bytes()},
      {"method", json_text(session.facts().name)},
      {"delegates", delegates_json(ids)},
      {"vgf_delegates", std::count(ids.begin(), ids.end(), kVgfBackendName)},
  };
}

Json tensor_json(const vgfio_tensor_info& info, const DataOrigin* origin) {
  Json json = {
      {"name", json_text(info.name)},
      {"dtype", info.dtype},
      {"shape", std::vector<int64_t>(info.shape, info.shape + info.dim_count)},
      {"strides", std::vector<int64_t>(info.strides, info.strides + info.dim_count)},
      {"dim_order", std::vector<int>(info.dim_order, info.dim_order + info.dim_count)},
      {"bytes", info.bytes},
      {"element_bytes", info.element_bytes},
      {"required_alignment", info.required_alignment},
      {"required_capacity", info.required_capacity},
      {"memory_planned", info.memory_planned != 0},
  };
  if (origin != nullptr) {
    json["source"] = origin->source;
    json["sha256"] = text_or_null(origin->sha256);
  }
  return json;
}

Json path_json(const vgfio_tensor_path& path) {
  const bool reasoned = path.reason != VGFIO_REASON_NONE;
  return {
      {"delegate", path.delegate},
      {"direction", direction_name(path.direction)},
      {"index", path.index},
      {"path", path_name(path.path)},
      {"reason", reason_name(path.reason)},
      {"detail", text_or_null(path.detail)},
      {"remedy", reasoned ? Json(reason_remedy(path.reason)) : Json(nullptr)},
      {"vk_result", path.vk_result},
      {"memory_type", path.memory_type},
      {"memory_flags", path.memory_flags},
      {"imported", path.imported != 0},
      {"pointer", path.pointer},
      {"alignment", path.alignment},
      {"bytes", path.bytes},
      {"allocated_bytes", path.allocated_bytes},
  };
}

Json io_json(const Session& session, const std::vector<DataOrigin>& origins) {
  static const DataOrigin caller;
  Json inputs = Json::array();
  const auto& infos = session.tensors(VGFIO_INPUT);
  for (size_t i = 0; i < infos.size(); ++i) {
    inputs.push_back(tensor_json(infos[i], i < origins.size() ? &origins[i] : &caller));
  }
  Json outputs = Json::array();
  for (const vgfio_tensor_info& info : session.tensors(VGFIO_OUTPUT)) {
    outputs.push_back(tensor_json(info, nullptr));
  }
  Json tensors = Json::array();
  for (const vgfio_tensor_path& path : session.paths()) tensors.push_back(path_json(path));
  return {{"inputs", inputs}, {"outputs", outputs}, {"tensors", tensors}};
}

Json init_json(const SessionTimes& times) {
  const bool ran = times.first_run_ns != 0;
  return {
      {"load_ns", times.load_ns},
      {"device_ns", times.delegates.device_ns},
      {"decode_ns", times.delegates.decode_ns},
      {"pipeline_ns", times.delegates.pipeline_ns},
      {"import_ns", times.import_ns},
      {"first_run_ns", ran ? Json(times.first_run_ns) : Json(nullptr)},
  };
}

}  // namespace

std::string json_text(const std::string& text) {
  const Json value = text;
  const auto dumped = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(dumped).get<std::string>();
}

Json session_json(Session& session, const std::vector<DataOrigin>& origins) {
  return {
      {"tool", tool_json()},
      {"host", host_json()},
      {"device", device_json(session.device())},
      {"model", model_json(session)},
      {"io", io_json(session, origins)},
      {"init", init_json(session.times())},
  };
}

}  // namespace vgfio
