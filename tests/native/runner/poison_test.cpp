#include "runner/poison.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "session_fixture.h"

namespace vgfio::testing {
namespace {

using PoisonTest = SessionFixture;

TEST_F(PoisonTest, AnOutputThatIsWrittenPasses) {
  open();
  poison_outputs(*session_);
  ASSERT_TRUE(run(0, 2).ok());
  EXPECT_TRUE(check_outputs_written(*session_).ok());
  EXPECT_EQ(stub().executions, 2u);
}

TEST_F(PoisonTest, AnOutputThatIsNeverWrittenFails) {
  stub().writes_outputs = false;
  open();
  poison_outputs(*session_);
  ASSERT_TRUE(run(0, 2).ok());
  const Status status = check_outputs_written(*session_);
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
  EXPECT_THAT(status.detail(), ::testing::HasSubstr("output 0 was never written"));
}

TEST_F(PoisonTest, AnOutputThatHoldsThePatternByRightPasses) {
  open();
  poison_outputs(*session_);
  const std::byte* const pattern = session_->binding().data(VGFIO_OUTPUT, 0);
  // The stub's output is its first input.
  std::copy_n(pattern, session_->tensors(VGFIO_INPUT)[0].bytes,
              session_->binding().data(VGFIO_INPUT, 0));
  ASSERT_TRUE(run(0, 1).ok());
  EXPECT_TRUE(check_outputs_written(*session_).ok());
  EXPECT_EQ(stub().executions, 2u) << "one more on another pattern";
}

}  // namespace
}  // namespace vgfio::testing
