#include "runner/stop.h"

#include <csignal>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

class StopTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { clear_stop(); }
  void TearDown() override { clear_stop(); }
};
INSTANTIATE_TEST_SUITE_P(Signals, StopTest, ::testing::Values(SIGINT, SIGTERM));

TEST_P(StopTest, ASignalRequestsAStop) {
  const StopOnSignals scope;
  EXPECT_FALSE(stop_requested());
  std::raise(GetParam());
  EXPECT_TRUE(stop_requested());
}

TEST_P(StopTest, TheSecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        const StopOnSignals scope;
        std::raise(GetParam());
        std::raise(GetParam());
      },
      ::testing::KilledBySignal(GetParam()), "");
}

TEST_P(StopTest, AfterTheScopeSignalsDoWhatTheyDid) {
  EXPECT_EXIT(
      {
        {
          const StopOnSignals scope;
        }
        std::raise(GetParam());
      },
      ::testing::KilledBySignal(GetParam()), "");
}

}  // namespace
}  // namespace vgfio
