#include "runner/command_line.h"

#include <vector>

#include <gflags/gflags.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/benchmark_options.h"
#include "runner/runner_options.h"

DECLARE_string(model_path);
DECLARE_uint32(num_executions);
DEFINE_bool(test_switch, false, "A flag of this test.");

namespace vgfio {
namespace {

using ::testing::HasSubstr;

Result<CommandLine> parse(const std::vector<const char*>& arguments) {
  std::vector<char*> argv = {const_cast<char*>("program")};
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
  return parse_command_line(static_cast<int>(argv.size()), argv.data());
}

class CommandLineTest : public ::testing::Test {
  gflags::FlagSaver saver_;
};

TEST_F(CommandLineTest, TakesEveryWayToWriteAFlag) {
  for (const auto& arguments : std::vector<std::vector<const char*>>{{"--model_path=a.pte"},
                                                                     {"-model_path=a.pte"},
                                                                     {"--model_path", "a.pte"},
                                                                     {"-model_path", "a.pte"}}) {
    FLAGS_model_path = "";
    ASSERT_TRUE(parse(arguments).ok());
    EXPECT_EQ(FLAGS_model_path, "a.pte");
  }
  ASSERT_TRUE(parse({"--test_switch"}).ok());
  EXPECT_TRUE(FLAGS_test_switch);
  ASSERT_TRUE(parse({"--notest_switch"}).ok());
  EXPECT_FALSE(FLAGS_test_switch);
  ASSERT_TRUE(parse({"--test_switch=true", "--num_executions=7"}).ok());
  EXPECT_TRUE(FLAGS_test_switch);
  EXPECT_EQ(FLAGS_num_executions, 7u);
}

TEST_F(CommandLineTest, ValuesMayHoldAnything) {
  ASSERT_TRUE(parse({"--model_path=a=b --c.pte"}).ok());
  EXPECT_EQ(FLAGS_model_path, "a=b --c.pte");
  ASSERT_TRUE(parse({"--model_path="}).ok());
  EXPECT_EQ(FLAGS_model_path, "");
}

TEST_F(CommandLineTest, AnUnknownFlagNamesTheNearest) {
  const auto parsed = parse({"--model_pth=a.pte"});
  EXPECT_EQ(parsed.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(parsed.status().detail(), HasSubstr("did you mean --model_path?"));
  EXPECT_THAT(parse({"--xyzzy"}).status().detail(), HasSubstr("unknown flag --xyzzy; see --help"));
  EXPECT_FALSE(parse({"--nomodel_path"}).ok());
}

TEST_F(CommandLineTest, BadValuesAreErrors) {
  EXPECT_THAT(parse({"--num_executions=many"}).status().detail(), HasSubstr("uint32"));
  EXPECT_FALSE(parse({"--num_executions=-1"}).ok());
  EXPECT_FALSE(parse({"--test_switch=perhaps"}).ok());
  EXPECT_THAT(parse({"--model_path"}).status().detail(), HasSubstr("needs a value"));
  EXPECT_THAT(parse({"model.pte"}).status().detail(), HasSubstr("unexpected argument"));
  EXPECT_FALSE(parse({"-"}).ok());
  EXPECT_FALSE(parse({"--"}).ok());
}

TEST_F(CommandLineTest, HelpAndVersionEndIt) {
  for (const char* flag : {"--help", "-h", "-help", "--helpfull"}) {
    EXPECT_EQ(*parse({flag, "--xyzzy"}), CommandLine::kHelp);
  }
  EXPECT_EQ(*parse({"--version"}), CommandLine::kVersion);
}

TEST_F(CommandLineTest, RunnerFlagsAreChecked) {
  ASSERT_TRUE(parse({"--inputs=a, b", "--print_output=all"}).ok());
  const auto options = read_runner_flags();
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->inputs.size(), 2u);
  EXPECT_EQ(options->print_output, PrintMode::kAll);
  ASSERT_TRUE(parse({"--print_output=some"}).ok());
  EXPECT_EQ(read_runner_flags().status().code(), VGFIO_INVALID_REQUEST);
}

TEST_F(CommandLineTest, CpuThreadsAreChecked) {
  ASSERT_TRUE(parse({"--cpu_threads=-2"}).ok());
  EXPECT_EQ(read_runner_flags().status().code(), VGFIO_INVALID_REQUEST);
}

#ifdef EXECUTORCH_VGF_IO_STATS

TEST_F(CommandLineTest, BenchmarkFlagsHaveTheirDefaults) {
  ASSERT_TRUE(parse({"--vgf_perf_json=x.json"}).ok());
  const auto options = read_benchmark_flags();
  ASSERT_TRUE(options.ok());
  ASSERT_TRUE(options->has_value());
  EXPECT_EQ((*options)->warmup, 20u);
  EXPECT_EQ((*options)->iterations, 200u);
  EXPECT_EQ((*options)->io_alignment, 0u);
  EXPECT_EQ((*options)->profile_iterations, std::nullopt);
}

TEST_F(CommandLineTest, BenchmarkFlagsNeedBenchmarkMode) {
  EXPECT_FALSE(read_benchmark_flags()->has_value());
  ASSERT_TRUE(parse({"--vgf_perf_warmup=3"}).ok());
  EXPECT_THAT(read_benchmark_flags().status().detail(),
              HasSubstr("--vgf_perf_warmup needs --vgf_perf_json"));
}

TEST_F(CommandLineTest, BenchmarkNumbersAreChecked) {
  ASSERT_TRUE(parse({"--vgf_perf_json=x.json", "--vgf_perf_iterations=0"}).ok());
  EXPECT_THAT(read_benchmark_flags().status().detail(), HasSubstr("takes 1 to"));
  ASSERT_TRUE(parse({"--vgf_perf_iterations=5", "--vgf_perf_warmup=99999999999"}).ok());
  EXPECT_FALSE(read_benchmark_flags().ok());
  ASSERT_TRUE(parse({"--vgf_perf_warmup=0", "--vgf_perf_profile_iterations=-2"}).ok());
  EXPECT_FALSE(read_benchmark_flags().ok());
}

#endif

}  // namespace
}  // namespace vgfio
