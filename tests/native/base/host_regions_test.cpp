#include "base/host_regions.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace vgfio {
namespace {

class HostRegions : public ::testing::Test, public HostRegionListener {
 protected:
  HostRegions() { add_host_region_listener(this); }
  ~HostRegions() override { remove_host_region_listener(this); }
  void region_forgotten(const HostRegion& region) override { forgotten_.push_back(region.base); }

  HostRegion region(size_t begin, size_t end) { return {arena_.data() + begin, end - begin}; }

  std::array<std::byte, 1000> arena_{};
  std::vector<const std::byte*> forgotten_;
};

TEST_F(HostRegions, FindsTheRegionAroundAPointer) {
  ASSERT_TRUE(note_host_region(region(100, 200)));
  const auto found = find_host_region(arena_.data() + 150, 50);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->base, arena_.data() + 100);
  EXPECT_EQ(found->capacity, 100u);
  EXPECT_FALSE(find_host_region(arena_.data() + 150, 51));
  EXPECT_FALSE(find_host_region(arena_.data() + 99, 1));
  EXPECT_FALSE(find_host_region(arena_.data() + 200, 1));
  forget_host_region(arena_.data() + 100);
  EXPECT_FALSE(find_host_region(arena_.data() + 150, 1));
}

TEST_F(HostRegions, RefusesWhatOverlapsAndTakesNeighbours) {
  ASSERT_TRUE(note_host_region(region(100, 200)));
  EXPECT_FALSE(note_host_region(region(150, 250)));
  EXPECT_FALSE(note_host_region(region(50, 101)));
  EXPECT_FALSE(note_host_region(region(0, 300)));
  EXPECT_FALSE(note_host_region(region(100, 150)));
  EXPECT_TRUE(note_host_region(region(200, 300)));
  EXPECT_TRUE(note_host_region(region(0, 100)));
  for (const size_t base : {0, 100, 200}) forget_host_region(arena_.data() + base);
}

TEST_F(HostRegions, CountsAnEqualRegionAndTellsWhenTheLastGoes) {
  ASSERT_TRUE(note_host_region(region(0, 64)));
  ASSERT_TRUE(note_host_region(region(0, 64)));
  forget_host_region(arena_.data());
  EXPECT_TRUE(forgotten_.empty());
  EXPECT_TRUE(find_host_region(arena_.data(), 64));
  forget_host_region(arena_.data());
  EXPECT_EQ(forgotten_, std::vector<const std::byte*>{arena_.data()});
}

TEST_F(HostRegions, GenerationChangesWithTheSet) {
  const uint64_t before = host_region_generation();
  ASSERT_TRUE(note_host_region(region(0, 64)));
  const uint64_t noted = host_region_generation();
  EXPECT_NE(noted, before);
  forget_host_region(arena_.data());
  EXPECT_NE(host_region_generation(), noted);
}

TEST_F(HostRegions, ForgettingWhatWasNeverNotedDoesNothing) {
  forget_host_region(arena_.data());
  EXPECT_TRUE(forgotten_.empty());
}

}  // namespace
}  // namespace vgfio
