#include "runner/inputs.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vgfio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

vgfio_tensor_info tensor(const char* dtype, uint32_t element_bytes, int64_t count) {
  vgfio_tensor_info info{};
  info.struct_size = sizeof(info);
  std::snprintf(info.dtype, sizeof(info.dtype), "%s", dtype);
  info.dim_count = 1;
  info.shape[0] = count;
  info.element_bytes = element_bytes;
  info.bytes = element_bytes * static_cast<uint64_t>(count);
  return info;
}

std::string file_of(const std::string& name, size_t bytes) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
  return path;
}

TEST(ParseInputList, TrimsAndEscapes) {
  EXPECT_THAT(*parse_input_list("a.bin"), ElementsAre("a.bin"));
  EXPECT_THAT(*parse_input_list("a.bin, b.bin"), ElementsAre("a.bin", "b.bin"));
  EXPECT_THAT(*parse_input_list(" a b.bin\t,c"), ElementsAre("a b.bin", "c"));
  EXPECT_THAT(*parse_input_list("a\\,b.bin,c"), ElementsAre("a,b.bin", "c"));
  EXPECT_THAT(*parse_input_list("a\\b.bin"), ElementsAre("a\\b.bin"));
  EXPECT_THAT(*parse_input_list(""), ElementsAre());
  EXPECT_THAT(*parse_input_list("  "), ElementsAre());
}

TEST(ParseInputList, RefusesEmptyEntries) {
  for (const char* text : {"a.bin,", ",a.bin", "a.bin,,b.bin", "a.bin, ", ","}) {
    const auto paths = parse_input_list(text);
    ASSERT_FALSE(paths.ok()) << text;
    EXPECT_EQ(paths.status().code(), VGFIO_INVALID_REQUEST);
    EXPECT_THAT(paths.status().detail(), HasSubstr("empty entry"));
  }
}

class InputFile : public ::testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, InputFile, ::testing::Values(0, 15, 17, 32));

TEST_P(InputFile, OfAnotherSizeIsRefusedWithTheNumbers) {
  const std::string path = file_of("input.bin", GetParam());
  const Status status = check_input_files({path}, {tensor("float32", 4, 4)});
  EXPECT_EQ(status.code(), VGFIO_INVALID_REQUEST);
  EXPECT_THAT(status.detail(), HasSubstr("input 0 (float32 [4]) needs 16 bytes"));
  EXPECT_THAT(status.detail(), HasSubstr("has " + std::to_string(GetParam())));
}

TEST(InputFiles, OneForEachInput) {
  const auto info = tensor("uint8", 1, 16);
  const std::string path = file_of("input.bin", 16);
  EXPECT_TRUE(check_input_files({path, path}, {info, info}).ok());
  EXPECT_THAT(check_input_files({path}, {info, info}).detail(), HasSubstr("has 2 inputs, 1 files"));
  EXPECT_THAT(check_input_files({path, path + "-none"}, {info, info}).detail(),
              HasSubstr("input 1: no such file"));
  EXPECT_THAT(check_input_files({::testing::TempDir()}, {info}).detail(), HasSubstr("directory"));
}

TEST(InputFiles, AreReadWhole) {
  const auto info = tensor("uint8", 1, 16);
  std::vector<std::byte> data(16);
  ASSERT_TRUE(read_input_file(file_of("input.bin", 16), info, 0, data.data()).ok());
  EXPECT_EQ(data, std::vector<std::byte>(16, std::byte{'x'}));
}

struct Type {
  const char* name;
  uint32_t bytes;
};
class Synthetic : public ::testing::TestWithParam<Type> {};
INSTANTIATE_TEST_SUITE_P(Types, Synthetic,
                         ::testing::Values(Type{"float32", 4}, Type{"float64", 8},
                                           Type{"float16", 2}, Type{"bfloat16", 2}, Type{"int8", 1},
                                           Type{"int16", 2}, Type{"int32", 4}, Type{"int64", 8},
                                           Type{"uint8", 1}, Type{"uint16", 2}, Type{"bool", 1}));

TEST_P(Synthetic, IsReproducibleAndNeverAllTheSame) {
  const auto info = tensor(GetParam().name, GetParam().bytes, 1000);
  std::vector<std::byte> first(info.bytes);
  std::vector<std::byte> again(info.bytes);
  std::vector<std::byte> other(info.bytes);
  fill_synthetic(info, 1, first.data());
  fill_synthetic(info, 1, again.data());
  fill_synthetic(info, 2, other.data());
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  EXPECT_GT(std::set<std::byte>(first.begin(), first.end()).size(), 1u);
}

TEST(SyntheticValues, FloatsLieInTheirRange) {
  const auto info = tensor("float32", 4, 10000);
  std::vector<float> values(10000);
  fill_synthetic(info, 0, reinterpret_cast<std::byte*>(values.data()));
  double sum = 0;
  for (const float value : values) {
    ASSERT_GE(value, -1.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
  }
  EXPECT_LT(std::abs(sum / 10000), 0.05);
}

TEST(SyntheticValues, BooleansAreZeroOrOne) {
  const auto info = tensor("bool", 1, 1000);
  std::vector<std::byte> values(1000);
  fill_synthetic(info, 0, values.data());
  for (const std::byte value : values) ASSERT_LE(static_cast<int>(value), 1);
}

TEST(Ones, AreOnesOfTheType) {
  float floats[2];
  fill_ones(tensor("float32", 4, 2), reinterpret_cast<std::byte*>(floats));
  EXPECT_EQ(floats[0], 1.0f);
  EXPECT_EQ(floats[1], 1.0f);
  int64_t whole = 0;
  fill_ones(tensor("int64", 8, 1), reinterpret_cast<std::byte*>(&whole));
  EXPECT_EQ(whole, 1);
  uint16_t half = 0;
  fill_ones(tensor("float16", 2, 1), reinterpret_cast<std::byte*>(&half));
  EXPECT_EQ(half, 0x3c00);
}

}  // namespace
}  // namespace vgfio
