// Every way over the boundary gives the same bits, and the records and paths
// tell which way it was.
#include <gmock/gmock.h>

#include "base/names.h"
#include "device_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kAdd[] = "add_1x4x256x256.pte";

class ShippedModel : public DeviceTest, public ::testing::WithParamInterface<std::string> {};

INSTANTIATE_TEST_SUITE_P(Models, ShippedModel, ::testing::ValuesIn(shipped_models()),
                         [](const auto& info) {
                           return info.param.substr(0, info.param.find('.'));
                         });

TEST_P(ShippedModel, EveryModeComputesTheSameBits) {
  const VgfBytes vgf = shipped_vgf(GetParam());
  ASSERT_GT(vgf.size(), 0U);
  BufferSet buffers(vgf);
  const std::string expected =
      expected_outputs(device(), vgf, buffers.tensors(), buffers.inputs());
  for (const vgfio_io_mode mode :
       {VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY, VGFIO_IO_STAGED, VGFIO_IO_LEND}) {
    const auto tested = session(vgf, mode);
    ASSERT_NE(tested, nullptr);
    for (int run = 0; run < 3; ++run) {
      poison_outputs(buffers.tensors(), buffers.inputs());
      const Status status = tested->run(buffers.tensors(), nullptr, false);
      ASSERT_TRUE(status.ok()) << status.detail();
      EXPECT_TRUE(contents(buffers.tensors(), buffers.inputs()) == expected)
          << io_mode_name(mode) << ", run " << run;
    }
  }
}

class SessionTest : public DeviceTest {
 protected:
  void SetUp() override {
    vgf_ = shipped_vgf(kAdd);
    if (vgf_.size() == 0) GTEST_SKIP() << "no model " << kAdd;
    DeviceTest::SetUp();
  }

  // Runs and compares the output with the sum of the inputs.
  Record run_and_check(VgfSession& session, const std::vector<HostTensor>& tensors,
                       bool profile = false) {
    poison_outputs(tensors, 2);
    Record record{};
    const Status status = session.run(tensors, &record, profile);
    EXPECT_TRUE(status.ok()) << status.detail();
    size_t wrong = 0;
    for (size_t i = 0; i < tensors[2].bytes / sizeof(float); ++i) {
      wrong += floats(tensors[2])[i] != floats(tensors[0])[i] + floats(tensors[1])[i] ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0U);
    return record;
  }

  void expect_paths(const VgfSession& session, vgfio_path path) {
    for (const vgfio_tensor_path& tensor : session.paths()) {
      EXPECT_STREQ(path_name(tensor.path), path_name(path)) << tensor.detail;
    }
  }

  VgfBytes vgf_;
};

constexpr uint64_t kBytes = 4 * 256 * 256 * sizeof(float);

TEST_F(SessionTest, CopyModeCountsWhatTheCpuMoved) {
  BufferSet buffers(vgf_);
  const auto copying = session(vgf_, VGFIO_IO_COPY);
  for (int run = 0; run < 2; ++run) {
    const Record record = run_and_check(*copying, buffers.tensors());
    EXPECT_EQ(record.in_copy_bytes, 2 * kBytes);
    EXPECT_EQ(record.out_copy_bytes, kBytes);
    EXPECT_EQ(record.in_zero_copy_bytes, 0U);
    EXPECT_EQ(record.out_zero_copy_bytes, 0U);
    EXPECT_EQ(record.imports, 0U);
    EXPECT_EQ(record.binding_refreshes, run == 0 ? 1U : 0U);
    EXPECT_EQ(record.fallback_count, 0U);
    EXPECT_EQ(record.rejection_count, 0U);
    EXPECT_EQ(record.gpu_ns_valid, 0U);
  }
  for (const vgfio_tensor_path& path : copying->paths()) {
    EXPECT_EQ(path.path, uint32_t{VGFIO_PATH_COPY});
    EXPECT_EQ(path.reason, uint32_t{VGFIO_REASON_NONE});
    EXPECT_EQ(path.imported, 0U);
    EXPECT_GE(path.memory_type, 0);
    EXPECT_NE(path.memory_flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, 0U);
  }
}

