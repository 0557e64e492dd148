// VGFs with compute segments, images and odd boundaries.
#include <gmock/gmock.h>

#include "base/names.h"
#include "device_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

class ComputeTest : public DeviceTest {
 protected:
  Record run(VgfSession& session, const std::vector<HostTensor>& tensors) {
    Record record{};
    const Status status = session.run(tensors, &record, false);
    EXPECT_TRUE(status.ok()) << status.detail();
    return record;
  }
  static constexpr vgfio_io_mode kImporting[] = {VGFIO_IO_ZERO_COPY, VGFIO_IO_STAGED};
};

TEST_F(ComputeTest, BuffersInEveryMode) {
  const VgfBytes vgf = build_vgf(broadcast_add(16, 100, 1000));
  BufferSet buffers(vgf);
  const float* a = floats(buffers.tensors()[0]);
  const float* b = floats(buffers.tensors()[1]);
  for (const vgfio_io_mode mode : {VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY, VGFIO_IO_STAGED}) {
    poison_outputs(buffers.tensors(), 2);
    const auto tested = session(vgf, mode);
    const Record record = run(*tested, buffers.tensors());
    EXPECT_EQ(record.imports, mode == VGFIO_IO_COPY ? 0U : 3U);
    for (size_t i = 0; i < 1000; ++i) {
      ASSERT_EQ(floats(buffers.tensors()[2])[i], a[i % 16] + b[i % 100])
          << io_mode_name(mode) << ", element " << i;
    }
  }
}

TEST_F(ComputeTest, ImagesAreStagedAndSayWhy) {
  const VgfBytes vgf = build_vgf(double_image());
  BufferSet buffers(vgf);
  for (const vgfio_io_mode mode : {VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY, VGFIO_IO_STAGED}) {
    const auto tested = session(vgf, mode);
    for (int i = 0; i < 2; ++i) {
      poison_outputs(buffers.tensors(), 1);
      run(*tested, buffers.tensors());
      for (size_t k = 0; k < 60; ++k) {
        ASSERT_EQ(floats(buffers.tensors()[1])[k], 2 * floats(buffers.tensors()[0])[k])
            << io_mode_name(mode) << ", element " << k;
      }
    }
    if (mode == VGFIO_IO_COPY) continue;
    for (const vgfio_tensor_path& path : tested->paths()) {
      EXPECT_EQ(path.path, uint32_t{VGFIO_PATH_STAGED});
      EXPECT_EQ(path.reason, uint32_t{VGFIO_REASON_NOT_A_TENSOR_DESCRIPTOR});
      EXPECT_EQ(path.imported, 1U);
    }
  }
}

// c = a + b, then d = c + b: the intermediate belongs to the session.
TEST_F(ComputeTest, SegmentsRunInTheirOrder) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.resources[2].role = ResourceRole::kIntermediate;
  spec.resources.push_back(spec.resources[2]);
  spec.resources[3].role = ResourceRole::kOutput;
  spec.segments.push_back(spec.segments[0]);
  spec.segments[1].name = "second";
  spec.segments[1].sets = {{0, {{0, 2}, {1, 1}, {2, 3}}}};
  spec.outputs = {{0, 3}};
  const VgfBytes vgf = build_vgf(spec);
  BufferSet buffers(vgf);
  for (const vgfio_io_mode mode : kImporting) {
    poison_outputs(buffers.tensors(), 2);
    run(*session(vgf, mode), buffers.tensors());
    for (size_t i = 0; i < 64; ++i) {
      ASSERT_EQ(floats(buffers.tensors()[2])[i],
                floats(buffers.tensors()[0])[i] + 2 * floats(buffers.tensors()[1])[i]);
    }
  }
}

