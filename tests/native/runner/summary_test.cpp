#include "runner/summary.h"

#include <numeric>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

// 1 to `count`.
std::vector<uint64_t> counting(size_t count) {
  std::vector<uint64_t> samples(count);
  std::iota(samples.begin(), samples.end(), 1);
  return samples;
}

TEST(Summarize, NothingOfNothing) { EXPECT_FALSE(summarize({})); }

TEST(Summarize, OneSample) {
  const auto summary = summarize({7});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->count, 1u);
  EXPECT_EQ(summary->median, 7);
  EXPECT_EQ(summary->mean, 7);
  EXPECT_EQ(summary->min, 7u);
  EXPECT_EQ(summary->max, 7u);
  EXPECT_EQ(summary->mad, 0);
  EXPECT_FALSE(summary->p90);
}

TEST(Summarize, OrderDoesNotMatter) {
  const auto summary = summarize({9, 1, 4, 100});
  EXPECT_EQ(summary->median, 6.5);
  EXPECT_EQ(summary->mean, 28.5);
  EXPECT_EQ(summary->min, 1u);
  EXPECT_EQ(summary->max, 100u);
  EXPECT_EQ(summary->mad, 4);  // of 5.5, 2.5, 2.5, 93.5
}

TEST(Summarize, PercentilesOnlyWithEnoughSamples) {
  EXPECT_FALSE(summarize(counting(9))->p90);
  EXPECT_TRUE(summarize(counting(10))->p90);
  EXPECT_FALSE(summarize(counting(19))->p95);
  EXPECT_TRUE(summarize(counting(20))->p95);
  EXPECT_FALSE(summarize(counting(99))->p99);
  EXPECT_TRUE(summarize(counting(100))->p99);
}

TEST(Summarize, PercentilesAreInterpolated) {
  const auto summary = summarize(counting(101));
  EXPECT_DOUBLE_EQ(*summary->p90, 91);
  EXPECT_DOUBLE_EQ(*summary->p95, 96);
  EXPECT_DOUBLE_EQ(*summary->p99, 100);
  EXPECT_DOUBLE_EQ(*summarize(counting(10))->p90, 9.1);
}

TEST(Summarize, LargeEqualSamplesLoseNoDigits) {
  const uint64_t large = uint64_t{1} << 52;
  const auto summary = summarize(std::vector<uint64_t>(1000, large));
  EXPECT_EQ(summary->mean, static_cast<double>(large));
  EXPECT_EQ(summary->mad, 0);
}

TEST(Summarize, EqualTicksGiveZeroSpread) {
  const auto summary = summarize(std::vector<uint64_t>(200, 0));
  EXPECT_EQ(summary->median, 0);
  EXPECT_EQ(summary->mad, 0);
  EXPECT_EQ(*summary->p99, 0);
}

}  // namespace
}  // namespace vgfio
