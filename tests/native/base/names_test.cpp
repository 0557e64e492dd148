#include "base/names.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

TEST(Names, EveryReasonHasANameAndARemedyOfItsOwn) {
  std::set<std::string> names;
  std::set<std::string> remedies;
  for (uint32_t reason = 0; reason < VGFIO_REASON_COUNT; ++reason) {
    names.insert(reason_name(reason));
    remedies.insert(reason_remedy(reason));
  }
  EXPECT_EQ(names.size(), size_t{VGFIO_REASON_COUNT});
  EXPECT_EQ(remedies.size(), size_t{VGFIO_REASON_COUNT});
  EXPECT_EQ(names.count(""), 0u);
}

TEST(Names, ARemedyIsOneSentence) {
  EXPECT_STREQ(reason_remedy(VGFIO_REASON_NONE), "");
  for (uint32_t reason = 1; reason < VGFIO_REASON_COUNT; ++reason) {
    const std::string remedy = reason_remedy(reason);
    EXPECT_EQ(remedy.back(), '.') << remedy;
    EXPECT_EQ(remedy.find(". "), std::string::npos) << remedy;
  }
}

TEST(Names, ReasonsKeepTheirPlace) {
  EXPECT_STREQ(reason_name(VGFIO_REASON_MISALIGNED_POINTER), "misaligned_pointer");
  EXPECT_STREQ(reason_name(VGFIO_REASON_IMPORT_DOES_NOT_ALIAS), "import_does_not_alias");
  EXPECT_STREQ(reason_name(VGFIO_REASON_ELIMINATED), "eliminated");
  EXPECT_STREQ(reason_name(VGFIO_REASON_UNSUPPORTED_FORMAT_OR_LAYOUT),
               "unsupported_format_or_layout");
}

TEST(Names, NumbersOutsideAreUnknown) {
  EXPECT_STREQ(reason_name(VGFIO_REASON_COUNT), "unknown");
  EXPECT_STREQ(reason_remedy(VGFIO_REASON_COUNT), "unknown");
  EXPECT_STREQ(io_mode_name(4), "unknown");
  EXPECT_STREQ(path_name(5), "unknown");
  EXPECT_STREQ(wait_name(3), "unknown");
  EXPECT_STREQ(status_name(4), "unknown");
  EXPECT_STREQ(direction_name(2), "unknown");
  EXPECT_STREQ(copy_memory_name(4), "unknown");
}

TEST(Names, ModesReadAsTheyAreWritten) {
  for (uint32_t mode = VGFIO_IO_COPY; mode <= VGFIO_IO_LEND; ++mode) {
    EXPECT_EQ(parse_io_mode(io_mode_name(mode)), static_cast<vgfio_io_mode>(mode));
  }
  for (uint32_t wait = VGFIO_WAIT_ADAPTIVE; wait <= VGFIO_WAIT_SPIN; ++wait) {
    EXPECT_EQ(parse_wait(wait_name(wait)), static_cast<vgfio_wait>(wait));
  }
  EXPECT_EQ(parse_io_mode("zero-copy"), VGFIO_IO_ZERO_COPY);
  EXPECT_EQ(parse_copy_memory("device-local"), VGFIO_COPY_MEMORY_DEVICE_LOCAL);
  EXPECT_EQ(parse_io_mode(""), std::nullopt);
  EXPECT_EQ(parse_io_mode("Copy"), std::nullopt);
  EXPECT_EQ(parse_wait("block"), std::nullopt);
}

}  // namespace
}  // namespace vgfio