TEST_F(ComputeTest, ResourcesOfAnAliasGroupShareMemory) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  // The output lies on the first input: staged, since nobody else may see that.
  spec.resources[0].alias_group = 1;
  spec.resources[2].alias_group = 1;
  const VgfBytes vgf = build_vgf(spec);
  BufferSet buffers(vgf);
  const auto tested = session(vgf, VGFIO_IO_ZERO_COPY);
  for (int i = 0; i < 2; ++i) {
    poison_outputs(buffers.tensors(), 2);
    run(*tested, buffers.tensors());
    for (size_t k = 0; k < 64; ++k) {
      ASSERT_EQ(floats(buffers.tensors()[2])[k],
                floats(buffers.tensors()[0])[k] + floats(buffers.tensors()[1])[k]);
    }
  }
  EXPECT_EQ(tested->paths()[0].reason, uint32_t{VGFIO_REASON_ALIASED_RESOURCE});
  EXPECT_EQ(tested->paths()[1].path, uint32_t{VGFIO_PATH_ZERO_COPY});
  EXPECT_EQ(tested->paths()[2].path, uint32_t{VGFIO_PATH_STAGED});
}

TEST_F(ComputeTest, AnInputPassedThroughIsCopiedByTheCpu) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.outputs = {{2, 2}, {3, 1}, {4, 2}};
  spec.output_names = {"sum", "second input", "sum once more"};
  const VgfBytes vgf = build_vgf(spec);
  BufferSet buffers(vgf);
  for (const vgfio_io_mode mode : {VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY, VGFIO_IO_STAGED}) {
    poison_outputs(buffers.tensors(), 2);
    const auto tested = session(vgf, mode);
    const Record record = run(*tested, buffers.tensors());
    const std::vector<HostTensor>& tensors = buffers.tensors();
    EXPECT_EQ(contents({tensors[3]}, 0), contents({tensors[1]}, 0)) << io_mode_name(mode);
    EXPECT_EQ(contents({tensors[4]}, 0), contents({tensors[2]}, 0)) << io_mode_name(mode);
    EXPECT_EQ(floats(tensors[2])[5], floats(tensors[0])[5] + floats(tensors[1])[5]);
    if (mode == VGFIO_IO_COPY) continue;
    EXPECT_EQ(record.fallback_count, 2U);
    EXPECT_EQ(record.out_copy_bytes, 2U * 64 * sizeof(float));
    EXPECT_EQ(tested->paths()[3].reason, uint32_t{VGFIO_REASON_ALIASED_RESOURCE});
    EXPECT_EQ(tested->paths()[4].reason, uint32_t{VGFIO_REASON_ALIASED_RESOURCE});
  }
}

// The caller gives one buffer for the input and for the output that it passes
// through: nothing is left to move.
TEST_F(ComputeTest, AnInputPassedThroughInPlace) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.outputs = {{2, 2}, {3, 1}};
  spec.output_names = {};
  const VgfBytes vgf = build_vgf(spec);
  BufferSet buffers(vgf);
  buffers.tensors()[3] = buffers.tensors()[1];
  const std::string before = contents({buffers.tensors()[1]}, 0);
  const auto tested = session(vgf, VGFIO_IO_ZERO_COPY);
  run(*tested, buffers.tensors());
  EXPECT_EQ(contents({buffers.tensors()[1]}, 0), before);
  EXPECT_EQ(floats(buffers.tensors()[2])[7],
            floats(buffers.tensors()[0])[7] + floats(buffers.tensors()[1])[7]);
}

VgfSpec with_constant_output() {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.resources.push_back({ResourceRole::kConstant, {3}});
  spec.constants = {{3, {1.5F, 2.5F, 3.5F}}};
  spec.outputs = {{2, 2}, {3, 3}};
  spec.output_names = {};
  return spec;
}

