#include "runner/program.h"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string data_file(const std::string& name) { return std::string(VGFIO_TEST_DATA) + "/" + name; }

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string write(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

Status open_status(const std::string& path) { return ModelProgram::open(path).status(); }

void expect_refused(const std::string& path, const std::string& why) {
  const Status status = open_status(path);
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(status.detail(), HasSubstr(why));
  EXPECT_EQ(status.detail().find('\n'), std::string::npos);
}

TEST(ModelProgram, RefusesWhatIsNoProgram) {
  expect_refused(::testing::TempDir() + "no such.pte", "no such file");
  expect_refused(::testing::TempDir(), "is a directory");
  expect_refused(write("empty.pte", ""), "is empty");
  expect_refused(write("text.pte", "hello\n"), "not an ExecuTorch program");
  expect_refused(write("text.pte", std::string(5000, 'a')), "not an ExecuTorch program");
  expect_refused(write("short.pte", std::string("\x10\0\0\0ET12", 8)), "truncated");
  expect_refused(data_file("bundled.pte"), "is a bundled program; export a plain .pte");
  expect_refused(write("data.ptd", std::string("\x10\0\0\0FT01", 8)), "is a data file (.ptd)");
  expect_refused("/dev/null", "not a regular file");
}

TEST(ModelProgram, APathOfAnyBytesStaysOneLine) {
  expect_refused("no\nsuch\xff'file", "'no\\x0asuch\xff\\'file'");
}

TEST(ModelProgram, RefusesCutFiles) {
  const std::string whole = read(data_file("two_delegates.pte"));
  for (const size_t percent : {2, 25, 50, 75, 99}) {
    expect_refused(write("cut.pte", whole.substr(0, whole.size() * percent / 100)), "truncated");
  }
}

// Whatever a flipped byte does, it is an error or a program: never a signal.
TEST(ModelProgram, SurvivesFlippedBytes) {
  const std::string whole = read(data_file("two_delegates.pte"));
  for (size_t at = 0; at < 2000; ++at) {
    for (const char flip : {char(0x01), char(0x80), char(0xff)}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      const auto model = ModelProgram::from_memory(damaged.data(), damaged.size());
      EXPECT_EQ(model.status().code(), model.ok() ? VGFIO_OK : VGFIO_INVALID_REQUEST);
    }
  }
}

TEST(ModelProgram, ReadsFromMemoryAtAnyAddress) {
  const std::string whole = read(data_file("planned_io.pte"));
  const std::string shifted = "x" + whole;
  for (const auto& [data, bytes] :
       {std::pair(whole.data(), whole.size()), std::pair(shifted.data() + 1, whole.size())}) {
    const auto model = ModelProgram::from_memory(data, bytes);
    ASSERT_TRUE(model.ok()) << model.status().detail();
    EXPECT_EQ((*model)->bytes(), whole.size());
    EXPECT_EQ((*model)->path(), "");
    EXPECT_EQ(std::string(static_cast<const char*>((*model)->data()), bytes), whole);
  }
}

TEST(ModelProgram, FindsMethodsByName) {
  const auto model = ModelProgram::open(data_file("two_delegates.pte"));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ((*(*model)->find_method(""))->name, "forward");
  EXPECT_EQ((*(*model)->find_method("forward"))->name, "forward");
  const auto other = (*model)->find_method("other");
  EXPECT_THAT(other.status().detail(), HasSubstr("no method 'other'; it has: forward"));
}

TEST(ProgramFacts, SeesDelegatesAndTheirArguments) {
  const auto model = ModelProgram::open(data_file("two_delegates.pte"));
  ASSERT_TRUE(model.ok());
  const MethodFacts& facts = **(*model)->find_method("");
  EXPECT_THAT(facts.delegates, ElementsAre("VgfBackend", "VgfBackend"));
  ASSERT_EQ(facts.calls.size(), 2u);
  EXPECT_EQ(facts.calls[0].delegate, 0u);
  EXPECT_EQ(facts.calls[1].delegate, 1u);
  EXPECT_EQ(facts.calls[0].args.front(), facts.inputs[0].value);
  EXPECT_EQ(facts.calls[1].args.back(), facts.outputs[0].value);
}

TEST(ProgramFacts, SeesDynamicShapesAndScalars) {
  const auto dynamic = ModelProgram::open(data_file("dynamic_dimension.pte"));
  ASSERT_TRUE(dynamic.ok());
  const ValueFacts& input = (*(*dynamic)->find_method(""))->inputs[0];
  EXPECT_TRUE(input.dynamic);
  EXPECT_THAT(input.sizes, ElementsAre(6, 8));
  const auto scalar = ModelProgram::open(data_file("scalar_int.pte"));
  ASSERT_TRUE(scalar.ok());
  const ValueFacts& number = (*(*scalar)->find_method(""))->inputs[1];
  EXPECT_EQ(number.kind, ValueKind::kInt);
  EXPECT_EQ(number.traced, "3");
}

}  // namespace
}  // namespace vgfio
