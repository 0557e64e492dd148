#include "runner/outputs.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <sstream>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

namespace et = executorch::runtime;
using executorch::aten::ScalarType;

// A tensor of one dimension over `data`.
template <typename T>
class OneDimension {
 public:
  OneDimension(ScalarType type, std::vector<T> data)
      : data_(std::move(data)),
        size_(static_cast<int32_t>(data_.size())),
        impl_(type, 1, &size_, data_.data(), &order_, &stride_) {}
  et::EValue value() { return et::EValue(executorch::aten::Tensor(&impl_)); }

 private:
  std::vector<T> data_;
  int32_t size_;
  uint8_t order_ = 0;
  int32_t stride_ = 1;
  executorch::aten::TensorImpl impl_;
};

std::string printed(const et::EValue& value, PrintMode mode) {
  std::ostringstream stream;
  print_outputs(stream, {value}, mode);
  return stream.str();
}

TEST(PrintOutputs, ShortTensorsOnOneLine) {
  const float inf = std::numeric_limits<float>::infinity();
  OneDimension<float> tensor(ScalarType::Float, {0, -2, 0.5f, 1e10f, inf});
  EXPECT_EQ(printed(tensor.value(), PrintMode::kSummary),
            "OutputX 0: tensor(sizes=[5], [0., -2., 0.5, 1e+10, inf])\n");
}

TEST(PrintOutputs, TenToALine) {
  std::vector<int32_t> items(12);
  std::iota(items.begin(), items.end(), 0);
  OneDimension<int32_t> tensor(ScalarType::Int, items);
  EXPECT_EQ(printed(tensor.value(), PrintMode::kSummary),
            "OutputX 0: tensor(sizes=[12], [\n"
            "  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, \n"
            "  10, 11, \n"
            "])\n");
}

TEST(PrintOutputs, LongTensorsWithTheirEnds) {
  std::vector<int32_t> items(1000);
  std::iota(items.begin(), items.end(), 0);
  OneDimension<int32_t> tensor(ScalarType::Int, items);
  const std::string text = printed(tensor.value(), PrintMode::kSummary);
  EXPECT_NE(text.find("98, 99, \n  ...,\n  900, 901, "), std::string::npos) << text;
  EXPECT_EQ(text.find(" 100, "), std::string::npos);
  EXPECT_NE(text.find("999, \n])"), std::string::npos);
}

TEST(PrintOutputs, AllElementsByType) {
  OneDimension<int8_t> chars(ScalarType::Char, {-3});
  EXPECT_EQ(printed(chars.value(), PrintMode::kAll), "Output[0][0]: (char) -3\n");
  OneDimension<float> floats(ScalarType::Float, {1.5f});
  EXPECT_EQ(printed(floats.value(), PrintMode::kAll), "Output[0][0]: (float) 1.500000\n");
  OneDimension<uint8_t> bools(ScalarType::Bool, {1, 0});
  EXPECT_EQ(printed(bools.value(), PrintMode::kAll),
            "Output[0][0]: (bool) true  (0x1)\nOutput[0][1]: (bool) false (0x0)\n");
}

TEST(PrintOutputs, ScalarsAndNothing) {
  EXPECT_EQ(printed(et::EValue(int64_t{3}), PrintMode::kSummary), "OutputX 0: 3\n");
  EXPECT_EQ(printed(et::EValue(true), PrintMode::kSummary), "OutputX 0: True\n");
  EXPECT_EQ(printed(et::EValue(2.0), PrintMode::kSummary), "OutputX 0: 2.\n");
  EXPECT_EQ(printed(et::EValue(), PrintMode::kSummary), "OutputX 0: None\n");
  EXPECT_EQ(printed(et::EValue(true), PrintMode::kAll), "Output[0]: Not Tensor\n");
  EXPECT_EQ(printed(et::EValue(true), PrintMode::kNone), "");
}

TEST(WriteOutputs, OneFileForEachTensor) {
  OneDimension<int32_t> tensor(ScalarType::Int, {1, 2});
  const std::string base = ::testing::TempDir() + "written";
  ASSERT_TRUE(write_outputs(base, {et::EValue(true), tensor.value()}).ok());
  EXPECT_FALSE(std::ifstream(base + "-0.bin").good());
  std::ifstream file(base + "-1.bin", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes, std::string("\1\0\0\0\2\0\0\0", 8));
}

TEST(WriteOutputs, AFolderThatIsMissingIsAnError) {
  OneDimension<int32_t> tensor(ScalarType::Int, {1});
  const Status status = write_outputs(::testing::TempDir() + "none/x", {tensor.value()});
  EXPECT_EQ(status.code(), VGFIO_RUN_FAILED);
}

TEST(ParsePrintMode, TakesThreeWords) {
  EXPECT_EQ(parse_print_mode("none"), PrintMode::kNone);
  EXPECT_EQ(parse_print_mode("summary"), PrintMode::kSummary);
  EXPECT_EQ(parse_print_mode("all"), PrintMode::kAll);
  EXPECT_EQ(parse_print_mode("some"), std::nullopt);
}

}  // namespace
}  // namespace vgfio
