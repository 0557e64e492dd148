// Benchmark mode on the device of this machine; skipped where there is none.
#include <csignal>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "process.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr int kNoDevice = 3;
constexpr uint64_t kTensorBytes = 1 << 20;

class Benchmark : public ::testing::Test {
 protected:
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"--model_path=" + demo_model("add_1x4x256x256"),
                                    "--print_output=none", "--vgf_perf_warmup=2",
                                    "--vgf_perf_iterations=3", "--vgf_perf_json=" + report_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Json report() const { return Json::parse(read_file(report_)); }

  static std::vector<std::string> codes(const Json& report) {
    std::vector<std::string> codes;
    for (const auto& warning : report["warnings"]) codes.push_back(warning["code"]);
    return codes;
  }

  const std::string report_ = temporary("report.json");
};

#define RUN_OR_SKIP(outcome, ...)           \
  const Outcome outcome = run(__VA_ARGS__); \
  if (outcome.exit_code == kNoDevice) GTEST_SKIP() << outcome.err

TEST_F(Benchmark, CopiesEveryByteInOneModeAndNoneInTheOther) {
  std::string outputs[2];
  for (const int zero_copy : {0, 1}) {
    const std::string base = temporary("mode" + std::to_string(zero_copy));
    RUN_OR_SKIP(outcome, "executor_runner", arguments({"--output_file=" + base}),
                {{"ET_VGF_ZERO_COPY", std::to_string(zero_copy)}});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
    const Json json = report();
    EXPECT_EQ(json["status"], "complete");
    EXPECT_EQ(json["config"]["io_mode"], zero_copy == 1 ? "zero_copy" : "copy");
    EXPECT_EQ(json["warmup"].size(), 2u);
    ASSERT_EQ(json["iterations"].size(), 3u);
    const bool importable = json["device"]["import_alignment"] != 0;
    for (const auto& record : json["iterations"]) {
      EXPECT_EQ(
          record["in_copy_bytes"].get<uint64_t>() + record["in_zero_copy_bytes"].get<uint64_t>(),
          2 * kTensorBytes);
      EXPECT_EQ(
          record["out_copy_bytes"].get<uint64_t>() + record["out_zero_copy_bytes"].get<uint64_t>(),
          kTensorBytes);
      if (zero_copy == 0 || importable) {
        EXPECT_EQ(record[zero_copy == 0 ? "in_zero_copy_bytes" : "in_copy_bytes"], 0);
      }
      EXPECT_TRUE(record["gpu_ns"].is_null()) << "device time has a pass of its own";
    }
    outputs[zero_copy] = read_file(base + "-0.bin");
  }
  EXPECT_EQ(outputs[0].size(), kTensorBytes);
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST_F(Benchmark, DeviceTimeIsInItsOwnPass) {
  RUN_OR_SKIP(outcome, "executor_runner", arguments({"--vgf_perf_profile_iterations=4"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json json = report();
  ASSERT_EQ(json["profile"]["iterations"].size(), 4u);
  if (json["device"]["timestamps"] == true) {
    EXPECT_GT(json["profile"]["summary"]["gpu_ns"]["median"], 0);
  }
  RUN_OR_SKIP(without, "executor_runner", arguments({"--vgf_perf_profile_iterations=0"}));
  EXPECT_TRUE(report()["profile"].is_null());
}

TEST_F(Benchmark, StandardOutputIsTheReportAndNothingElse) {
  auto all = arguments({"--print_output=summary"});
  all.push_back("--vgf_perf_json=-");
  RUN_OR_SKIP(outcome, "executor_runner", all);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["status"], "complete");
  EXPECT_THAT(outcome.err, HasSubstr("OutputX 0: tensor(sizes=[1, 4, 256, 256], ["));
}

TEST_F(Benchmark, AMisalignedBufferIsCopiedAndSaysWhy) {
  const Environment zero_copy = {{"ET_VGF_ZERO_COPY", "1"}};
  RUN_OR_SKIP(outcome, "executor_runner", arguments({"--vgf_io_alignment=64"}), zero_copy);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json json = report();
  if (json["device"]["import_alignment"] == 0) GTEST_SKIP() << "the device imports nothing";
  EXPECT_EQ(json["io"]["tensors"][0]["reason"], "misaligned_pointer");
  EXPECT_THAT(codes(json), ::testing::Contains("fallback"));
  EXPECT_GT(json["iterations"][0]["fallback_count"], 0);

  const Outcome required =
      run("executor_runner", arguments({"--vgf_io_alignment=64", "--vgf_require_zero_copy"}),
          zero_copy);
  EXPECT_EQ(required.exit_code, 1);
  EXPECT_THAT(required.err, HasSubstr("misaligned_pointer"));
  EXPECT_EQ(report()["status"], "failed");
}

TEST_F(Benchmark, SeededInputsAreTheSameInEveryRun) {
  std::string digest[3];
  for (const int seed : {7, 7, 8}) {
    RUN_OR_SKIP(outcome, "executor_runner", arguments({"--vgf_perf_seed=" + std::to_string(seed)}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json input = report()["io"]["inputs"][0];
    EXPECT_EQ(input["source"], "synthetic");
    for (std::string& slot : digest) {
      if (!slot.empty()) continue;
      slot = input["sha256"];
      break;
    }
  }
  EXPECT_EQ(digest[0], digest[1]);
  EXPECT_NE(digest[0], digest[2]);
}

TEST_F(Benchmark, AnInputThatTheModelChangesIsAWarning) {
  auto all = arguments();
  all[0] = "--model_path=" + data_model("in_place");
  RUN_OR_SKIP(outcome, "executor_runner", all);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(codes(report()), ::testing::Contains("input_changed"));
}

TEST_F(Benchmark, TheArmRunnersFlagsWinOverTheEnvironment) {
  for (const char* mode : {"copy", "zero-copy", "staged", "lend"}) {
    RUN_OR_SKIP(outcome, "arm_vgf_runner", arguments({"--io=" + std::string(mode), "--wait=fence"}),
                {{"ET_VGF_ZERO_COPY", "1"}});
    ASSERT_EQ(outcome.exit_code, 0) << mode << ": " << outcome.err;
    std::string name = report()["config"]["io_mode"];
    EXPECT_EQ(name, mode == std::string("zero-copy") ? "zero_copy" : mode);
    EXPECT_EQ(report()["config"]["wait"], "fence");
    EXPECT_EQ(report()["config"]["source"], "arm_vgf_runner");
  }
}

TEST_F(Benchmark, ListsDevicesAsJson) {
  const Outcome outcome = run("arm_vgf_runner", {"--list_devices"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(Json::parse(outcome.out).is_discarded());
}

class Interrupted : public Benchmark, public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, ::testing::Values(SIGINT, SIGTERM));

// The report's temporary file appears when the request was found good and the
// signal handlers stand: from there on a signal leaves a valid, partial report,
// whether it comes in the device's start, the warm-up or the measured loop.
TEST_P(Interrupted, LeavesAPartialReport) {
  RUN_OR_SKIP(device, "executor_runner", arguments());
  const std::string folder = temporary("interrupted");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string report = folder + "/report.json";
  Process process("executor_runner",
                  arguments({"--vgf_perf_json=" + report, "--vgf_perf_iterations=100000"}));
  while (std::filesystem::is_empty(folder)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process.signal(GetParam());
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  const Json json = Json::parse(read_file(report));
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_LT(json["iterations"].size(), 100000u);
  const auto files = std::distance(std::filesystem::directory_iterator(folder),
                                   std::filesystem::directory_iterator());
  EXPECT_EQ(files, 1) << "nothing but the report is left";
}

}  // namespace
}  // namespace vgfio::testing
