#include "vulkan/commands.h"

#include <gtest/gtest.h>

namespace vgfio {
namespace {

TEST(ResolveWait, AdaptiveNeverSpinsOnACpuDevice) {
  EXPECT_EQ(resolve_wait(VGFIO_WAIT_ADAPTIVE, true), VGFIO_WAIT_FENCE);
  EXPECT_EQ(resolve_wait(VGFIO_WAIT_ADAPTIVE, false), VGFIO_WAIT_ADAPTIVE);
}

TEST(ResolveWait, AnExplicitWishIsKept) {
  for (const bool cpu : {false, true}) {
    EXPECT_EQ(resolve_wait(VGFIO_WAIT_FENCE, cpu), VGFIO_WAIT_FENCE);
    EXPECT_EQ(resolve_wait(VGFIO_WAIT_SPIN, cpu), VGFIO_WAIT_SPIN);
  }
}

}  // namespace
}  // namespace vgfio
