#include "base/delegate_error.h"

#include <thread>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

TEST(DelegateError, KeepsTheFirstUntilItIsTaken) {
  note_delegate_error(Status::unsupported("the cause"));
  note_delegate_error(Status::failed("what followed from it"));
  const Status taken = take_delegate_error();
  EXPECT_EQ(taken.code(), VGFIO_UNSUPPORTED);
  EXPECT_EQ(taken.detail(), "the cause");
  EXPECT_TRUE(take_delegate_error().ok());
}

TEST(DelegateError, IsPerThread) {
  note_delegate_error(Status::failed("here"));
  std::thread([] { EXPECT_TRUE(take_delegate_error().ok()); }).join();
  EXPECT_EQ(take_delegate_error().detail(), "here");
}

}  // namespace
}  // namespace vgfio
