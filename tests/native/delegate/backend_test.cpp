#include <gmock/gmock.h>

#include "base/delegate_error.h"
#include "delegate/options.h"
#include "delegate_fixture.h"

namespace vgfio::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

TEST_F(BackendTest, ComputesAndFreesTheProgramsBytesInInit) {
  Processed processed(sum_);
  const auto handle = init(processed);
  ASSERT_TRUE(handle.ok()) << take_delegate_error().detail();
  EXPECT_EQ(processed.frees(), 1);
  Arguments arguments({64, 64, 64});
  arguments.data(0)[5] = 41;
  ASSERT_EQ(execute(*handle, arguments), et::Error::Ok);
  EXPECT_EQ(arguments.data(2)[5], 42);
  EXPECT_EQ(arguments.data(2)[6], 2);
  EXPECT_TRUE(take_delegate_error().ok());
}

TEST_F(BackendTest, BytesAtAnyAddressAreRead) {
  for (size_t misalignment = 1; misalignment < 8; ++misalignment) {
    Processed processed(sum_, misalignment);
    const auto handle = init(processed);
    ASSERT_TRUE(handle.ok()) << misalignment << ": " << take_delegate_error().detail();
    Arguments arguments({64, 64, 64});
    ASSERT_EQ(execute(*handle, arguments), et::Error::Ok);
    EXPECT_THAT(arguments.data(2), Each(2.0F));
  }
}

TEST_F(BackendTest, NoBytesAndBrokenBytesAreAnInvalidProgram) {
  et::FreeableBuffer nothing;
  et::BackendInitContext context(nullptr);
  EXPECT_EQ(backend_.init(context, &nothing, {}).error(), et::Error::InvalidProgram);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("no data"));
  Processed cut(sum_.cut(sum_.size() / 2));
  EXPECT_EQ(init(cut).error(), et::Error::InvalidProgram);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("malformed VGF"));
}

TEST_F(BackendTest, WhatTheDeviceCannotDoIsNotSupported) {
  VgfSpec spec = two_inputs_one_output();
  spec.resources[0].format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
  Processed processed(build_vgf(spec));
  EXPECT_EQ(init(processed).error(), et::Error::NotSupported);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("not supported"));
}

TEST_F(BackendTest, WrongArgumentsAreRefusedWithTheNumbers) {
  et::DelegateHandle* const handle = init_sum();
  const auto refused = [&](Arguments& arguments, const std::string& message) {
    EXPECT_EQ(execute(handle, arguments), et::Error::InvalidProgram);
    EXPECT_THAT(take_delegate_error().detail(), HasSubstr(message));
  };
  Arguments two({64, 64});
  refused(two, "the delegate call has 2 arguments, the VGF 3");
  Arguments short_input({64, 63, 64});
  refused(short_input, "input 1 has 252 bytes, the VGF has 256");
  Arguments number({64, 64, 64});
  number[0] = et::EValue(int64_t{3});
  refused(number, "input 0 has 0 bytes, the VGF has 256");
  Arguments right({64, 64, 64});
  EXPECT_EQ(execute(handle, right), et::Error::Ok);
}

TEST_F(BackendTest, TheFirstErrorIsKeptUntilItIsTaken) {
  et::DelegateHandle* const handle = init_sum();
  Arguments two({64, 64});
  Arguments one({64});
  EXPECT_NE(execute(handle, two), et::Error::Ok);
  EXPECT_NE(execute(handle, one), et::Error::Ok);
  EXPECT_THAT(take_delegate_error().detail(), HasSubstr("2 arguments"));
  EXPECT_TRUE(take_delegate_error().ok());
}

TEST_F(BackendTest, AnEliminatedInputMayBeAnything) {
  VgfSpec spec = broadcast_add(64, 64, 64);
  spec.inputs = {{1, 0}, {2, 1}};
  spec.input_names = {"gone", "a", "b"};
  Processed processed(build_vgf(spec));
  const auto handle = init(processed);
  ASSERT_TRUE(handle.ok());
  Arguments arguments({1, 64, 64, 64});
  for (const et::EValue& value : {et::EValue(), et::EValue(int64_t{7}), et::EValue(true)}) {
    arguments[0] = value;
    EXPECT_EQ(execute(*handle, arguments), et::Error::Ok);
    EXPECT_THAT(arguments.data(3), Each(2.0F));
  }
}

