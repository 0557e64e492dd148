#include "stats/record.h"

#include <cstring>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

constexpr size_t kFields = sizeof(Record) / sizeof(uint64_t);

// Every field another number, so that a sum into the wrong field shows.
Record numbered(uint64_t step) {
  uint64_t fields[kFields];
  for (size_t i = 0; i < kFields; ++i) fields[i] = step * (i + 1);
  Record record;
  std::memcpy(&record, fields, sizeof(record));
  record.gpu_ns_valid = 1;
  return record;
}

TEST(AddPart, SumsEveryFieldButTheWholesOwn) {
  Record whole{};
  whole.start_ns = 7;
  whole.latency_ns = 8;
  add_part(whole, numbered(1), true);
  add_part(whole, numbered(10), false);
  Record expected = numbered(11);
  expected.start_ns = 7;
  expected.latency_ns = 8;
  EXPECT_EQ(std::memcmp(&whole, &expected, sizeof(Record)), 0);
}

TEST(AddPart, DeviceTimeIsValidOnlyIfEveryPartHasIt) {
  Record with = numbered(1);
  Record without = with;
  without.gpu_ns_valid = 0;

  Record whole{};
  add_part(whole, with, true);
  EXPECT_EQ(whole.gpu_ns_valid, 1u);
  EXPECT_EQ(whole.gpu_ns, with.gpu_ns);
  add_part(whole, without, false);
  EXPECT_EQ(whole.gpu_ns_valid, 0u);
  EXPECT_EQ(whole.gpu_ns, 0u);

  whole = Record{};
  add_part(whole, without, true);
  add_part(whole, with, false);
  EXPECT_EQ(whole.gpu_ns_valid, 0u);
  EXPECT_EQ(whole.gpu_ns, 0u);
}

TEST(Macros, ANullRecordIsLeftAlone) {
  Record* record = nullptr;
  VGFIO_ADD(record, imports, 1);
  {
    VGFIO_TIME(record, execute_ns);
  }
  SUCCEED();
}

TEST(Macros, AddToTheirField) {
  Record record{};
  Record* pointer = &record;
  VGFIO_ADD(pointer, imports, 2);
  VGFIO_ADD(pointer, imports, 3);
  EXPECT_EQ(record.imports, 5u);
  const uint64_t begin = now_ns();
  {
    VGFIO_TIME(pointer, execute_ns);
    while (now_ns() == begin) {
    }
  }
  EXPECT_GT(record.execute_ns, 0u);
  EXPECT_LE(record.execute_ns, now_ns() - begin);
}

}  // namespace
}  // namespace vgfio
