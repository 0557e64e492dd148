#include "runner/record_json.h"

#include <iterator>

#include "runner/summary.h"

namespace vgfio {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  const char* name;
  uint64_t Record::* member;
};

// The fields that every record has, in the order of vgfio_record.
constexpr Field kFields[] = {
    {"latency_ns", &Record::latency_ns},
    {"execute_ns", &Record::execute_ns},
    {"in_copy_bytes", &Record::in_copy_bytes},
    {"out_copy_bytes", &Record::out_copy_bytes},
    {"in_memcpy_ns", &Record::in_memcpy_ns},
    {"out_memcpy_ns", &Record::out_memcpy_ns},
    {"in_zero_copy_bytes", &Record::in_zero_copy_bytes},
    {"out_zero_copy_bytes", &Record::out_zero_copy_bytes},
    {"imports", &Record::imports},
    {"import_ns", &Record::import_ns},
    {"binding_refreshes", &Record::binding_refreshes},
    {"binding_refresh_ns", &Record::binding_refresh_ns},
    {"submit_wait_ns", &Record::submit_wait_ns},
    {"fallback_count", &Record::fallback_count},
    {"rejection_count", &Record::rejection_count},
};
// start_ns, gpu_ns and gpu_ns_valid are treated on their own.
static_assert((std::size(kFields) + 3) * sizeof(uint64_t) == sizeof(Record),
              "a field of vgfio_record is missing here");

Json record_json(const Record& record) {
  Json json;
  json["start_ns"] = record.start_ns;
  for (const Field& field : kFields) json[field.name] = record.*field.member;
  json["gpu_ns"] = record.gpu_ns_valid != 0 ? Json(record.gpu_ns) : Json(nullptr);
  return json;
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json statistics_json(const std::vector<uint64_t>& samples) {
  const auto summary = summarize(samples);
  if (!summary) return nullptr;
  return {
      {"count", summary->count},
      {"median", summary->median},
      {"mean", summary->mean},
      {"min", summary->min},
      {"max", summary->max},
      {"mad", summary->mad},
      {"p90", optional_json(summary->p90)},
      {"p95", optional_json(summary->p95)},
      {"p99", optional_json(summary->p99)},
  };
}

}  // namespace

Json records_json(const std::vector<Record>& records) {
  Json json = Json::array();
  for (const Record& record : records) json.push_back(record_json(record));
  return json;
}

Json summary_json(const std::vector<Record>& records) {
  Json json = Json::object();
  std::vector<uint64_t> samples(records.size());
  for (const Field& field : kFields) {
    for (size_t i = 0; i < records.size(); ++i) samples[i] = records[i].*field.member;
    json[field.name] = statistics_json(samples);
  }
  samples.clear();
  for (const Record& record : records) {
    if (record.gpu_ns_valid != 0) samples.push_back(record.gpu_ns);
  }
  json["gpu_ns"] = statistics_json(samples);
  return json;
}

}  // namespace vgfio
