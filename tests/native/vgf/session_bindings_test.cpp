// Buffers that come and go: what is imported, kept, dropped and used again.
#include <gmock/gmock.h>

#include "device_fixture.h"
#include "import_watch.h"

namespace vgfio::testing {
namespace {

constexpr int64_t kFloats = 1024;
constexpr size_t kTensorBytes = kFloats * sizeof(float);

class BindingsTest : public DeviceTest {
 protected:
  void run_and_check(VgfSession& session, const std::vector<HostTensor>& tensors,
                     Record* record = nullptr) {
    poison_outputs(tensors, 2);
    const Status status = session.run(tensors, record, false);
    ASSERT_TRUE(status.ok()) << status.detail();
    for (int64_t i = 0; i < kFloats; ++i) {
      ASSERT_EQ(floats(tensors[2])[i], floats(tensors[0])[i] + floats(tensors[1])[i]) << i;
    }
  }

  std::unique_ptr<VgfSession> zero_copy_session(size_t binding_sets) {
    VgfSessionOptions options;
    options.io_mode = VGFIO_IO_ZERO_COPY;
    options.binding_sets = binding_sets;
    return session(vgf_, options);
  }

  const VgfBytes vgf_ = build_vgf(broadcast_add(kFloats, kFloats, kFloats));
};

// `count` times three buffers.
std::vector<BufferSet> ring_of(const VgfBytes& vgf, size_t count) {
  std::vector<BufferSet> ring;
  ring.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    ring.emplace_back(vgf);
    fill_inputs(ring.back().tensors(), 2, static_cast<uint32_t>(i + 1));
  }
  return ring;
}

TEST_F(BindingsTest, ARingThatFitsIsImportedInItsFirstLapOnly) {
  const std::vector<BufferSet> ring = ring_of(vgf_, 8);
  ImportWatch watch(*device());
  const auto tested = zero_copy_session(8);
  for (int lap = 0; lap < 3; ++lap) {
    for (const BufferSet& buffers : ring) {
      Record record{};
      run_and_check(*tested, buffers.tensors(), &record);
      EXPECT_EQ(record.imports, lap == 0 ? 3U : 0U);
      EXPECT_EQ(record.binding_refreshes, 1U);
      EXPECT_EQ(record.fallback_count, 0U);
    }
  }
  EXPECT_EQ(watch.live(), 24U);
}

TEST_F(BindingsTest, ARingThatDoesNotFitKeepsTheLiveImportsBounded) {
  constexpr size_t kSets = 16;
#ifdef __SANITIZE_ADDRESS__
  constexpr size_t kRuns = 2'000;  // each takes several times as long
#else
  constexpr size_t kRuns = 10'000;
#endif
  const std::vector<BufferSet> ring = ring_of(vgf_, 64);
  ASSERT_EQ(device()->import_canary().reason, VGFIO_REASON_NONE);
  ImportWatch watch(*device());
  {
    const auto tested = zero_copy_session(kSets);
    for (size_t run = 0; run < kRuns; ++run) {
      run_and_check(*tested, ring[run % ring.size()].tensors());
    }
    EXPECT_EQ(watch.attempts(), kRuns * 3);  // each comes back too late
    EXPECT_EQ(watch.live(), kSets * 3);
    EXPECT_LE(watch.most(), (kSets + 1) * 3);
  }
  EXPECT_EQ(watch.live(), 0U);
}

TEST_F(BindingsTest, ASetThatWasDroppedIsMadeAgain) {
  const std::vector<BufferSet> ring = ring_of(vgf_, 3);
  const auto tested = zero_copy_session(1);
  for (int lap = 0; lap < 2; ++lap) {
    for (const BufferSet& buffers : ring) {
      Record record{};
      run_and_check(*tested, buffers.tensors(), &record);
      EXPECT_EQ(record.imports, 3U);
    }
  }
}

TEST_F(BindingsTest, ABufferThatStaysIsNotImportedAgain) {
  std::vector<BufferSet> ring = ring_of(vgf_, 2);
  ring[1].tensors()[0] = ring[0].tensors()[0];
  const auto tested = zero_copy_session(4);
  Record record{};
  run_and_check(*tested, ring[0].tensors(), &record);
  EXPECT_EQ(record.imports, 3U);
  record = {};
  run_and_check(*tested, ring[1].tensors(), &record);
  EXPECT_EQ(record.imports, 2U);
}

TEST_F(BindingsTest, ForgettingARegionDropsItsImportBeforeItReturns) {
  ImportWatch watch(*device());
  const auto tested = zero_copy_session(16);
  std::vector<BufferSet> ring = ring_of(vgf_, 3);
  for (const BufferSet& buffers : ring) run_and_check(*tested, buffers.tensors());
  EXPECT_EQ(watch.live(), 9U);
  // The one in use, and one that is only kept ready.
  const HostTensor used = ring[2].tensors()[2];
  const HostTensor kept = ring[0].tensors()[1];
  forget_host_region(used.data);
  EXPECT_EQ(watch.live(), 8U);
  forget_host_region(kept.data);
  // The other two of the kept set have nobody left who holds them.
  EXPECT_EQ(watch.live(), 5U);
  EXPECT_TRUE(note_host_region({static_cast<std::byte*>(used.data), 65536}));
  EXPECT_TRUE(note_host_region({static_cast<std::byte*>(kept.data), 65536}));
  Record record{};
  run_and_check(*tested, ring[2].tensors(), &record);
  EXPECT_EQ(record.imports, 1U);
  record = {};
  run_and_check(*tested, ring[0].tensors(), &record);
  EXPECT_EQ(record.imports, 3U);
}

TEST_F(BindingsTest, ARegionNotedTwiceIsForgottenWithTheSecondForget) {
  ImportWatch watch(*device());
  const auto tested = zero_copy_session(16);
  const BufferSet buffers(vgf_);
  auto* const base = static_cast<std::byte*>(buffers.tensors()[0].data);
  ASSERT_TRUE(note_host_region({base, 65536}));
  run_and_check(*tested, buffers.tensors());
  forget_host_region(base);
  EXPECT_EQ(watch.live(), 3U);
  run_and_check(*tested, buffers.tensors());
}

TEST_F(BindingsTest, AForgottenRegionIsUsedAsUnknownMemory) {
  const auto tested = zero_copy_session(16);
  const BufferSet buffers(vgf_);
  run_and_check(*tested, buffers.tensors());
  forget_host_region(buffers.tensors()[0].data);
  run_and_check(*tested, buffers.tensors());
  // 4096 bytes at an aligned address are whole multiples of 4096, not of more.
  const bool whole = kTensorBytes % device()->info().import_alignment == 0;
  EXPECT_EQ(tested->paths()[0].path,
            whole ? uint32_t{VGFIO_PATH_ZERO_COPY} : uint32_t{VGFIO_PATH_COPY});
}

TEST_F(BindingsTest, NotingAnotherRegionKeepsTheBindings) {
  const auto tested = zero_copy_session(16);
  const BufferSet buffers(vgf_);
  run_and_check(*tested, buffers.tensors());
  const HostBuffer other(100);
  Record record{};
  run_and_check(*tested, buffers.tensors(), &record);
  EXPECT_EQ(record.imports, 0U);
  EXPECT_EQ(record.binding_refreshes, 0U);
}

TEST_F(BindingsTest, TwoSessionsOnTheSameBuffersForgetTogether) {
  ImportWatch watch(*device());
  const auto first = zero_copy_session(16);
  const auto second = zero_copy_session(16);
  {
    const BufferSet buffers(vgf_);
    run_and_check(*first, buffers.tensors());
    run_and_check(*second, buffers.tensors());
    EXPECT_EQ(watch.live(), 6U);
  }
  EXPECT_EQ(watch.live(), 0U);
}

TEST_F(BindingsTest, ASessionMayGoBeforeItsBuffers) {
  const BufferSet buffers(vgf_);
  run_and_check(*zero_copy_session(16), buffers.tensors());
}

// Nobody noted the memory, so that each import ends with its tensor: the longer
// one must not be bound to the shorter import of the same address.
TEST_F(BindingsTest, TensorsOfDifferentSizesAtOneUnknownAddress) {
  const VgfBytes vgf = build_vgf(broadcast_add(16384, 32768, 32768));
  BufferSet buffers(vgf, false);
  buffers.tensors()[0].data = buffers.tensors()[1].data;
  VgfSessionOptions options;
  options.io_mode = VGFIO_IO_ZERO_COPY;
  const auto tested = session(vgf, options);
  Record record{};
  const Status status = tested->run(buffers.tensors(), &record, false);
  ASSERT_TRUE(status.ok()) << status.detail();
  EXPECT_EQ(record.imports, 3U);
  const float* input = floats(buffers.tensors()[1]);
  for (size_t i = 0; i < 32768; ++i) {
    ASSERT_EQ(floats(buffers.tensors()[2])[i], input[i] + input[i % 16384]) << i;
  }
  const std::vector<vgfio_tensor_path> paths = tested->paths();
  EXPECT_EQ(paths[0].allocated_bytes, 65536U);
  EXPECT_EQ(paths[1].allocated_bytes, 131072U);
}

}  // namespace
}  // namespace vgfio::testing
