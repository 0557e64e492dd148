#include "runner/report.h"

#include "base/names.h"
#include "runner/record_json.h"

namespace vgfio {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

const char* status_text(StatusCode code) {
  if (code == VGFIO_OK) return "complete";
  return code == VGFIO_INTERRUPTED ? "interrupted" : "failed";
}

Json config_json(const SessionOptions& options, const ReportConfig& config) {
  Json command_line = Json::array();
  for (const std::string& argument : config.command_line) {
    command_line.push_back(json_text(argument));
  }
  return {
      {"source", config.source},
      {"io_mode", io_mode_name(options.io_mode)},
      {"warmup", config.warmup},
      {"iterations", config.iterations},
      {"profile_iterations", config.profile_iterations},
      {"io_alignment", options.io_alignment},
      {"wait", wait_name(options.wait)},
      {"seed", config.seed},
      {"require_zero_copy", options.require_zero_copy},
      {"allow_planned_io", options.allow_planned_io},
      {"command_line", command_line},
  };
}

// One array per inference with one record per delegate.
Json parts_json(const std::vector<Record>& parts, size_t inferences, size_t delegates) {
  Json json = Json::array();
  for (size_t i = 0; i < inferences && (i + 1) * delegates <= parts.size(); ++i) {
    const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(i * delegates);
    json.push_back(records_json({begin, begin + static_cast<std::ptrdiff_t>(delegates)}));
  }
  return json;
}

Json profile_json(const std::vector<Record>& records) {
  if (records.empty()) return nullptr;
  return {{"iterations", records_json(records)}, {"summary", summary_json(records)}};
}

Json warnings_json(const std::vector<Warning>& warnings) {
  Json json = Json::array();
  for (const Warning& warning : warnings) {
    json.push_back({{"code", warning.code},
                    {"message", json_text(warning.message)},
                    {"remedy", warning.remedy}});
  }
  return json;
}

}  // namespace

Json report_json(Session& session, const ReportConfig& config,
                 const std::vector<DataOrigin>& origins, const Measured& measured) {
  const StatusCode code = measured.status.code();
  const bool failed = code != VGFIO_OK && code != VGFIO_INTERRUPTED;
  Json sections = session_json(session, origins);
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["status"] = status_text(code);
  json["error"] = failed ? Json(json_text(measured.status.detail())) : Json(nullptr);
  json["tool"] = std::move(sections["tool"]);
  json["config"] = config_json(session.options(), config);
  for (const char* key : {"host", "device", "model", "io", "init"}) {
    json[key] = std::move(sections[key]);
  }
  json["warmup"] = records_json(measured.warmup);
  json["iterations"] = records_json(measured.iterations);
  if (session.delegate_count() > 1) {
    json["delegates"] =
        parts_json(measured.parts, measured.iterations.size(), session.delegate_count());
  }
  json["profile"] = profile_json(measured.profile);
  json["summary"] = measured.iterations.empty() ? Json(nullptr) : summary_json(measured.iterations);
  std::vector<Warning> warnings = find_warnings(session, measured.iterations);
  warnings.insert(warnings.end(), measured.warnings.begin(), measured.warnings.end());
  json["warnings"] = warnings_json(warnings);
  return json;
}

}  // namespace vgfio
