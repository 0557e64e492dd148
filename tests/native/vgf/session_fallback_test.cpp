// Imports that cannot be: each falls back to a copy with its own true reason
// and the right result, or fails where a copy is not allowed.
#include <gmock/gmock.h>

#include "base/names.h"
#include "device_fixture.h"
#include "import_watch.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kFloats = 4096;
constexpr size_t kTensorBytes = kFloats * sizeof(float);

class FallbackTest : public DeviceTest {
 protected:
  // Runs on a device of the test's own and checks the sum.
  Record run_and_check(VgfSession& session, const std::vector<HostTensor>& tensors) {
    Record record{};
    const std::string a = contents({tensors[0]}, 0);
    const std::string b = contents({tensors[1]}, 0);
    const Status status = session.run(tensors, &record, false);
    EXPECT_TRUE(status.ok()) << status.detail();
    size_t wrong = 0;
    for (int64_t i = 0; i < kFloats; ++i) {
      const float sum = reinterpret_cast<const float*>(a.data())[i] +
                        reinterpret_cast<const float*>(b.data())[i];
      wrong += floats(tensors[2])[i] != sum ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U);
    return record;
  }

  void expect_copied(const VgfSession& session, size_t index, vgfio_reason reason,
                     const std::string& detail) {
    const vgfio_tensor_path path = session.paths()[index];
    EXPECT_STREQ(path_name(path.path), "copy");
    EXPECT_STREQ(reason_name(path.reason), reason_name(reason));
    EXPECT_THAT(path.detail, HasSubstr(detail));
    EXPECT_EQ(path.imported, 0U);
  }

  void expect_imported(const VgfSession& session, size_t index) {
    const vgfio_tensor_path path = session.paths()[index];
    EXPECT_STREQ(path_name(path.path), "zero_copy") << path.detail;
    EXPECT_EQ(path.reason, uint32_t{VGFIO_REASON_NONE});
    EXPECT_STREQ(path.detail, "");
  }

  std::unique_ptr<VgfSession> zero_copy_on(const std::shared_ptr<Device>& device) {
    VgfSessionOptions options;
    options.io_mode = VGFIO_IO_ZERO_COPY;
    auto created = VgfSession::create(device, vgf_.data(), vgf_.size(), options);
    EXPECT_TRUE(created.ok()) << created.status().detail();
    return created.ok() ? created.take() : nullptr;
  }

  const VgfBytes vgf_ = build_vgf(broadcast_add(kFloats, kFloats, kFloats));
};

TEST_F(FallbackTest, UnknownMemoryAtAnUnalignedPointer) {
  const HostBuffer unaligned(kTensorBytes + 64, false);
  BufferSet buffers(vgf_);
  buffers.tensors()[0] = unaligned.tensor(64, kTensorBytes);
  fill_inputs(buffers.tensors(), 2);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  for (int run = 0; run < 2; ++run) {
    const Record record = run_and_check(*tested, buffers.tensors());
    EXPECT_EQ(record.fallback_count, 1U);
    EXPECT_EQ(record.rejection_count, run == 0 ? 1U : 0U);
    EXPECT_EQ(record.imports, run == 0 ? 2U : 0U);
    EXPECT_EQ(record.in_copy_bytes, kTensorBytes);
    EXPECT_EQ(record.in_zero_copy_bytes, kTensorBytes);
    EXPECT_EQ(record.out_zero_copy_bytes, kTensorBytes);
  }
  expect_copied(*tested, 0, VGFIO_REASON_MISALIGNED_POINTER,
                "the pointer is aligned to 64 bytes, the import needs");
  expect_imported(*tested, 1);
  expect_imported(*tested, 2);
}

TEST_F(FallbackTest, UnknownMemoryThatEndsWithinAPage) {
  const VgfBytes vgf = build_vgf(broadcast_add(1000, 1000, 1000));
  const BufferSet buffers(vgf, false);
  const auto tested = session(vgf, VGFIO_IO_ZERO_COPY);
  ASSERT_TRUE(tested->run(buffers.tensors(), nullptr, false).ok());
  expect_copied(*tested, 0, VGFIO_REASON_SIZE_NOT_A_MULTIPLE, "the buffer of 4000 bytes");
}

