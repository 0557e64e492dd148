// Settings that ExecuTorch's own backend cannot follow are refused when it is loaded.
#include <gmock/gmock.h>

#include "base/delegate_error.h"
#include "base/names.h"
#include "delegate/options.h"
#include "upstream_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

et::BackendOption text_option(const char* key, const std::string& text) {
  std::array<char, et::kMaxOptionValueLength> value{};
  std::strncpy(value.data(), text.c_str(), value.size() - 1);
  return option(key, et::OptionValue(value));
}

class UpstreamSettingsTest : public UpstreamTest {
 protected:
  void TearDown() override {
    unsetenv(kZeroCopyEnvironment);
    UpstreamTest::TearDown();
  }

  void expect_refused(std::vector<et::BackendOption> options, const char* message) {
    et::Error error = et::Error::Ok;
    attach(vgf_, std::move(options), &error);
    EXPECT_NE(error, et::Error::Ok) << message;
    EXPECT_THAT(take_delegate_error().detail(), HasSubstr(message));
    EXPECT_TRUE(sink_.delegates().empty());
  }

  const VgfBytes vgf_ = build_vgf(broadcast_add(64, 64, 64));
};

TEST_F(UpstreamSettingsTest, WhatTheBackendCannotDoIsRefused) {
  expect_refused({option(kOptionIoMode, VGFIO_IO_STAGED)}, "no staged I/O");
  expect_refused({option(kOptionWait, VGFIO_WAIT_SPIN)}, "waits with a fence");
  expect_refused({option(kOptionCopyMemory, VGFIO_COPY_MEMORY_DEVICE_LOCAL)}, "copy memory");
  expect_refused({option(kOptionRequireZeroCopy, true)}, "the mode is copy");
  expect_refused({option("no_such_option", 1)}, "no_such_option");
  expect_refused({text_option(kOptionDevice, "no such gpu")}, "takes the first device");
}

TEST_F(UpstreamSettingsTest, TheFirstDeviceMayBeNamed) {
  attach(vgf_, {text_option(kOptionDevice, device()->info().name.substr(0, 5))});
  attach(vgf_, {text_option(kOptionDevice, "0")});
}

TEST_F(UpstreamSettingsTest, TheEnvironmentAsksForZeroCopy) {
  BufferSet buffers(vgf_);
  fill_inputs(buffers.tensors(), 2);
  for (const char* value : {"0", "1"}) {
    setenv(kZeroCopyEnvironment, value, 1);
    const auto backend = attach(vgf_);
    run(*backend, buffers.tensors());
    EXPECT_STREQ(path_name(path(0).path), *value == '1' ? "zero_copy" : "copy");
  }
}

TEST_F(UpstreamSettingsTest, TheDeviceIsTheOneThatTheBackendOpened) {
  const auto backend = attach(vgf_);
  const DeviceInfo info = sink_.delegates().back()->device();
  EXPECT_EQ(info.name, device()->info().name);
  EXPECT_EQ(info.emulated, device()->emulated());
  EXPECT_EQ(info.extensions, device()->plan().extensions);
  EXPECT_EQ(info.wait, "fence");
}

TEST_F(UpstreamSettingsTest, BytesThatCannotBeReadRunWithCopies) {
  auto created = Backend::create(device(), vgf_);
  ASSERT_TRUE(created.ok());
  const std::unique_ptr<Backend> backend = created.take();
  const Sink::Scope scope(&sink_);
  std::vector<et::BackendOption> zero_copy = {option(kOptionIoMode, VGFIO_IO_ZERO_COPY)};
  const et::BackendInitContext context(nullptr, nullptr, "forward", nullptr,
                                       {zero_copy.data(), zero_copy.size()});
  const std::string garbage(64, 'x');
  const et::FreeableBuffer processed(garbage.data(), garbage.size(), nullptr);
  ASSERT_EQ(DelegateIo::attach(*backend, context, processed, InitClock()), et::Error::Ok);
  BufferSet buffers(vgf_);
  fill_inputs(buffers.tensors(), 2);
  const Record record = run(*backend, buffers.tensors());
  EXPECT_EQ(floats(buffers.tensors()[2])[7],
            floats(buffers.tensors()[0])[7] + floats(buffers.tensors()[1])[7]);
  EXPECT_EQ(record.fallback_count, 3U);
  EXPECT_EQ(path(0).reason, uint32_t{VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT});
}

}  // namespace
}  // namespace vgfio::testing
