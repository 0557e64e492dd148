#include "runner/report.h"

#include <gmock/gmock.h>

#include "runner/record_json.h"
#include "session_fixture.h"

namespace vgfio::testing {
namespace {

using Json = nlohmann::ordered_json;

class ReportTest : public SessionFixture {
 protected:
  Json report(Status status, bool profile = false) {
    Measured measured;
    measured.status = std::move(status);
    measured.warmup = session_->warmup_records();
    measured.iterations = records_;
    measured.parts = parts_;
    if (profile) measured.profile = records_;
    ReportConfig config;
    config.source = "executor_runner";
    config.command_line = {"executor_runner", "bad \xff byte"};
    const std::vector<DataOrigin> origins(session_->tensors(VGFIO_INPUT).size(),
                                          {"synthetic", "abc"});
    const Json json = report_json(*session_, config, origins, measured);
    return Json::parse(json.dump());  // throws unless it is strict UTF-8
  }
};

TEST_F(ReportTest, HasTheSectionsOfTheSchemaInOrder) {
  open();
  ASSERT_TRUE(run(1, 3).ok());
  const Json json = report({});
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  EXPECT_THAT(keys, ::testing::ElementsAre("schema_version", "status", "error", "tool", "config",
                                           "host", "device", "model", "io", "init", "warmup",
                                           "iterations", "profile", "summary", "warnings"));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["status"], "complete");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_TRUE(json["profile"].is_null());
  EXPECT_EQ(json["warmup"].size(), 1u);
  EXPECT_EQ(json["iterations"].size(), 3u);
  EXPECT_EQ(json["summary"]["latency_ns"]["count"], 3);
  EXPECT_EQ(json["device"]["name"], "stub device");
  EXPECT_EQ(json["model"]["vgf_delegates"], 1);
  EXPECT_EQ(json["model"]["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(json["io"]["inputs"][0]["source"], "synthetic");
  EXPECT_EQ(json["io"]["tensors"].size(), 3u);
}

TEST_F(ReportTest, SaysHowTheRunEnded) {
  open();
  ASSERT_TRUE(run(0, 1).ok());
  EXPECT_EQ(report({VGFIO_INTERRUPTED, "stopped"})["status"], "interrupted");
  const Json failed = report(Status::unsupported("device lost"));
  EXPECT_EQ(failed["status"], "failed");
  EXPECT_EQ(failed["error"], "device lost");
}

TEST_F(ReportTest, WithoutInferencesThereIsNoSummary) {
  open();
  records_.clear();
  const Json json = report({VGFIO_INTERRUPTED, "stopped"});
  EXPECT_TRUE(json["summary"].is_null());
  EXPECT_TRUE(json["init"]["first_run_ns"].is_null());
  EXPECT_EQ(json["iterations"], Json::array());
}

TEST_F(ReportTest, DeviceTimeIsNullUnlessItIsValid) {
  open();
  ASSERT_TRUE(run(0, 2).ok());
  EXPECT_TRUE(report({})["iterations"][0]["gpu_ns"].is_null());
  EXPECT_TRUE(report({})["summary"]["gpu_ns"].is_null());
  ASSERT_TRUE(run(0, 2, true).ok());
  const Json json = report({}, true);
  EXPECT_EQ(json["profile"]["iterations"][0]["gpu_ns"], 1000);
  EXPECT_EQ(json["profile"]["summary"]["gpu_ns"]["median"], 1000);
}

TEST_F(ReportTest, SeveralDelegatesHaveRecordsOfTheirOwn) {
  open({}, data_file("two_delegates"));
  ASSERT_TRUE(run(0, 2).ok());
  const Json json = report({});
  ASSERT_EQ(json["delegates"].size(), 2u) << "one entry per inference";
  EXPECT_EQ(json["delegates"][0].size(), 2u) << "one record per delegate";
}

TEST_F(ReportTest, AFallbackIsAWarningWithItsRemedy) {
  SessionOptions options;
  options.io_mode = VGFIO_IO_ZERO_COPY;
  open(options);
  ASSERT_TRUE(run(0, 1).ok());
  const Json json = report({});
  const auto& tensor = json["io"]["tensors"][0];
  EXPECT_EQ(tensor["reason"], "misaligned_pointer");
  EXPECT_TRUE(tensor["remedy"].is_string());
  size_t fallbacks = 0;
  for (const auto& warning : json["warnings"]) fallbacks += warning["code"] == "fallback";
  EXPECT_EQ(fallbacks, 3u);
}

TEST(RecordJson, NamesEveryFieldOnce) {
  const Json json = records_json({Record{}})[0];
  // All of vgfio_record but gpu_ns_valid, which shows as null.
  EXPECT_EQ(json.size(), sizeof(Record) / sizeof(uint64_t) - 1);
  EXPECT_TRUE(json["gpu_ns"].is_null());
  EXPECT_FALSE(json.contains("gpu_ns_valid"));
}

TEST(JsonText, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(json_text("plain"), "plain");
  EXPECT_EQ(json_text("a\xff"), "a\xef\xbf\xbd");
}

}  // namespace
}  // namespace vgfio::testing
