// ExecuTorch's own backend with the hooks: what crosses without a copy, what falls
// back, and that the bits are right either way.
#include <gmock/gmock.h>

#include "base/delegate_error.h"
#include "base/names.h"
#include "delegate/options.h"
#include "upstream_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kFloats = 1024;
constexpr uint64_t kBytes = kFloats * sizeof(float);

class UpstreamModel : public UpstreamTest, public ::testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(Models, UpstreamModel, ::testing::ValuesIn(shipped_models()),
                         [](const auto& info) {
                           return info.param.substr(0, info.param.find('.'));
                         });

TEST_P(UpstreamModel, BothModesComputeTheBitsOfASession) {
  const VgfBytes vgf = shipped_vgf(GetParam());
  BufferSet buffers(vgf);
  fill_inputs(buffers.tensors(), buffers.inputs());
  const std::string expected =
      expected_outputs(device(), vgf, buffers.tensors(), buffers.inputs());
  for (const vgfio_io_mode mode : {VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY}) {
    const auto backend = attach(vgf, mode);
    ASSERT_NE(backend, nullptr);
    for (int i = 0; i < 2; ++i) {
      poison_outputs(buffers.tensors(), buffers.inputs());
      const Record record = run(*backend, buffers.tensors());
      EXPECT_TRUE(contents(buffers.tensors(), buffers.inputs()) == expected)
          << io_mode_name(mode) << ", run " << i;
      const bool copied = mode == VGFIO_IO_COPY;
      EXPECT_EQ(record.in_copy_bytes, copied ? buffers.input_bytes() : 0U);
      EXPECT_EQ(record.out_copy_bytes, copied ? buffers.output_bytes() : 0U);
      EXPECT_EQ(record.in_zero_copy_bytes, copied ? 0U : buffers.input_bytes());
      EXPECT_EQ(record.out_zero_copy_bytes, copied ? 0U : buffers.output_bytes());
    }
  }
}

class DelegateIoTest : public UpstreamTest {
 protected:
  Record run_and_check(Backend& backend, const std::vector<HostTensor>& tensors) {
    poison_outputs(tensors, 2);
    const Record record = run(backend, tensors);
    size_t wrong = 0;
    for (int64_t i = 0; i < kFloats; ++i) {
      wrong += floats(tensors[2])[i] != floats(tensors[0])[i] + floats(tensors[1])[i] ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U);
    return record;
  }

  BufferSet filled(uint32_t seed, bool noted = true) const {
    BufferSet buffers(vgf_, noted);
    fill_inputs(buffers.tensors(), 2, seed);
    return buffers;
  }

  const VgfBytes vgf_ = build_vgf(broadcast_add(kFloats, kFloats, kFloats));
};

TEST_F(DelegateIoTest, CopiesAreCountedAndTimed) {
  const auto backend = attach(vgf_, VGFIO_IO_COPY);
  const BufferSet buffers = filled(1);
  const Record record = run_and_check(*backend, buffers.tensors());
  EXPECT_EQ(record.in_copy_bytes, 2 * kBytes);
  EXPECT_EQ(record.out_copy_bytes, kBytes);
  EXPECT_GT(record.in_memcpy_ns, 0U);
  EXPECT_GT(record.out_memcpy_ns, 0U);
  EXPECT_GT(record.submit_wait_ns, 0U);
  EXPECT_GE(record.execute_ns,
            record.submit_wait_ns + record.in_memcpy_ns + record.out_memcpy_ns);
  EXPECT_EQ(record.imports, 0U);
  EXPECT_EQ(record.fallback_count, 0U);
  EXPECT_STREQ(path_name(path(0).path), "copy");
}

TEST_F(DelegateIoTest, ABufferIsImportedOnceAndBoundAgainForNothing) {
  const auto backend = attach(vgf_, VGFIO_IO_ZERO_COPY);
  const BufferSet buffers = filled(1);
  const Record first = run_and_check(*backend, buffers.tensors());
  EXPECT_EQ(first.imports, 3U);
  EXPECT_GT(first.import_ns, 0U);
  EXPECT_EQ(first.binding_refreshes, 1U);
  const Record second = run_and_check(*backend, buffers.tensors());
  EXPECT_EQ(second.imports, 0U);
  EXPECT_EQ(second.binding_refreshes, 0U);
  EXPECT_EQ(second.in_zero_copy_bytes, 2 * kBytes);
  EXPECT_EQ(second.in_memcpy_ns, 0U);
  EXPECT_EQ(path(2).imported, 1U);
}