TEST_F(SessionTest, ZeroCopyImportsOnceAndMovesNothing) {
  BufferSet buffers(vgf_);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  for (int run = 0; run < 3; ++run) {
    const Record record = run_and_check(*tested, buffers.tensors());
    EXPECT_EQ(record.in_copy_bytes, 0U);
    EXPECT_EQ(record.out_copy_bytes, 0U);
    EXPECT_EQ(record.in_memcpy_ns, 0U);
    EXPECT_EQ(record.out_memcpy_ns, 0U);
    EXPECT_EQ(record.in_zero_copy_bytes, 2 * kBytes);
    EXPECT_EQ(record.out_zero_copy_bytes, kBytes);
    EXPECT_EQ(record.imports, run == 0 ? 3U : 0U);
    EXPECT_EQ(record.binding_refreshes, run == 0 ? 1U : 0U);
    EXPECT_EQ(record.fallback_count, 0U);
    EXPECT_EQ(record.rejection_count, 0U);
  }
  const std::vector<vgfio_tensor_path> paths = tested->paths();
  ASSERT_EQ(paths.size(), 3U);
  for (size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(paths[i].struct_size, sizeof(vgfio_tensor_path));
    EXPECT_EQ(paths[i].direction, i < 2 ? uint32_t{VGFIO_INPUT} : uint32_t{VGFIO_OUTPUT});
    EXPECT_EQ(paths[i].index, i < 2 ? i : 0U);
    EXPECT_EQ(paths[i].path, uint32_t{VGFIO_PATH_ZERO_COPY});
    EXPECT_EQ(paths[i].reason, uint32_t{VGFIO_REASON_NONE});
    EXPECT_EQ(paths[i].imported, 1U);
    EXPECT_NE(paths[i].memory_flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, 0U);
    EXPECT_EQ(paths[i].pointer, reinterpret_cast<uint64_t>(buffers.tensors()[i].data));
    EXPECT_EQ(paths[i].bytes, kBytes);
    EXPECT_GE(paths[i].allocated_bytes, kBytes);
  }
}

TEST_F(SessionTest, StagedModeImportsAndSaysSo) {
  BufferSet buffers(vgf_);
  const auto tested = session(vgf_, VGFIO_IO_STAGED);
  const Record record = run_and_check(*tested, buffers.tensors());
  EXPECT_EQ(record.imports, 3U);
  EXPECT_EQ(record.in_copy_bytes + record.out_copy_bytes, 0U);
  EXPECT_EQ(record.in_zero_copy_bytes + record.out_zero_copy_bytes, 3 * kBytes);
  EXPECT_EQ(record.fallback_count, 0U);
  expect_paths(*tested, VGFIO_PATH_STAGED);
  for (const vgfio_tensor_path& path : tested->paths()) {
    EXPECT_EQ(path.reason, uint32_t{VGFIO_REASON_NONE});
  }
  EXPECT_EQ(run_and_check(*tested, buffers.tensors()).imports, 0U);
}

TEST_F(SessionTest, LentMemoryNeedsNeitherImportNorCopy) {
  const auto lending = session(vgf_, VGFIO_IO_LEND);
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < 3; ++i) {
    Result<HostTensor> lent = lending->lend(i);
    ASSERT_TRUE(lent.ok()) << lent.status().detail();
    EXPECT_GE(lent->bytes, kBytes);
    tensors.push_back({lent->data, kBytes});
  }
  fill_inputs(tensors, 2);
  const Record record = run_and_check(*lending, tensors);
  EXPECT_EQ(record.in_copy_bytes + record.out_copy_bytes, 0U);
  EXPECT_EQ(record.in_zero_copy_bytes, 2 * kBytes);
  EXPECT_EQ(record.out_zero_copy_bytes, kBytes);
  EXPECT_EQ(record.imports, 0U);
  EXPECT_EQ(record.fallback_count, 0U);
  expect_paths(*lending, VGFIO_PATH_LENT);
  // The same memory when it is asked for again.
  EXPECT_EQ(lending->lend(0)->data, tensors[0].data);
  EXPECT_EQ(lending->lend(3).status().code(), VGFIO_UNSUPPORTED);
}

TEST_F(SessionTest, ForeignBuffersInLendModeAreCopiedAndCounted) {
  BufferSet buffers(vgf_);
  const auto lending = session(vgf_, VGFIO_IO_LEND);
  const Record record = run_and_check(*lending, buffers.tensors());
  EXPECT_EQ(record.fallback_count, 3U);
  EXPECT_EQ(record.imports, 0U);
  expect_paths(*lending, VGFIO_PATH_COPY);
}

