// Tests on a real device: whatever Device::open() finds, on a build machine the
// CPU device under the emulation layers. Without one they are skipped, with the
// reason.
#pragma once

#include <gtest/gtest.h>

#include "base/aligned_buffer.h"
#include "test_models.h"
#include "vgf/vgf_session.h"

namespace vgfio::testing {

class DeviceTest : public ::testing::Test {
 protected:
  void SetUp() override;
  // Undoes what the test did to the device's functions.
  void TearDown() override;

  // Shared by all tests of the process.
  const std::shared_ptr<Device>& device() const { return device_; }
  // One that has not been used, for tests of what is found out once per device.
  static std::shared_ptr<Device> fresh_device();

  std::unique_ptr<VgfSession> session(const VgfBytes& vgf, const VgfSessionOptions& options);
  std::unique_ptr<VgfSession> session(const VgfBytes& vgf, vgfio_io_mode mode);

 private:
  std::shared_ptr<Device> device_;
  DeviceFunctions functions_;
};

// Aligned host memory, noted as a region or kept unknown to the delegate.
class HostBuffer {
 public:
  explicit HostBuffer(size_t bytes, bool noted = true, bool read_only = false);
  ~HostBuffer();
  HostBuffer(HostBuffer&& other) noexcept = default;
  HostBuffer& operator=(HostBuffer&&) = delete;

  // [offset, offset + bytes) as a tensor; the tensor that it was made for.
  HostTensor tensor(size_t offset, size_t bytes) const { return {buffer_.data() + offset, bytes}; }
  HostTensor tensor() const { return tensor(0, bytes_); }
  size_t capacity() const { return buffer_.capacity(); }

 private:
  AlignedBuffer buffer_;
  size_t bytes_;
  bool noted_;
};

// A buffer for each input and output of a VGF, in the order of a session.
class BufferSet {
 public:
  explicit BufferSet(const VgfBytes& vgf, bool noted = true);

  const std::vector<HostTensor>& tensors() const { return tensors_; }
  std::vector<HostTensor>& tensors() { return tensors_; }
  size_t inputs() const { return inputs_; }
  // Bytes of all inputs, of all outputs.
  uint64_t input_bytes() const { return total(0, inputs_); }
  uint64_t output_bytes() const { return total(inputs_, tensors_.size()); }

 private:
  uint64_t total(size_t begin, size_t end) const;

  std::vector<HostBuffer> buffers_;
  std::vector<HostTensor> tensors_;
  size_t inputs_ = 0;
};

// Fills inputs with reproducible values and outputs with a pattern that no
// model computes.
void fill_inputs(const std::vector<HostTensor>& tensors, size_t inputs, uint32_t seed = 1);
void poison_outputs(const std::vector<HostTensor>& tensors, size_t inputs);

// Contents of tensors[begin ..), one after the other.
std::string contents(const std::vector<HostTensor>& tensors, size_t begin);
float* floats(const HostTensor& tensor);

// What a session in copy mode computes from the inputs in `tensors`.
std::string expected_outputs(const std::shared_ptr<Device>& device, const VgfBytes& vgf,
                             const std::vector<HostTensor>& tensors, size_t inputs);

}  // namespace vgfio::testing
