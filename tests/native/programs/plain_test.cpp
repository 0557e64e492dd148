// Without --vgf_perf_json the programs do what ExecuTorch's executor_runner does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "process.h"

namespace vgfio::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kNoDevice = 3;

TEST(Plain, OnesByDefaultOnCpuKernels) {
  const Outcome outcome =
      run("executor_runner", {"--model_path=" + data_model("no_delegate")}, no_device());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("OutputX 0: tensor(sizes=["));
  EXPECT_THAT(outcome.out, EndsWith(")\n"));
}

TEST(Plain, TheArmRunnerHasNoCpuKernels) {
  const Outcome outcome =
      run("arm_vgf_runner", {"--model_path=" + data_model("no_delegate")}, no_device());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be loaded"));
}

TEST(Plain, SingleDashesAndSeparateValues) {
  const Outcome outcome =
      run("executor_runner",
          {"-model_path", data_model("no_delegate"), "-print_output=none", "-num_executions", "3"},
          no_device());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("executed successfully 3 time(s)"));
}

TEST(Plain, AnEtdumpIsWrittenWhereItIsAskedFor) {
  const std::string path = temporary("run.etdump");
  const Outcome outcome = run(
      "executor_runner",
      {"--model_path=" + data_model("no_delegate"), "--print_output=none", "--etdump_path=" + path},
      no_device());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read_file(path).substr(0, 12), EndsWith("ED00")) << "the identifier of an ETDump";
}

class PlainOnDevice : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, PlainOnDevice,
                         ::testing::Values("planned_io", "two_delegates", "pass_through"));

// Planned and unplanned inputs and outputs alike, copied and imported alike.
TEST_P(PlainOnDevice, OutputsDoNotDependOnTheMode) {
  std::string first;
  for (const char* zero_copy : {"0", "1"}) {
    const std::string base = temporary(std::string(GetParam()) + zero_copy);
    const Outcome outcome = run(
        "executor_runner",
        {"--model_path=" + data_model(GetParam()), "--print_output=all", "--output_file=" + base},
        {{"ET_VGF_ZERO_COPY", zero_copy}});
    if (outcome.exit_code == kNoDevice) GTEST_SKIP() << outcome.err;
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("Output[0][0]: (float) "));
    const std::string bytes = read_file(base + "-0.bin");
    EXPECT_FALSE(bytes.empty());
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

}  // namespace
}  // namespace vgfio::testing