TEST_F(FallbackTest, AnOutputInReadOnlyMemory) {
  BufferSet buffers(vgf_);
  const HostBuffer read_only(kTensorBytes, true, true);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  // "Read-only" is the owner's word; the memory of this test can be written.
  buffers.tensors()[2] = read_only.tensor();
  run_and_check(*tested, buffers.tensors());
  expect_copied(*tested, 2, VGFIO_REASON_READ_ONLY, "read-only");
  buffers = BufferSet(vgf_);
  buffers.tensors()[0] = read_only.tensor();
  fill_inputs(buffers.tensors(), 2);
  run_and_check(*tested, buffers.tensors());
  expect_imported(*tested, 0);
  expect_imported(*tested, 2);
}

TEST_F(FallbackTest, AnOutputOverAnInputIsCopiedAfterTheInputWasRead) {
  BufferSet buffers(vgf_);
  buffers.tensors()[2] = buffers.tensors()[0];
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  const Record record = run_and_check(*tested, buffers.tensors());
  EXPECT_EQ(record.fallback_count, 1U);
  EXPECT_EQ(record.rejection_count, 1U);
  EXPECT_EQ(record.out_copy_bytes, kTensorBytes);
  EXPECT_EQ(record.in_zero_copy_bytes, 2 * kTensorBytes);
  expect_imported(*tested, 0);
  expect_copied(*tested, 2, VGFIO_REASON_OVERLAPPING_BUFFERS, "overlaps");
}

TEST_F(FallbackTest, APartialOverlapCountsToo) {
  const HostBuffer arena(3 * kTensorBytes);
  const std::vector<HostTensor> tensors = {
      arena.tensor(0, kTensorBytes), arena.tensor(kTensorBytes, kTensorBytes),
      arena.tensor(kTensorBytes + kTensorBytes / 2, kTensorBytes)};
  fill_inputs(tensors, 2);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  run_and_check(*tested, tensors);
  expect_copied(*tested, 2, VGFIO_REASON_OVERLAPPING_BUFFERS, "overlaps");
}

TEST_F(FallbackTest, RequiredZeroCopyFailsWithTheNamesAndThenWorks) {
  BufferSet good(vgf_);
  BufferSet bad(vgf_);
  const HostBuffer unaligned(kTensorBytes + 64, false);
  bad.tensors()[1] = unaligned.tensor(64, kTensorBytes);
  bad.tensors()[2] = bad.tensors()[0];
  VgfSessionOptions options;
  options.io_mode = VGFIO_IO_ZERO_COPY;
  options.require_zero_copy = true;
  const auto tested = session(vgf_, options);
  const Status status = tested->run(bad.tensors(), nullptr, false);
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
  EXPECT_EQ(status.detail(),
            "zero-copy is required, but it was not possible for input 1: misaligned_pointer; "
            "output 0: overlapping_buffers");
  run_and_check(*tested, good.tensors());
}

TEST_F(FallbackTest, RequiredZeroCopyInLendModeNamesTheForeignBuffer) {
  BufferSet buffers(vgf_);
  VgfSessionOptions options;
  options.io_mode = VGFIO_IO_LEND;
  options.require_zero_copy = true;
  const auto tested = session(vgf_, options);
  for (size_t i = 0; i < 2; ++i) buffers.tensors()[i].data = tested->lend(i)->data;
  fill_inputs(buffers.tensors(), 2);
  const Status status = tested->run(buffers.tensors(), nullptr, false);
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
  EXPECT_THAT(status.detail(), HasSubstr("output 0: the buffer is not the lent one"));
}

TEST_F(FallbackTest, RequiredZeroCopyInCopyModeIsAContradiction) {
  const BufferSet buffers(vgf_);
  VgfSessionOptions options;
  options.require_zero_copy = true;
  const Status status = session(vgf_, options)->run(buffers.tensors(), nullptr, false);
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(status.detail(), HasSubstr("the mode is copy"));
}

