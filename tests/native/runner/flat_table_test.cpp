#include "runner/flat_table.h"

#include <vector>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

// root -> table {slot 0: int32 7, slot 1: vector [1, 2, 3], slot 2: absent}
const std::vector<uint8_t> kBytes = {
    16, 0, 0,  0,                    // 0: root offset, to 16
    10, 0, 12, 0, 4, 0, 8, 0,        // 4: vtable of 10 bytes, fields at 4 and 8
    0,  0, 0,  0,                    // 12: absent field, padding
    12, 0, 0,  0,                    // 16: distance back to the vtable
    7,  0, 0,  0,                    // 20
    4,  0, 0,  0,                    // 24: offset to the vector, at 28
    3,  0, 0,  0, 1, 0, 2, 0, 3, 0,  // 28: int16 vector
};

FlatTable root(const std::vector<uint8_t>& bytes) {
  return FlatTable::root({bytes.data(), bytes.size()});
}

TEST(FlatTable, ReadsFields) {
  const FlatTable table = root(kBytes);
  ASSERT_TRUE(table.present());
  EXPECT_EQ(table.scalar<int32_t>(0, -1), 7);
  EXPECT_EQ(table.vector(1).size(), 3u);
  EXPECT_EQ(table.vector(1).scalar<int16_t>(2, -1), 3);
}

TEST(FlatTable, AbsentFieldsHaveTheirDefault) {
  const FlatTable table = root(kBytes);
  EXPECT_FALSE(table.has(2));
  EXPECT_FALSE(table.has(40));
  EXPECT_EQ(table.scalar<int32_t>(2, -1), -1);
  EXPECT_EQ(table.vector(2).size(), 0u);
  EXPECT_FALSE(table.table(2).present());
  EXPECT_EQ(table.string(2), "");
  EXPECT_FALSE(FlatTable().has(0));
}

TEST(FlatTable, NothingIsReadOutside) {
  for (size_t size = 0; size < kBytes.size(); ++size) {
    const std::vector<uint8_t> cut(kBytes.begin(), kBytes.begin() + static_cast<long>(size));
    const FlatTable table = root(cut);  // AddressSanitizer would tell
    const FlatVector vector = table.vector(1);
    for (size_t i = 0; i < 4; ++i) vector.scalar<int16_t>(i, 0);
    table.string(1);
    table.table(1).table(1).scalar<int64_t>(0, 0);
    EXPECT_LE(vector.size(), size);
  }
}

TEST(FlatTable, AnyDamagedByteIsSurvived) {
  for (size_t at = 0; at < kBytes.size(); ++at) {
    for (const uint8_t value : {0x00, 0x7f, 0x80, 0xff}) {
      std::vector<uint8_t> damaged = kBytes;
      damaged[at] = value;
      const FlatTable table = root(damaged);
      EXPECT_LE(table.string(1).size(), kBytes.size());
      EXPECT_LE(table.vector(0).size(), kBytes.size());
      table.vector(1).table(0).vector(0).scalar<int64_t>(1000, 0);
    }
  }
}

}  // namespace
}  // namespace vgfio
