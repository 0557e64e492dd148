#include "runner/mapped_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

// Three pages: writable, read-only, unmapped.
class MappedMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* memory =
        mmap(nullptr, 3 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    base_ = static_cast<std::byte*>(memory);
    ASSERT_EQ(mprotect(base_ + page_, page_, PROT_READ), 0);
    ASSERT_EQ(munmap(base_ + 2 * page_, page_), 0);
  }
  void TearDown() override { munmap(base_, 2 * page_); }

  size_t page_ = 0;
  std::byte* base_ = nullptr;
};

TEST_F(MappedMemory, TheWeakestAccessCounts) {
  EXPECT_EQ(mapped_access(base_, page_), MappedAccess::kWritable);
  EXPECT_EQ(mapped_access(base_ + page_, page_), MappedAccess::kReadOnly);
  EXPECT_EQ(mapped_access(base_ + page_ - 1, 2), MappedAccess::kReadOnly);
  EXPECT_EQ(mapped_access(base_ + 2 * page_ - 1, 2), MappedAccess::kUnmapped);
  EXPECT_EQ(mapped_access(base_ + 2 * page_, 1), MappedAccess::kUnmapped);
}

TEST_F(MappedMemory, HeapAndStackAreWritable) {
  const std::vector<int> heap(100000);
  const int stack = 0;
  EXPECT_EQ(mapped_access(heap.data(), heap.size() * sizeof(int)), MappedAccess::kWritable);
  EXPECT_EQ(mapped_access(&stack, sizeof(stack)), MappedAccess::kWritable);
  EXPECT_EQ(mapped_access("text", 4), MappedAccess::kReadOnly);
}

}  // namespace
}  // namespace vgfio