TEST_F(FallbackTest, ADriverThatRefusesImportsIsNamedWithItsResult) {
  BufferSet buffers(vgf_);
  const auto own = fresh_device();
  ImportWatch watch(*own, ImportWatch::Behaviour::kRefuse);
  const auto tested = zero_copy_on(own);
  const Record record = run_and_check(*tested, buffers.tensors());
  EXPECT_EQ(record.fallback_count, 3U);
  EXPECT_EQ(record.rejection_count, 3U);
  EXPECT_EQ(record.imports, 0U);
  for (size_t i = 0; i < 3; ++i) {
    expect_copied(*tested, i, VGFIO_REASON_IMPORT_FAILED, "VK_ERROR_INVALID_EXTERNAL_HANDLE");
    EXPECT_EQ(tested->paths()[i].vk_result, VK_ERROR_INVALID_EXTERNAL_HANDLE);
  }
}

TEST_F(FallbackTest, ARefusalAfterTheCanaryIsTheSame) {
  BufferSet buffers(vgf_);
  ASSERT_EQ(device()->import_canary().reason, VGFIO_REASON_NONE);
  ImportWatch watch(*device(), ImportWatch::Behaviour::kRefuse);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  run_and_check(*tested, buffers.tensors());
  expect_copied(*tested, 0, VGFIO_REASON_IMPORT_FAILED, "VK_ERROR_INVALID_EXTERNAL_HANDLE");
  // Other buffers, and the driver has changed its mind.
  watch.set_behaviour(ImportWatch::Behaviour::kPass);
  BufferSet others(vgf_);
  EXPECT_EQ(run_and_check(*tested, others.tensors()).imports, 3U);
  expect_imported(*tested, 0);
  EXPECT_EQ(tested->paths()[0].vk_result, 0);
}

TEST_F(FallbackTest, ALayerThatDropsTheImportIsCaughtByTheCanary) {
  BufferSet buffers(vgf_);
  const auto own = fresh_device();
  ImportWatch watch(*own, ImportWatch::Behaviour::kDrop);
  const auto tested = zero_copy_on(own);
  run_and_check(*tested, buffers.tensors());
  for (size_t i = 0; i < 3; ++i) {
    expect_copied(*tested, i, VGFIO_REASON_IMPORT_DOES_NOT_ALIAS, "do not alias host memory");
  }
  EXPECT_EQ(watch.attempts(), 1U);  // the canary's; nothing else was tried
}

// The canary decides once, but only what it has seen.
TEST_F(FallbackTest, ACanaryThatCouldNotRunIsAskedAgain) {
  BufferSet buffers(vgf_);
  const auto own = fresh_device();
  ImportWatch watch(*own, ImportWatch::Behaviour::kRefuse);
  EXPECT_EQ(own->import_canary().reason, VGFIO_REASON_IMPORT_FAILED);
  watch.set_behaviour(ImportWatch::Behaviour::kPass);
  EXPECT_EQ(own->import_canary().reason, VGFIO_REASON_NONE);
  EXPECT_EQ(own->import_canary().reason, VGFIO_REASON_NONE);
  EXPECT_EQ(watch.attempts(), 2U);
}

TEST_F(FallbackTest, APointerThatIsOfNoMemoryType) {
  BufferSet buffers(vgf_);
  const auto own = fresh_device();
  own->mutable_functions().GetMemoryHostPointerPropertiesEXT =
      [](VkDevice, VkExternalMemoryHandleTypeFlagBits, const void*,
         VkMemoryHostPointerPropertiesEXT* properties) {
        properties->memoryTypeBits = 0;
        return VK_SUCCESS;
      };
  const auto tested = zero_copy_on(own);
  run_and_check(*tested, buffers.tensors());
  for (size_t i = 0; i < 3; ++i) {
    expect_copied(*tested, i, VGFIO_REASON_NO_COMMON_MEMORY_TYPE, "memory types 0");
  }
}

}  // namespace
}  // namespace vgfio::testing