TEST_F(ComputeTest, AConstantOutputIsWrittenFromTheFile) {
  VgfBytes vgf = build_vgf(with_constant_output());
  BufferSet buffers(vgf);
  const auto tested = session(vgf, VGFIO_IO_ZERO_COPY);
  // The session must not need the file any more.
  std::fill_n(vgf.mutable_data(), vgf.size(), uint8_t{0});
  vgf = VgfBytes();
  for (int i = 0; i < 2; ++i) {
    poison_outputs(buffers.tensors(), 2);
    EXPECT_EQ(run(*tested, buffers.tensors()).fallback_count, 1U);
    EXPECT_EQ(floats(buffers.tensors()[3])[0], 1.5F);
    EXPECT_EQ(floats(buffers.tensors()[3])[2], 3.5F);
  }
  EXPECT_EQ(tested->paths()[3].path, uint32_t{VGFIO_PATH_COPY});
  EXPECT_EQ(tested->paths()[3].reason, uint32_t{VGFIO_REASON_CONSTANT});
  EXPECT_EQ(tested->lend(3).status().code(), VGFIO_UNSUPPORTED);
}

TEST_F(ComputeTest, RequiredZeroCopyNamesWhatIsNeverWrittenByTheDevice) {
  VgfSpec spec = with_constant_output();
  spec.outputs.push_back({4, 0});
  const VgfBytes vgf = build_vgf(spec);
  const BufferSet buffers(vgf);
  VgfSessionOptions options;
  options.io_mode = VGFIO_IO_ZERO_COPY;
  options.require_zero_copy = true;
  const Status status = session(vgf, options)->run(buffers.tensors(), nullptr, false);
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
  EXPECT_THAT(status.detail(), HasSubstr("output 1: constant; output 2: aliased_resource"));
}

TEST_F(ComputeTest, AConstantThatAShaderBinds) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.resources[0].role = ResourceRole::kConstant;
  spec.constants = {{0, std::vector<float>(64, 2.0F)}};
  spec.inputs = {{0, 1}};
  spec.input_names = {};
  // Constants have no descriptor type in the file, and are taken for tensors.
  const VgfBytes vgf = build_vgf(spec);
  const Result<Model> model = decode_vgf(vgf.data(), vgf.size());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->resources[0].kind, ResourceKind::kTensor);
}

TEST_F(ComputeTest, EliminatedInputsAreNotLookedAt) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.inputs = {{1, 0}, {2, 1}};
  spec.input_names = {"gone", "a", "b"};
  const VgfBytes vgf = build_vgf(spec);
  BufferSet buffers(vgf);
  buffers.tensors()[0] = {};
  const auto tested = session(vgf, VGFIO_IO_ZERO_COPY);
  EXPECT_EQ(tested->input_count(), 3U);
  const Record record = run(*tested, buffers.tensors());
  EXPECT_EQ(record.fallback_count, 0U);
  EXPECT_EQ(record.imports, 3U);
  EXPECT_EQ(floats(buffers.tensors()[3])[9],
            floats(buffers.tensors()[1])[9] + floats(buffers.tensors()[2])[9]);
  EXPECT_EQ(tested->paths()[0].path, uint32_t{VGFIO_PATH_NONE});
  EXPECT_EQ(tested->paths()[0].reason, uint32_t{VGFIO_REASON_ELIMINATED});
}

TEST_F(ComputeTest, BindingsThatContradictEachOtherAreRefused) {
  const auto refused = [&](const VgfSpec& spec, const std::string& message) {
    const VgfBytes vgf = build_vgf(spec);
    const auto created = VgfSession::create(device(), vgf.data(), vgf.size(), {});
    EXPECT_EQ(created.status().code(), VGFIO_INVALID_REQUEST);
    EXPECT_THAT(created.status().detail(), HasSubstr(message));
  };
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.segments[0].sets[0].slots[1].binding = 0;
  refused(spec, "a binding is named twice");
  spec = broadcast_add(64, 64, 64);
  spec.segments[0].sets[0].set = 32;
  refused(spec, "descriptor set above 31");
  spec = broadcast_add(64, 64, 64);
  spec.segments[0].sets[0].slots[1].binding = 0x7FFFFFFF;
  refused(spec, "binding 2147483647");
  spec = broadcast_add(64, 64, 64);
  spec.segments[0].kind = SegmentKind::kGraph;
  refused(spec, "a data graph binds something that is no tensor");
}

}  // namespace
}  // namespace vgfio::testing
