// What the programs refuse: exit code 2 and one line, before a device is looked for.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "process.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

void expect_refused(const std::vector<std::string>& arguments, const std::string& why,
                    const Environment& environment = {}) {
  Environment all = no_device();
  all.insert(environment.begin(), environment.end());
  for (const char* program : {"executor_runner", "arm_vgf_runner"}) {
    const Outcome outcome = run(program, arguments, all);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(std::string(program) + ": error: "));
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Refusals, BadFlags) {
  expect_refused({"--model_pth=x"}, "did you mean --model_path?");
  expect_refused({"--num_executions=x"}, "uint32");
  expect_refused({"--model_path"}, "needs a value");
  expect_refused({"model.pte"}, "unexpected argument");
  expect_refused({"--print_output=some"}, "none, summary or all");
}

TEST(Refusals, ModelsThatAreNone) {
  expect_refused({"--model_path=/no/such.pte"}, "no such file");
  expect_refused({"--model_path=/"}, "is a directory");
  expect_refused({"--model_path=" + input_file("empty.pte", 0)}, "is empty");
  expect_refused({"--model_path=" + input_file("zeros.pte", 5000)}, "not an ExecuTorch program");
  expect_refused({"--model_path=" + data_model("bundled")}, "bundled program");
  expect_refused({"--model_path=" + data_model("two_delegates"), "--method_name=other"},
                 "no method 'other'");
}

TEST(Refusals, ArmFlags) {
  const auto refuses = [](const std::string& flag, const std::string& why) {
    const Outcome outcome = run("arm_vgf_runner", {flag}, no_device());
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  refuses("--io=fast", "--io takes copy, zero-copy, staged or lend");
  refuses("--wait=long", "--wait takes adaptive, fence or spin");
  refuses("--copy_memory=x", "--copy_memory takes");
}

TEST(Refusals, HelpIsNoError) {
  for (const char* program : {"executor_runner", "arm_vgf_runner"}) {
    const Outcome outcome = run(program, {"--help"}, no_device());
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("model_path"));
  }
  EXPECT_THAT(run("executor_runner", {"--version"}).out, HasSubstr("executor_runner"));
}

TEST(Refusals, WithoutADeviceTheExitCodeIsThree) {
  for (const char* program : {"executor_runner", "arm_vgf_runner"}) {
    const Outcome outcome =
        run(program, {"--model_path=" + demo_model("add_1x4x256x256")}, no_device());
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  }
}

#ifdef EXECUTORCH_VGF_IO_STATS

class BenchmarkRefusals : public ::testing::Test {
 protected:
  void SetUp() override { std::remove(report_.c_str()); }

  void refused(std::vector<std::string> arguments, const std::string& why,
               const Environment& environment = {}) {
    arguments.push_back("--vgf_perf_json=" + report_);
    expect_refused(arguments, why, environment);
    EXPECT_FALSE(exists(report_)) << "a refused request leaves no report";
  }

  const std::string add_ = "--model_path=" + demo_model("add_1x4x256x256");
  const std::string report_ = temporary("refused.json");
};

TEST_F(BenchmarkRefusals, EachRequirementHasItsMessage) {
  const auto model = [](const char* name) { return "--model_path=" + data_model(name); };
  refused({model("dynamic_dimension")}, "dynamic shape (at most [6, 8])");
  refused({model("scalar_int")}, "input 1 is not a tensor but an int (3 at export)");
  refused({model("planned_io")},
          "MemoryPlanningPass(alloc_graph_input=False, alloc_graph_output=False)");
  refused({model("bundled")}, "bundled program");
  refused({model("no_delegate")}, "has no VgfBackend delegate");
}

TEST_F(BenchmarkRefusals, InputFiles) {
  const size_t bytes = 1 << 20;
  const std::string good = input_file("good.bin", bytes);
  for (const size_t wrong : {size_t{0}, bytes - 1, bytes + 1, 2 * bytes}) {
    refused({add_, "--inputs=" + good + "," + input_file("wrong.bin", wrong)},
            "input 1 (float32 [1, 4, 256, 256]) needs 1048576 bytes");
  }
  refused({add_, "--inputs=" + good}, "the method has 2 inputs, 1 files are given");
  refused({add_, "--inputs=" + good + ","}, "empty entry at position 1");
  refused({add_, "--inputs=" + good + ", /no/such.bin"}, "input 1: no such file");
}

TEST_F(BenchmarkRefusals, Settings) {
  refused({add_, "--vgf_io_alignment=100"}, "power of two");
  refused({add_, "--vgf_perf_iterations=0"}, "--vgf_perf_iterations takes 1 to");
  refused({add_, "--num_executions=2"}, "--vgf_perf_iterations");
  refused({add_, "--data_path=/no/such.ptd"}, "no such file");
  refused({add_}, "ET_VGF_ZERO_COPY is 'yes'", {{"ET_VGF_ZERO_COPY", "yes"}});
  refused({add_}, "ET_VGF_ZERO_COPY is ''", {{"ET_VGF_ZERO_COPY", ""}});
  expect_refused({add_, "--vgf_perf_warmup=3"}, "needs --vgf_perf_json");
}

TEST_F(BenchmarkRefusals, ReportPathsThatCannotBeWritten) {
  expect_refused({add_, "--vgf_perf_json=/no/such/r.json"}, "No such file");
  expect_refused({add_, "--vgf_perf_json=/"}, "is a directory");
}

#else

TEST(Refusals, WithoutStatisticsThereAreNoBenchmarkFlags) {
  expect_refused({"--vgf_perf_json=x.json"}, "unknown flag --vgf_perf_json");
  expect_refused({"--vgf_io_alignment=64"}, "unknown flag --vgf_io_alignment");
}

#endif

}  // namespace
}  // namespace vgfio::testing