TEST_F(DelegateIoTest, ARingOfBuffersIsImportedInItsFirstLapOnly) {
  const auto backend = attach(vgf_, VGFIO_IO_ZERO_COPY);
  std::vector<BufferSet> ring;
  for (uint32_t seed = 1; seed <= 3; ++seed) ring.push_back(filled(seed));
  for (int lap = 0; lap < 3; ++lap) {
    for (const BufferSet& buffers : ring) {
      const Record record = run_and_check(*backend, buffers.tensors());
      EXPECT_EQ(record.imports, lap == 0 ? 3U : 0U);
      EXPECT_EQ(record.binding_refreshes, 1U);
    }
  }
}

TEST_F(DelegateIoTest, WhatCannotBeImportedIsCopiedWithItsReasonAndBack) {
  const auto backend = attach(vgf_, VGFIO_IO_ZERO_COPY);
  const BufferSet good = filled(1);
  run_and_check(*backend, good.tensors());
  std::vector<std::vector<float>> heap(3, std::vector<float>(kFloats + 1, 3));
  std::vector<HostTensor> odd;
  for (auto& data : heap) odd.push_back({data.data() + 1, kBytes});  // never aligned to 4096
  const Record fallen = run_and_check(*backend, odd);
  EXPECT_EQ(fallen.in_copy_bytes, 2 * kBytes);
  EXPECT_EQ(fallen.out_copy_bytes, kBytes);
  EXPECT_EQ(fallen.fallback_count, 3U);
  EXPECT_EQ(fallen.rejection_count, 3U);
  EXPECT_EQ(path(0).reason, uint32_t{VGFIO_REASON_MISALIGNED_POINTER});
  // One of three.
  std::vector<HostTensor> mixed = good.tensors();
  mixed[1] = odd[1];
  const Record partly = run_and_check(*backend, mixed);
  EXPECT_EQ(partly.in_copy_bytes, kBytes);
  EXPECT_EQ(partly.in_zero_copy_bytes, kBytes);
  EXPECT_EQ(partly.fallback_count, 1U);
  const Record whole = run_and_check(*backend, good.tensors());
  EXPECT_EQ(whole.in_copy_bytes, 0U);
  EXPECT_EQ(whole.fallback_count, 0U);
}

TEST_F(DelegateIoTest, AForgottenBufferIsLetGoBeforeItsOwnerFreesIt) {
  const auto backend = attach(vgf_, VGFIO_IO_ZERO_COPY);
  const BufferSet kept = filled(2);
  {
    const BufferSet gone = filled(1);
    run_and_check(*backend, gone.tensors());
  }
  const Record record = run_and_check(*backend, kept.tensors());
  EXPECT_EQ(record.imports, 3U);
  EXPECT_EQ(record.out_zero_copy_bytes, kBytes);
}

TEST_F(DelegateIoTest, OverlappingBuffersFallBack) {
  const auto backend = attach(vgf_, VGFIO_IO_ZERO_COPY);
  const BufferSet buffers = filled(1);
  std::vector<HostTensor> tensors = buffers.tensors();
  tensors[2] = tensors[0];  // in place
  std::vector<float> expected(kFloats);
  for (int64_t i = 0; i < kFloats; ++i) {
    expected[i] = floats(tensors[0])[i] + floats(tensors[1])[i];
  }
  const Record record = run(*backend, tensors);
  EXPECT_EQ(std::memcmp(tensors[2].data, expected.data(), kBytes), 0);
  EXPECT_EQ(record.out_copy_bytes, kBytes);
  EXPECT_EQ(path(2).reason, uint32_t{VGFIO_REASON_OVERLAPPING_BUFFERS});
}

TEST_F(DelegateIoTest, LentMemoryCrossesWithoutACopyInAnyMode) {
  const auto backend = attach(vgf_, VGFIO_IO_LEND);
  DelegateSource& source = *sink_.delegates().back();
  const BufferSet buffers = filled(1);
  std::vector<HostTensor> tensors = buffers.tensors();
  tensors[0] = {source.lend(VGFIO_INPUT, 0).data, kBytes};
  tensors[2] = {source.lend(VGFIO_OUTPUT, 0).data, kBytes};
  ASSERT_NE(tensors[0].data, nullptr);
  EXPECT_EQ(source.lend(VGFIO_INPUT, 2).data, nullptr);
  fill_inputs(tensors, 2, 5);
  const Record record = run_and_check(*backend, tensors);
  EXPECT_EQ(record.in_copy_bytes, kBytes);
  EXPECT_EQ(record.out_copy_bytes, 0U);
  EXPECT_STREQ(path_name(path(0).path), "lent");
  EXPECT_STREQ(path_name(path(1).path), "copy");
}