TEST_F(BackendTest, DelegatesAddToTheRecordOfTheirSink) {
  const Sink::Scope scope(&sink_);
  et::DelegateHandle* const first = init_sum();
  et::DelegateHandle* const second = init_sum();
  ASSERT_EQ(sink_.delegates().size(), 2U);
  Arguments arguments({64, 64, 64});
  Record whole{};
  Record parts[2] = {};
  sink_.open_record();
  ASSERT_EQ(execute(first, arguments), et::Error::Ok);
  ASSERT_EQ(execute(second, arguments), et::Error::Ok);
  ASSERT_EQ(execute(second, arguments), et::Error::Ok);
  sink_.close_record(whole, parts);
  EXPECT_EQ(parts[0].in_copy_bytes, 512U);
  EXPECT_EQ(parts[1].in_copy_bytes, 1024U);
  EXPECT_EQ(whole.in_copy_bytes, 1536U);
  EXPECT_EQ(whole.out_copy_bytes, 768U);
  // Outside a record it just runs.
  EXPECT_EQ(execute(first, arguments), et::Error::Ok);
  destroy(first);
  EXPECT_EQ(sink_.delegates()[0], nullptr);
  EXPECT_NE(sink_.delegates()[1], nullptr);
}

TEST_F(BackendTest, WithoutASinkItRunsAlone) {
  et::DelegateHandle* const handle = init_sum();
  Sink sink;
  const Sink::Scope scope(&sink);
  Arguments arguments({64, 64, 64});
  EXPECT_EQ(execute(handle, arguments), et::Error::Ok);
  EXPECT_TRUE(sink.delegates().empty());
}

TEST_F(BackendTest, TellsAboutItsDeviceAndTensors) {
  const Sink::Scope scope(&sink_);
  init_sum({option(kOptionWait, VGFIO_WAIT_FENCE)});
  ASSERT_EQ(sink_.delegates().size(), 1U);
  DelegateSource& source = *sink_.delegates()[0];
  const DeviceInfo info = source.device();
  EXPECT_NE(info.name, "");
  EXPECT_THAT(info.api_version, ::testing::MatchesRegex("1\\.[0-9]+\\.[0-9]+"));
  EXPECT_EQ(info.layers.size(), info.emulated ? 2U : 0U);
  EXPECT_THAT(info.extensions, ::testing::Contains("VK_ARM_tensors"));
  EXPECT_EQ(info.wait, "fence");
  ASSERT_FALSE(info.memory_types.empty());
  EXPECT_GT(info.memory_types[0].heap_bytes, 0U);
  EXPECT_EQ(source.tensor_count(VGFIO_INPUT), 2U);
  EXPECT_EQ(source.tensor_count(VGFIO_OUTPUT), 1U);
  EXPECT_EQ(source.tensor_paths().size(), 3U);
  EXPECT_EQ(source.init_times().device_ns, 0U);  // opened by the fixture
}

TEST_F(BackendTest, LendsWhatCanBeUsedAsTheCallersBuffer) {
  const Sink::Scope scope(&sink_);
  et::DelegateHandle* const handle = init_sum({option(kOptionIoMode, VGFIO_IO_LEND)});
  DelegateSource& source = *sink_.delegates()[0];
  EXPECT_EQ(source.lend(VGFIO_INPUT, 2).data, nullptr);
  EXPECT_EQ(source.lend(VGFIO_OUTPUT, 1).data, nullptr);
  const DelegateSource::Lent input = source.lend(VGFIO_INPUT, 1);
  const DelegateSource::Lent output = source.lend(VGFIO_OUTPUT, 0);
  ASSERT_NE(input.data, nullptr);
  ASSERT_NE(output.data, nullptr);
  EXPECT_GE(output.capacity, 256U);
  Arguments arguments({64, 64, 64});
  arguments[1].toTensor().unsafeGetTensorImpl()->set_data(input.data);
  arguments[2].toTensor().unsafeGetTensorImpl()->set_data(output.data);
  std::fill_n(static_cast<float*>(input.data), 64, 5.0F);
  ASSERT_EQ(execute(handle, arguments), et::Error::Ok);
  EXPECT_EQ(static_cast<float*>(output.data)[63], 6.0F);
  EXPECT_EQ(source.tensor_paths()[0].path, uint32_t{VGFIO_PATH_COPY});
  EXPECT_EQ(source.tensor_paths()[1].path, uint32_t{VGFIO_PATH_LENT});
  EXPECT_EQ(source.tensor_paths()[2].path, uint32_t{VGFIO_PATH_LENT});
}

}  // namespace
}  // namespace vgfio::testing
