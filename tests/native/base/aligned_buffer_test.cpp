#include "base/aligned_buffer.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

TEST(RoundUp, GoesToTheNextMultiple) {
  EXPECT_EQ(round_up(0, 4096), 0u);
  EXPECT_EQ(round_up(1, 4096), 4096u);
  EXPECT_EQ(round_up(4096, 4096), 4096u);
  EXPECT_EQ(round_up(4097, 4096), 8192u);
}

TEST(AlignmentOf, IsTheLargestPowerOfTwo) {
  EXPECT_EQ(alignment_of(nullptr), 0u);
  EXPECT_EQ(alignment_of(reinterpret_cast<void*>(0x3000)), 0x1000u);
  EXPECT_EQ(alignment_of(reinterpret_cast<void*>(0x3001)), 1u);
}

class AlignedBufferTest : public ::testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Alignments, AlignedBufferTest,
                         ::testing::Values(1, 2, 64, 4096, 16384, 65536));

TEST_P(AlignedBufferTest, HasAlignmentAndPaddedCapacity) {
  const size_t alignment = GetParam();
  for (const size_t bytes : {size_t{0}, size_t{1}, alignment, alignment + 1, size_t{100000}}) {
    const auto buffer = AlignedBuffer::allocate(bytes, alignment);
    ASSERT_TRUE(buffer.ok()) << buffer.status().detail();
    EXPECT_EQ(alignment_of(buffer->data()) % alignment, 0u);
    EXPECT_EQ(buffer->capacity() % alignment, 0u);
    EXPECT_GE(buffer->capacity(), std::max<size_t>(bytes, 1));
    EXPECT_LT(buffer->capacity(), bytes + alignment + 1);
  }
}

TEST(AlignedBuffer, RefusesWhatIsNoPowerOfTwo) {
  for (const size_t alignment : {size_t{0}, size_t{3}, size_t{100}}) {
    EXPECT_EQ(AlignedBuffer::allocate(16, alignment).status().code(), VGFIO_INVALID_REQUEST);
  }
}

TEST(AlignedBuffer, RefusesWhatNoMemoryHolds) {
  const size_t most = std::numeric_limits<size_t>::max();
  EXPECT_EQ(AlignedBuffer::allocate(most, 64).status().code(), VGFIO_RUN_FAILED);
  EXPECT_EQ(AlignedBuffer::allocate(most / 4, 64).status().code(), VGFIO_RUN_FAILED);
}

TEST(AlignedBuffer, MovesItsMemory) {
  auto buffer = AlignedBuffer::allocate(10, 64);
  ASSERT_TRUE(buffer.ok());
  const std::byte* const data = buffer->data();
  const AlignedBuffer moved = buffer.take();
  EXPECT_EQ(moved.data(), data);
  EXPECT_EQ(moved.capacity(), 64u);
}

}  // namespace
}  // namespace vgfio