class ProfiledInference : public DelegateIoTest,
                          public ::testing::WithParamInterface<vgfio_io_mode> {};

TEST_P(ProfiledInference, HasDeviceTime) {
  if (device()->info().queue_families[device()->plan().queue_family].timestamp_valid_bits == 0) {
    GTEST_SKIP() << "the device's queue has no timestamps";
  }
  const auto backend = attach(vgf_, GetParam());
  const BufferSet buffers = filled(1);
  EXPECT_EQ(run_and_check(*backend, buffers.tensors()).gpu_ns_valid, 0U);
  sink_.set_profile_device(true);
  const Record record = run_and_check(*backend, buffers.tensors());
  sink_.set_profile_device(false);
  EXPECT_EQ(record.gpu_ns_valid, 1U);
  EXPECT_LE(record.gpu_ns, record.submit_wait_ns);
  EXPECT_EQ(run_and_check(*backend, buffers.tensors()).gpu_ns_valid, 0U);
}

INSTANTIATE_TEST_SUITE_P(Modes, ProfiledInference,
                         ::testing::Values(VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY),
                         [](const auto& mode) { return io_mode_name(mode.param); });

TEST_F(DelegateIoTest, ImagesAreCopiedAndSayWhy) {
  const VgfBytes vgf = build_vgf(double_image());
  const auto backend = attach(vgf, VGFIO_IO_ZERO_COPY);
  BufferSet buffers(vgf);
  fill_inputs(buffers.tensors(), 1);
  poison_outputs(buffers.tensors(), 1);
  const Record record = run(*backend, buffers.tensors());
  for (size_t i = 0; i < 60; ++i) {
    ASSERT_EQ(floats(buffers.tensors()[1])[i], 2 * floats(buffers.tensors()[0])[i]) << i;
  }
  EXPECT_EQ(record.fallback_count, 2U);
  EXPECT_THAT(path(0).detail, HasSubstr("images"));
}

TEST_F(DelegateIoTest, ATensorThatIsInputAndOutputIsCopied) {
  VgfSpec spec = broadcast_add(kFloats, kFloats, kFloats);
  spec.outputs.push_back({3, 0});
  spec.output_names.push_back("a again");
  const VgfBytes vgf = build_vgf(spec);
  const auto backend = attach(vgf, VGFIO_IO_ZERO_COPY);
  ASSERT_NE(backend, nullptr);
  BufferSet buffers(vgf);
  fill_inputs(buffers.tensors(), 2);
  run(*backend, buffers.tensors());
  EXPECT_EQ(path(0).reason, uint32_t{VGFIO_REASON_ALIASED_RESOURCE});
  EXPECT_STREQ(path_name(path(1).path), "zero_copy");
}

TEST_F(DelegateIoTest, RequiredZeroCopyFailsWithWhatWasCopied) {
  const auto backend = attach(vgf_, {option(kOptionIoMode, VGFIO_IO_ZERO_COPY),
                                     option(kOptionRequireZeroCopy, true)});
  const BufferSet good = filled(1);
  run_and_check(*backend, good.tensors());
  std::vector<float> odd(kFloats + 1);
  std::vector<HostTensor> tensors = good.tensors();
  tensors[1] = {odd.data() + 1, kBytes};
  ByteArguments arguments(tensors);
  EXPECT_EQ(backend->execute(arguments.span()), et::Error::Internal);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("input 1: misaligned_pointer"));
  run_and_check(*backend, good.tensors());
}

TEST_F(DelegateIoTest, WrongArgumentsAreRefusedWithTheNumbers) {
  const auto backend = attach(vgf_, VGFIO_IO_ZERO_COPY);
  const BufferSet good = filled(1);
  const auto refused = [&](std::vector<HostTensor> tensors, const char* message) {
    ByteArguments arguments(tensors);
    EXPECT_NE(backend->execute(arguments.span()), et::Error::Ok);
    EXPECT_THAT(take_delegate_error().detail(), HasSubstr(message));
  };
  refused({good.tensors()[0]}, "the delegate call has 1 arguments, the VGF 3");
  std::vector<HostTensor> cut = good.tensors();
  cut[1].bytes -= 4;
  refused(cut, "input 1 has 4092 bytes, the VGF has 4096");
  run_and_check(*backend, good.tensors());
}

}  // namespace
}  // namespace vgfio::testing
