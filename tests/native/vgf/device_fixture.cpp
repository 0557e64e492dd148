#include "device_fixture.h"

#include <cstring>
#include <random>

#include "keep_libraries.h"

namespace vgfio::testing {
namespace {

// Enough for every device that is known to import host memory.
constexpr size_t kAlignment = 65536;

// Opened by the first test, closed before the layer libraries go.
class SharedDevice : public ::testing::Environment {
 public:
  void TearDown() override {
    keep_libraries_loaded();
    device_.reset();
  }

  const Result<std::shared_ptr<Device>>& open() {
    if (!device_) device_ = std::make_unique<Result<std::shared_ptr<Device>>>(Device::open({}));
    return *device_;
  }

 private:
  std::unique_ptr<Result<std::shared_ptr<Device>>> device_;
};

auto* const shared = static_cast<SharedDevice*>(
    ::testing::AddGlobalTestEnvironment(new SharedDevice));

}  // namespace

void DeviceTest::SetUp() {
  const Result<std::shared_ptr<Device>>& opened = shared->open();
  if (!opened.ok()) GTEST_SKIP() << opened.status().detail();
  device_ = *opened;
  functions_ = device_->vk();
}

void DeviceTest::TearDown() {
  if (device_ != nullptr) device_->mutable_functions() = functions_;
}

std::shared_ptr<Device> DeviceTest::fresh_device() {
  Result<std::shared_ptr<Device>> opened = Device::open({});
  EXPECT_TRUE(opened.ok()) << opened.status().detail();
  return opened.ok() ? opened.take() : nullptr;
}

std::unique_ptr<VgfSession> DeviceTest::session(const VgfBytes& vgf,
                                                const VgfSessionOptions& options) {
  auto session = VgfSession::create(device_, vgf.data(), vgf.size(), options);
  EXPECT_TRUE(session.ok()) << session.status().detail();
  return session.ok() ? session.take() : nullptr;
}

std::unique_ptr<VgfSession> DeviceTest::session(const VgfBytes& vgf, vgfio_io_mode mode) {
  VgfSessionOptions options;
  options.io_mode = mode;
  return session(vgf, options);
}

HostBuffer::HostBuffer(size_t bytes, bool noted, bool read_only)
    : buffer_(AlignedBuffer::allocate(bytes, kAlignment).take()), bytes_(bytes), noted_(noted) {
  const HostRegion region{buffer_.data(), buffer_.capacity(), read_only};
  EXPECT_TRUE(!noted || note_host_region(region));
}

HostBuffer::~HostBuffer() {
  if (noted_ && buffer_.data() != nullptr) forget_host_region(buffer_.data());
}

BufferSet::BufferSet(const VgfBytes& vgf, bool noted) {
  const Result<Model> model = decode_vgf(vgf.data(), vgf.size());
  EXPECT_TRUE(model.ok()) << model.status().detail();
  if (!model.ok()) return;
  inputs_ = model->inputs.size();
  for (const auto* side : {&model->inputs, &model->outputs}) {
    for (const BoundaryResource& resource : *side) {
      buffers_.emplace_back(resource ? model->resources[*resource].bytes : 4, noted);
      tensors_.push_back(buffers_.back().tensor());
    }
  }
  fill_inputs(tensors_, inputs_);
  poison_outputs(tensors_, inputs_);
}

uint64_t BufferSet::total(size_t begin, size_t end) const {
  uint64_t bytes = 0;
  for (size_t i = begin; i < end; ++i) bytes += tensors_[i].bytes;
  return bytes;
}

void fill_inputs(const std::vector<HostTensor>& tensors, size_t inputs, uint32_t seed) {
  std::mt19937 random(seed);
  for (size_t i = 0; i < inputs; ++i) {
    const size_t count = tensors[i].bytes / sizeof(float);
    // Multiples of 1/16 below 16: sums are exact, and no byte pattern is a NaN.
    for (size_t k = 0; k < count; ++k) {
      floats(tensors[i])[k] = static_cast<float>(random() % 256) / 16.0F;
    }
  }
}

void poison_outputs(const std::vector<HostTensor>& tensors, size_t inputs) {
  for (size_t i = inputs; i < tensors.size(); ++i) {
    std::memset(tensors[i].data, 0xA5, tensors[i].bytes);
  }
}

std::string contents(const std::vector<HostTensor>& tensors, size_t begin) {
  std::string bytes;
  for (size_t i = begin; i < tensors.size(); ++i) {
    bytes.append(static_cast<const char*>(tensors[i].data), tensors[i].bytes);
  }
  return bytes;
}

float* floats(const HostTensor& tensor) { return static_cast<float*>(tensor.data); }

std::string expected_outputs(const std::shared_ptr<Device>& device, const VgfBytes& vgf,
                             const std::vector<HostTensor>& tensors, size_t inputs) {
  BufferSet own(vgf);
  for (size_t i = 0; i < inputs; ++i) {
    std::memcpy(own.tensors()[i].data, tensors[i].data, tensors[i].bytes);
  }
  auto session = VgfSession::create(device, vgf.data(), vgf.size(), {});
  EXPECT_TRUE(session.ok()) << session.status().detail();
  const Status status = (*session)->run(own.tensors(), nullptr, false);
  EXPECT_TRUE(status.ok()) << status.detail();
  return contents(own.tensors(), inputs);
}

}  // namespace vgfio::testing
