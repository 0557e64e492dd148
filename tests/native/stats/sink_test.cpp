#include "stats/sink.h"

#include <thread>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

class FakeSource : public DelegateSource {
 public:
  DeviceInfo device() const override { return {}; }
  InitTimes init_times() const override { return {}; }
  std::vector<vgfio_tensor_path> tensor_paths() const override { return {}; }
  Lent lend(vgfio_direction, size_t) override { return {}; }
  size_t tensor_count(vgfio_direction) const override { return 0; }
};

TEST(Sink, PartsExistOnlyBetweenOpenAndClose) {
  Sink sink;
  FakeSource source;
  ASSERT_EQ(sink.attach(&source), 0u);
  EXPECT_EQ(sink.part(0), nullptr);
  sink.open_record();
  ASSERT_NE(sink.part(0), nullptr);
  Record whole{};
  sink.close_record(whole, nullptr);
  EXPECT_EQ(sink.part(0), nullptr);
}

TEST(Sink, SumsThePartsAndHandsThemOut) {
  Sink sink;
  FakeSource first;
  FakeSource second;
  sink.attach(&first);
  sink.attach(&second);
  sink.open_record();
  sink.part(0)->in_copy_bytes = 10;
  sink.part(1)->in_copy_bytes = 5;
  sink.part(1)->gpu_ns = 3;
  sink.part(1)->gpu_ns_valid = 1;
  Record whole{};
  Record parts[2];
  sink.close_record(whole, parts);
  EXPECT_EQ(whole.in_copy_bytes, 15u);
  EXPECT_EQ(whole.gpu_ns_valid, 0u);
  EXPECT_EQ(parts[0].in_copy_bytes, 10u);
  EXPECT_EQ(parts[1].in_copy_bytes, 5u);

  sink.open_record();
  whole = Record{};
  sink.close_record(whole, nullptr);
  EXPECT_EQ(whole.in_copy_bytes, 0u) << "an opened record begins empty";
}

TEST(Sink, DetachLeavesTheOtherIndices) {
  Sink sink;
  FakeSource first;
  FakeSource second;
  sink.attach(&first);
  sink.attach(&second);
  sink.detach(&first);
  ASSERT_EQ(sink.delegates().size(), 2u);
  EXPECT_EQ(sink.delegates()[0], nullptr);
  EXPECT_EQ(sink.delegates()[1], &second);
}

TEST(Sink, IsCurrentForItsScopeAndThread) {
  EXPECT_EQ(Sink::current(), nullptr);
  Sink outer;
  Sink inner;
  {
    const Sink::Scope outer_scope(&outer);
    EXPECT_EQ(Sink::current(), &outer);
    {
      const Sink::Scope inner_scope(&inner);
      EXPECT_EQ(Sink::current(), &inner);
    }
    EXPECT_EQ(Sink::current(), &outer);
    std::thread([] { EXPECT_EQ(Sink::current(), nullptr); }).join();
  }
  EXPECT_EQ(Sink::current(), nullptr);
}

}  // namespace
}  // namespace vgfio
