#include "runner/io_binding.h"

#include <sys/mman.h>

#include <cstring>

#include <gmock/gmock.h>

#include "base/host_regions.h"
#include "session_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

class IoBindingTest : public SessionFixture {
 protected:
  const vgfio_tensor_info& info(vgfio_direction direction, size_t index) {
    return session_->tensors(direction)[index];
  }
  Status bind(vgfio_direction direction, size_t index, void* data, size_t capacity) {
    return session_->binding().bind(direction, index, data, capacity);
  }
};

TEST_F(IoBindingTest, NotesBuffersForAsLongAsTheyAreBound) {
  open();
  std::byte* const data = session_->binding().data(VGFIO_INPUT, 0);
  const auto region = find_host_region(data, info(VGFIO_INPUT, 0).bytes);
  ASSERT_TRUE(region);
  EXPECT_EQ(region->base, data);
  EXPECT_EQ(region->capacity, info(VGFIO_INPUT, 0).required_capacity);
  EXPECT_FALSE(region->read_only);
  ASSERT_TRUE(session_->binding().unbind(VGFIO_INPUT, 0).ok());
  EXPECT_FALSE(find_host_region(data, 1));
  std::byte* const output = session_->binding().data(VGFIO_OUTPUT, 0);
  session_.reset();
  EXPECT_FALSE(find_host_region(output, 1));
}

TEST_F(IoBindingTest, RefusesBuffersThatCannotServe) {
  open();
  alignas(64) std::byte small[64];
  EXPECT_THAT(bind(VGFIO_INPUT, 0, nullptr, 1 << 20).detail(), HasSubstr("is null"));
  EXPECT_THAT(bind(VGFIO_INPUT, 0, small, sizeof(small)).detail(),
              HasSubstr("needs 1048576 bytes, the buffer has 64"));
  EXPECT_THAT(bind(VGFIO_INPUT, 2, small, sizeof(small)).detail(),
              HasSubstr("there is no input 2; the method has 2 inputs and 1 outputs"));
  std::vector<std::byte> large((1 << 20) + 8);
  EXPECT_THAT(bind(VGFIO_OUTPUT, 0, large.data() + 1, 1 << 20).detail(),
              HasSubstr("not aligned to its element size"));
}

TEST_F(IoBindingTest, ReadOnlyMemoryServesInputsOnly) {
  open();
  const size_t bytes = 1 << 20;
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  EXPECT_THAT(bind(VGFIO_OUTPUT, 0, memory, bytes).detail(), HasSubstr("read-only memory"));
  EXPECT_TRUE(bind(VGFIO_INPUT, 0, memory, bytes).ok());
  EXPECT_TRUE(find_host_region(memory, bytes)->read_only);
  EXPECT_TRUE(run(0, 1).ok());
  ASSERT_TRUE(session_->binding().unbind(VGFIO_INPUT, 0).ok());
  munmap(memory, bytes);
  EXPECT_THAT(bind(VGFIO_INPUT, 0, memory, bytes).detail(), HasSubstr("not all of the buffer"));
}

TEST_F(IoBindingTest, RebindingIsSeenByTheNextRun) {
  open();
  const size_t bytes = info(VGFIO_INPUT, 0).bytes;
  std::vector<float> input(bytes / 4, 3.0f);
  std::vector<float> output(bytes / 4, 0.0f);
  ASSERT_TRUE(bind(VGFIO_INPUT, 0, input.data(), bytes).ok());
  ASSERT_TRUE(bind(VGFIO_OUTPUT, 0, output.data(), bytes).ok());
  ASSERT_TRUE(run(0, 1).ok());
  EXPECT_EQ(output, input);
  EXPECT_EQ(std::memcmp(session_->binding().data(VGFIO_OUTPUT, 0), input.data(), bytes), 0);
}

TEST_F(IoBindingTest, OneArrayMayServeTwoInputs) {
  open();
  std::byte* const data = session_->binding().data(VGFIO_INPUT, 0);
  const size_t capacity = info(VGFIO_INPUT, 0).required_capacity;
  EXPECT_TRUE(bind(VGFIO_INPUT, 1, data, capacity).ok());
  EXPECT_TRUE(run(0, 1).ok());
  ASSERT_TRUE(session_->binding().unbind(VGFIO_INPUT, 0).ok());
  EXPECT_TRUE(find_host_region(data, capacity)) << "still bound to the other input";
}

TEST_F(IoBindingTest, PlannedTensorsAreCopiedInAndOut) {
  SessionOptions options;
  options.allow_planned_io = true;
  open(options, data_file("planned_io"));
  const size_t bytes = info(VGFIO_INPUT, 0).bytes;
  std::vector<std::byte> input(bytes, std::byte{1});
  std::vector<std::byte> output(info(VGFIO_OUTPUT, 0).bytes);
  ASSERT_TRUE(bind(VGFIO_INPUT, 0, input.data(), bytes).ok());
  ASSERT_TRUE(bind(VGFIO_OUTPUT, 0, output.data(), output.size()).ok());
  ASSERT_TRUE(run(0, 2).ok());
  EXPECT_EQ(output, input) << "the stub copies its first input";
  std::fill(input.begin(), input.end(), std::byte{2});
  ASSERT_TRUE(run(0, 1).ok());
  EXPECT_EQ(output, input) << "a planned input is copied in for each inference";
}

TEST_F(IoBindingTest, APassedThroughOutputHoldsItsInput) {
  stub().outputs = 1;
  open({}, data_file("pass_through"));
  ASSERT_TRUE(run(0, 2).ok());
  const auto& outputs = session_->facts().outputs;
  const auto& inputs = session_->facts().inputs;
  size_t passed = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (size_t j = 0; j < inputs.size(); ++j) {
      if (outputs[i].value != inputs[j].value) continue;
      ++passed;
      EXPECT_EQ(std::memcmp(session_->binding().data(VGFIO_OUTPUT, i),
                            session_->binding().data(VGFIO_INPUT, j), info(VGFIO_INPUT, j).bytes),
                0);
    }
  }
  EXPECT_EQ(passed, 1u) << "the model has one";
}

}  // namespace
}  // namespace vgfio::testing