TEST_F(SessionTest, OneArenaForAllTensorsIsOneImport) {
  const HostBuffer arena(3 * kBytes);
  const std::vector<HostTensor> tensors = {
      arena.tensor(0, kBytes), arena.tensor(kBytes, kBytes), arena.tensor(2 * kBytes, kBytes)};
  fill_inputs(tensors, 2);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  const Record record = run_and_check(*tested, tensors);
  EXPECT_EQ(record.imports, 1U);
  EXPECT_EQ(record.fallback_count, 0U);
  expect_paths(*tested, VGFIO_PATH_ZERO_COPY);
}

TEST_F(SessionTest, OneBufferForBothInputsIsOneImport) {
  BufferSet buffers(vgf_);
  buffers.tensors()[1] = buffers.tensors()[0];
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  EXPECT_EQ(run_and_check(*tested, buffers.tensors()).imports, 2U);
  expect_paths(*tested, VGFIO_PATH_ZERO_COPY);
}

TEST_F(SessionTest, ProfilingTakesDeviceTimeAndOnlyThen) {
  BufferSet buffers(vgf_);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  const bool timestamps = device()->plan().timestamp_valid_bits > 0;
  EXPECT_EQ(run_and_check(*tested, buffers.tensors(), false).gpu_ns_valid, 0U);
  EXPECT_EQ(run_and_check(*tested, buffers.tensors(), true).gpu_ns_valid, timestamps ? 1U : 0U);
  EXPECT_EQ(run_and_check(*tested, buffers.tensors(), false).gpu_ns_valid, 0U);
}

TEST_F(SessionTest, EveryWayToWait) {
  BufferSet buffers(vgf_);
  for (const vgfio_wait wait : {VGFIO_WAIT_ADAPTIVE, VGFIO_WAIT_FENCE, VGFIO_WAIT_SPIN}) {
    VgfSessionOptions options;
    options.wait = wait;
    const auto tested = session(vgf_, options);
    EXPECT_EQ(tested->wait(), resolve_wait(wait, device()->is_cpu()));
    run_and_check(*tested, buffers.tensors());
  }
}

TEST_F(SessionTest, WrongTensorsAreRefusedAndTheSessionGoesOn) {
  BufferSet buffers(vgf_);
  const auto tested = session(vgf_, VGFIO_IO_ZERO_COPY);
  run_and_check(*tested, buffers.tensors());
  const auto refused = [&](std::vector<HostTensor> tensors, const std::string& message) {
    const Status status = tested->run(tensors, nullptr, false);
    EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
    EXPECT_THAT(status.detail(), HasSubstr(message));
  };
  std::vector<HostTensor> tensors = buffers.tensors();
  tensors[1].data = nullptr;
  refused(tensors, "input 1 has no buffer; bind one");
  tensors = buffers.tensors();
  tensors[2].bytes -= 4;
  refused(tensors, "output 0 has 1048572 bytes, the VGF has 1048576");
  tensors.pop_back();
  refused(tensors, "the VGF has 3 inputs and outputs, the method gives 2");
  run_and_check(*tested, buffers.tensors());
}

TEST_F(SessionTest, ACopyMemoryThatTheDeviceHasNotIsNamed) {
  BufferSet buffers(vgf_);
  for (const CopyMemory memory :
       {CopyMemory::kCached, CopyMemory::kUncached, CopyMemory::kDeviceLocal}) {
    VgfSessionOptions options;
    options.copy_memory = memory;
    const auto tested = session(vgf_, options);
    const Status status = tested->run(buffers.tensors(), nullptr, false);
    if (!status.ok()) {
      EXPECT_EQ(status.code(), VGFIO_UNSUPPORTED);
      EXPECT_THAT(status.detail(), HasSubstr("no memory type with flags"));
      continue;
    }
    const VkMemoryPropertyFlags required =
        memory == CopyMemory::kCached        ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT
        : memory == CopyMemory::kDeviceLocal ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
                                             : 0;
    for (const vgfio_tensor_path& path : tested->paths()) {
      EXPECT_EQ(path.memory_flags & required, required);
    }
  }
}

TEST_F(SessionTest, ABrokenVgfIsRefusedBeforeTheDeviceSeesIt) {
  const VgfBytes cut = vgf_.cut(vgf_.size() / 2);
  const auto created = VgfSession::create(device(), cut.data(), cut.size(), {});
  EXPECT_EQ(created.status().code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(created.status().detail(), HasSubstr("malformed VGF"));
}

}  // namespace
}  // namespace vgfio::testing
