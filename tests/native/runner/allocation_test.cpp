// The measured loop allocates nothing: counted at malloc itself, so that what
// the runtime and C code take is seen too.
#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

#include "session_fixture.h"

namespace {
std::atomic<bool> counting{false};
std::atomic<uint64_t> allocations{0};
void count() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1);
}
}  // namespace

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t bytes) {
  count();
  return __libc_malloc(bytes);
}
void* calloc(size_t items, size_t bytes) {
  count();
  return __libc_calloc(items, bytes);
}
void* realloc(void* memory, size_t bytes) {
  count();
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}
}

namespace vgfio::testing {
namespace {

class AllocationTest : public SessionFixture {
 protected:
  // Counts from the first execution of the next run to its last one.
  void count_between(uint64_t first, uint64_t last) {
    allocations = 0;
    stub().on_execute = [first, last](uint64_t execution) {
      if (execution == first) counting = true;
      if (execution == last) counting = false;
    };
  }
};

TEST_F(AllocationTest, TheCounterCounts) {
  counting = true;
  void* volatile memory = std::malloc(10);
  std::free(memory);
  std::string text(100, 'x');
  counting = false;
  EXPECT_EQ(allocations.load(), 2u);
}

TEST_F(AllocationTest, NoneInTheMeasuredLoop) {
  open();
  count_between(5, 105);
  ASSERT_TRUE(run(5, 101).ok());
  EXPECT_EQ(records_.size(), 101u);
  EXPECT_EQ(allocations.load(), 0u);
}

TEST_F(AllocationTest, NoneWithSeveralDelegatesAndProfiling) {
  open({}, data_file("two_delegates"));
  count_between(20, 219);  // two an inference; CPU kernels start their threads in the warm-up
  ASSERT_TRUE(run(10, 100, true).ok());
  EXPECT_EQ(allocations.load(), 0u);
}

}  // namespace
}  // namespace vgfio::testing
