#include <gmock/gmock.h>

#include <cstdlib>

#include "base/delegate_error.h"
#include "base/names.h"
#include "delegate/options.h"
#include "delegate_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

TEST(BackendOptions, UnknownKeysAndValuesAreRefusedWithTheKey) {
  VgfBackend backend;
  const std::vector<et::BackendOption> wrong = {
      option("no_such_option", 1),
      option(kOptionIoMode, -1),
      option(kOptionIoMode, VGFIO_IO_LEND + 1),
      option(kOptionIoMode, true),
      text_option(kOptionIoMode, "copy"),
      option(kOptionWait, VGFIO_WAIT_SPIN + 1),
      option(kOptionCopyMemory, VGFIO_COPY_MEMORY_DEVICE_LOCAL + 1),
      option(kOptionBindingSets, 0),
      option(kOptionBindingSets, -5),
      option(kOptionRequireZeroCopy, 1),
      option(kOptionDevice, 0),
  };
  et::BackendOptionContext context;
  for (et::BackendOption option : wrong) {
    EXPECT_EQ(backend.set_option(context, {&option, 1}), et::Error::InvalidArgument);
    const Status noted = take_delegate_error();
    EXPECT_EQ(noted.code(), VGFIO_INVALID_REQUEST) << option.key;
    EXPECT_THAT(noted.detail(), HasSubstr(option.key));
  }
}

TEST(BackendOptions, EveryOptionTakesItsValues) {
  VgfBackend backend;
  std::vector<et::BackendOption> right = {
      option(kOptionIoMode, VGFIO_IO_COPY),      option(kOptionIoMode, VGFIO_IO_LEND),
      option(kOptionWait, VGFIO_WAIT_ADAPTIVE),  option(kOptionWait, VGFIO_WAIT_SPIN),
      option(kOptionCopyMemory, VGFIO_COPY_MEMORY_DEVICE_LOCAL),
      option(kOptionBindingSets, 1),             option(kOptionRequireZeroCopy, true),
      text_option(kOptionDevice, "llvm"),
  };
  et::BackendOptionContext context;
  EXPECT_EQ(backend.set_option(context, {right.data(), right.size()}), et::Error::Ok);
  EXPECT_TRUE(take_delegate_error().ok());
}

// Which settings are in force is seen in the paths of an inference.
class SettingsTest : public BackendTest {
 protected:
  void TearDown() override {
    BackendTest::TearDown();
    unsetenv(kZeroCopyEnvironment);
  }

  std::string path_with(std::vector<et::BackendOption> options) {
    Sink sink;
    const Sink::Scope scope(&sink);
    et::DelegateHandle* const handle = init_sum(std::move(options));
    if (handle == nullptr) return "no handle";
    Arguments arguments({64, 64, 64});
    EXPECT_EQ(execute(handle, arguments), et::Error::Ok);
    const vgfio_tensor_path path = sink.delegates()[0]->tensor_paths()[0];
    destroy(handle);
    // A vector's memory cannot be imported; the reason tells that it was tried.
    return path.path == VGFIO_PATH_COPY && path.reason != VGFIO_REASON_NONE
               ? "import tried"
               : path_name(path.path);
  }
};

TEST_F(SettingsTest, CopyUnlessTheEnvironmentSaysOne) {
  EXPECT_EQ(path_with({}), "copy");
  for (const char* value : {"0", "", "yes", "10"}) {
    setenv(kZeroCopyEnvironment, value, 1);
    EXPECT_EQ(path_with({}), "copy") << value;
  }
  setenv(kZeroCopyEnvironment, "1", 1);
  EXPECT_EQ(path_with({}), "import tried");
}

TEST_F(SettingsTest, TheMethodsOptionsBeatSetOptionBeatsTheEnvironment) {
  setenv(kZeroCopyEnvironment, "1", 1);
  et::BackendOptionContext context;
  et::BackendOption copy = option(kOptionIoMode, VGFIO_IO_COPY);
  ASSERT_EQ(backend_.set_option(context, {&copy, 1}), et::Error::Ok);
  EXPECT_EQ(path_with({}), "copy");
  EXPECT_EQ(path_with({option(kOptionIoMode, VGFIO_IO_ZERO_COPY)}), "import tried");
}

TEST_F(SettingsTest, ARefusedSetOptionChangesNothing) {
  et::BackendOptionContext context;
  std::vector<et::BackendOption> options = {option(kOptionIoMode, VGFIO_IO_ZERO_COPY),
                                            option(kOptionWait, 99)};
  ASSERT_EQ(backend_.set_option(context, {options.data(), options.size()}),
            et::Error::InvalidArgument);
  EXPECT_EQ(path_with({}), "copy");
}

TEST_F(SettingsTest, AWrongOptionOfTheMethodFailsItsInit) {
  Processed processed(sum_);
  EXPECT_EQ(init(processed, {option("speed", 11)}).error(), et::Error::InvalidProgram);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("speed"));
  EXPECT_EQ(processed.frees(), 0);
}

TEST_F(SettingsTest, AnUnknownDeviceFailsWithTheChoice) {
  Processed processed(sum_);
  EXPECT_EQ(init(processed, {text_option(kOptionDevice, "no such gpu")}).error(),
            et::Error::InvalidProgram);
  EXPECT_THAT(take_delegate_error().detail(),
              HasSubstr("no device matches \"no such gpu\"; devices are: 0 \""));
}

TEST_F(SettingsTest, RequiredZeroCopyFailsTheExecution) {
  et::DelegateHandle* const handle = init_sum(
      {option(kOptionIoMode, VGFIO_IO_ZERO_COPY), option(kOptionRequireZeroCopy, true)});
  Arguments arguments({64, 64, 64});
  EXPECT_EQ(execute(handle, arguments), et::Error::Internal);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("zero-copy is required"));
}

}  // namespace
}  // namespace vgfio::testing
