// Compute shaders that read and write tensors, also tensors in the memory of images.
#include <gtest/gtest.h>

#include "base/names.h"
#include "device_fixture.h"

namespace vgfio::testing {
namespace {

constexpr uint32_t kAliasGroup = 7;
constexpr size_t kElements = size_t{3} * 5 * 4;

class TensorShaderTest : public DeviceTest {
 protected:
  // Runs a VGF twice in every mode, the second time with other inputs, and compares its
  // one output with what the function gives for each element.
  template <typename Expected>
  void expect_output(const VgfSpec& spec, size_t inputs, Expected expected) {
    const VgfBytes vgf = build_vgf(spec);
    BufferSet buffers(vgf);
    const std::vector<HostTensor>& tensors = buffers.tensors();
    ASSERT_EQ(tensors.size(), inputs + 1);
    for (const vgfio_io_mode mode : {VGFIO_IO_COPY, VGFIO_IO_ZERO_COPY, VGFIO_IO_STAGED}) {
      const auto tested = session(vgf, mode);
      ASSERT_NE(tested, nullptr);
      for (uint32_t run = 0; run < 2; ++run) {
        fill_inputs(tensors, inputs, run + 1);
        poison_outputs(tensors, inputs);
        const Status status = tested->run(tensors, nullptr, false);
        ASSERT_TRUE(status.ok()) << status.detail();
        for (size_t i = 0; i < kElements; ++i) {
          ASSERT_EQ(floats(tensors[inputs])[i], expected(tensors, i))
              << io_mode_name(mode) << ", run " << run << ", element " << i;
        }
      }
    }
  }
};

// The spec's resources from `first` on, their segments and slots moved behind `spec`'s.
uint32_t append(VgfSpec& spec, const VgfSpec& added) {
  const auto first = static_cast<uint32_t>(spec.resources.size());
  spec.resources.insert(spec.resources.end(), added.resources.begin(), added.resources.end());
  for (SegmentSpec segment : added.segments) {
    for (DescriptorSetSpec& set : segment.sets) {
      for (SlotSpec& slot : set.slots) slot.resource += first;
    }
    spec.segments.push_back(std::move(segment));
  }
  return first;
}

// An intermediate resource, in one memory with the other of the two.
void share_memory(VgfSpec& spec, uint32_t a, uint32_t b) {
  for (const uint32_t resource : {a, b}) spec.resources[resource].alias_group = kAliasGroup;
}

TEST_F(TensorShaderTest, ReadsAndWritesTensors) {
  expect_output(tensor_add(), 2, [](const std::vector<HostTensor>& tensors, size_t i) {
    return floats(tensors[0])[i] + floats(tensors[1])[i];
  });
}

TEST_F(TensorShaderTest, ReadsAConstant) {
  VgfSpec spec = tensor_add();
  spec.resources[0].role = ResourceRole::kConstant;
  std::vector<float> values(kElements);
  for (size_t i = 0; i < kElements; ++i) values[i] = static_cast<float>(i) - 7.5F;
  spec.constants = {{0, values}};
  spec.inputs = {{0, 1}};
  spec.input_names = {};
  expect_output(spec, 1, [](const std::vector<HostTensor>& tensors, size_t i) {
    return static_cast<float>(i) - 7.5F + floats(tensors[0])[i];
  });
}

// A shader writes a tensor, the next one samples the image in the same memory.
TEST_F(TensorShaderTest, AnImageIsReadThatWasWrittenAsATensor) {
  VgfSpec spec = tensor_add();
  const uint32_t image = append(spec, double_image());
  spec.resources[2].role = ResourceRole::kIntermediate;
  spec.resources[image].role = ResourceRole::kIntermediate;
  share_memory(spec, 2, image);
  spec.outputs = {{0, image + 1}};
  expect_output(spec, 2, [](const std::vector<HostTensor>& tensors, size_t i) {
    return 2 * (floats(tensors[0])[i] + floats(tensors[1])[i]);
  });
}

// A shader writes an image, the next one reads the tensor in the same memory.
TEST_F(TensorShaderTest, ATensorIsReadThatWasWrittenAsAnImage) {
  VgfSpec spec = double_image();
  const uint32_t tensor = append(spec, tensor_add());
  spec.resources[1].role = ResourceRole::kIntermediate;
  spec.resources[tensor].role = ResourceRole::kIntermediate;
  share_memory(spec, 1, tensor);
  spec.inputs = {{0, 0}, {1, tensor + 1}};
  spec.input_names = {"image", "tensor"};
  spec.outputs = {{0, tensor + 2}};
  expect_output(spec, 2, [](const std::vector<HostTensor>& tensors, size_t i) {
    return 2 * floats(tensors[0])[i] + floats(tensors[1])[i];
  });
}

// The model's output is the tensor in the memory of the image that was written.
TEST_F(TensorShaderTest, AnOutputWasWrittenAsAnImage) {
  VgfSpec spec = double_image();
  spec.resources[1].role = ResourceRole::kIntermediate;
  spec.resources.push_back({ResourceRole::kOutput, {1, 3, 5, 4}});
  share_memory(spec, 1, 2);
  spec.outputs = {{0, 2}};
  expect_output(spec, 1, [](const std::vector<HostTensor>& tensors, size_t i) {
    return 2 * floats(tensors[0])[i];
  });
}

}  // namespace
}  // namespace vgfio::testing
