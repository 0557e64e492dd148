#include "runner/warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Record> with_latencies(size_t count, uint64_t first, uint64_t step) {
  std::vector<Record> records(count);
  for (size_t i = 0; i < count; ++i) records[i].latency_ns = first + i * step;
  return records;
}

std::vector<std::string> codes(const std::vector<Record>& records, uint64_t first_run_ns = 0) {
  std::vector<std::string> codes;
  for (const Warning& warning : sample_warnings(records, first_run_ns)) {
    EXPECT_FALSE(warning.message.empty());
    EXPECT_FALSE(warning.remedy.empty());
    codes.push_back(warning.code);
  }
  return codes;
}

TEST(SampleWarnings, NoneForASteadyRun) {
  EXPECT_THAT(codes(with_latencies(200, 1'000'000, 10)), IsEmpty());
  EXPECT_THAT(codes({}), IsEmpty());
}

TEST(SampleWarnings, NameWhatIsWrong) {
  EXPECT_THAT(codes(with_latencies(29, 1'000'000, 10)), ElementsAre("few_samples"));
  EXPECT_THAT(codes(with_latencies(200, 500, 0)), ElementsAre("timer_resolution"));
  EXPECT_THAT(codes(with_latencies(200, 1'000'000, 10'000)), ElementsAre("unstable"));
  EXPECT_THAT(codes(with_latencies(200, 1'000'000, 10), 4'000'000), ElementsAre("slow_first_run"));
  EXPECT_THAT(codes(with_latencies(200, 0, 0), 5), ElementsAre("timer_resolution"));
}

}  // namespace
}  // namespace vgfio
