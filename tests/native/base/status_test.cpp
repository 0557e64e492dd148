#include "base/status.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return Status::invalid("odd");
  return value / 2;
}

Result<int> quarter(int value) {
  VGFIO_ASSIGN_OR_RETURN(const int halved, half(value));
  VGFIO_ASSIGN_OR_RETURN(const int quartered, half(halved));
  return quartered;
}

Status check(int value) {
  VGFIO_RETURN_IF_ERROR(half(value).status());
  return Status::unsupported("even");
}

TEST(Status, CodesAreExitCodes) {
  EXPECT_EQ(Status().code(), 0);
  EXPECT_EQ(Status::failed("x").code(), 1);
  EXPECT_EQ(Status::invalid("x").code(), 2);
  EXPECT_EQ(Status::unsupported("x").code(), 3);
  EXPECT_TRUE(Status().ok());
  EXPECT_FALSE(Status(VGFIO_INTERRUPTED, "x").ok());
}

TEST(Status, ContextStandsInFront) {
  const Status status = Status::invalid("no such file").with_context("model");
  EXPECT_EQ(status.detail(), "model: no such file");
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_TRUE(Status().with_context("model").ok());
  EXPECT_EQ(Status().with_context("model").detail(), "");
}

TEST(Result, MacrosPassTheFirstErrorOn) {
  EXPECT_EQ(*quarter(8), 2);
  EXPECT_EQ(quarter(3).status().detail(), "odd");
  EXPECT_EQ(quarter(6).status().detail(), "odd");
  EXPECT_EQ(check(1).code(), VGFIO_INVALID_REQUEST);
  EXPECT_EQ(check(2).code(), VGFIO_UNSUPPORTED);
}

TEST(Result, HoldsWhatOnlyMoves) {
  Result<std::unique_ptr<std::string>> result(std::make_unique<std::string>("text"));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.status().ok());
  const std::unique_ptr<std::string> taken = result.take();
  EXPECT_EQ(*taken, "text");
}

}  // namespace
}  // namespace vgfio
