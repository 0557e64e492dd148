#include "delegate_fixture.h"

#include <algorithm>
#include <cstring>

#include "base/delegate_error.h"
#include "delegate/device_cache.h"
#include "delegate/register.h"
#include "keep_libraries.h"

namespace vgfio::testing {
namespace {

class CloseDevices : public ::testing::Environment {
 public:
  void TearDown() override {
    keep_libraries_loaded();
    shutdown_vgf_backend();
  }
};

auto* const close_devices = ::testing::AddGlobalTestEnvironment(new CloseDevices);

}  // namespace

et::BackendOption option(const char* key, const et::OptionValue& value) {
  et::BackendOption made;
  std::strncpy(made.key, key, sizeof(made.key) - 1);
  made.value = value;
  return made;
}

et::BackendOption text_option(const char* key, const char* text) {
  std::array<char, et::kMaxOptionValueLength> value{};
  std::strncpy(value.data(), text, value.size() - 1);
  return option(key, et::OptionValue(value));
}

Arguments::Arguments(const std::vector<int>& sizes) : sizes_(sizes) {
  for (const int size : sizes_) data_.emplace_back(size, 1.0F);
  impls_.reserve(sizes_.size());
  for (size_t i = 0; i < sizes_.size(); ++i) {
    impls_.emplace_back(executorch::aten::ScalarType::Float, 1, &sizes_[i], data_[i].data());
    values_.emplace_back(executorch::aten::Tensor(&impls_[i]));
  }
  for (et::EValue& value : values_) pointers_.push_back(&value);
}

Processed::Processed(const VgfBytes& vgf, size_t misalignment)
    : storage_((vgf.size() + misalignment) / sizeof(uint64_t) + 1) {
  auto* const bytes = reinterpret_cast<char*>(storage_.data()) + misalignment;
  std::memcpy(bytes, vgf.data(), vgf.size());
  const auto free = [](void* frees, void*, size_t) { ++*static_cast<int*>(frees); };
  buffer_ = std::make_unique<et::FreeableBuffer>(bytes, vgf.size(), free, &frees_);
}

void BackendTest::SetUp() {
  static_cast<void>(take_delegate_error());  // what another test left
  const auto opened = shared_device("", nullptr);
  if (!opened.ok()) GTEST_SKIP() << opened.status().detail();
}

void BackendTest::TearDown() {
  for (et::DelegateHandle* handle : handles_) backend_.destroy(handle);
}

et::Result<et::DelegateHandle*> BackendTest::init(Processed& processed,
                                                  std::vector<et::BackendOption> options) {
  et::BackendInitContext context(nullptr, nullptr, "forward", nullptr,
                                 {options.data(), options.size()});
  auto handle = backend_.init(context, processed.get(), {});
  if (handle.ok()) handles_.push_back(*handle);
  return handle;
}

et::DelegateHandle* BackendTest::init_sum(std::vector<et::BackendOption> options) {
  Processed processed(sum_);
  const auto handle = init(processed, std::move(options));
  EXPECT_TRUE(handle.ok()) << take_delegate_error().detail();
  return handle.ok() ? *handle : nullptr;
}

void BackendTest::destroy(et::DelegateHandle* handle) {
  backend_.destroy(handle);
  handles_.erase(std::find(handles_.begin(), handles_.end(), handle));
}

et::Error BackendTest::execute(et::DelegateHandle* handle, Arguments& arguments) {
  et::BackendExecutionContext context;
  return backend_.execute(context, handle, arguments.span());
}

}  // namespace vgfio::testing
