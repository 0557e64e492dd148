#include "vulkan/host_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/names.h"
#include "fake_device.h"

namespace vgfio::testing {
namespace {

using ::testing::HasSubstr;

// No rule looks at the memory itself: addresses are just numbers.
std::byte* at(uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

// Every rule with every alignment that devices ask for.
class CheckImport : public ::testing::TestWithParam<VkDeviceSize> {
 protected:
  CheckImport() {
    limits_.extension = true;
    limits_.alignment = GetParam();
    request_.pointer = base_;
    request_.bytes = 2 * alignment_ - 100;
    request_.region = {base_, 4 * alignment_};
    request_.written_by_device = true;
    request_.requirements = {2 * alignment_ - 64, 64, 1};
  }

  vgfio_reason reason() const { return check_import(request_, limits_).reason; }
  std::string detail() const { return check_import(request_, limits_).detail; }
  std::string number(uint64_t value) const { return std::to_string(value); }

  const size_t alignment_ = GetParam();
  std::byte* const base_ = at(16 * GetParam());
  ImportRequest request_;
  ImportLimits limits_;
};

INSTANTIATE_TEST_SUITE_P(Alignments, CheckImport, ::testing::Values(4096, 16384, 65536),
                         ::testing::PrintToStringParamName());

TEST_P(CheckImport, TakesTheWholeRegionAroundTheTensor) {
  const ImportDecision decision = check_import(request_, limits_);
  EXPECT_EQ(decision.reason, VGFIO_REASON_NONE);
  EXPECT_EQ(decision.detail, "");
  EXPECT_EQ(decision.base, base_);
  EXPECT_EQ(decision.size, 4 * alignment_);
  EXPECT_EQ(decision.offset, 0U);
}

TEST_P(CheckImport, TheOrderOfTheReasonsIsFixed) {
  // Everything is wrong; one thing after the other is mended.
  request_.pointer = nullptr;
  request_.region = {base_ + 8, alignment_ / 2, true};
  limits_.extension = false;
  EXPECT_EQ(reason(), VGFIO_REASON_EXTENSION_MISSING);
  limits_.extension = true;
  EXPECT_EQ(reason(), VGFIO_REASON_NULL_POINTER);
  request_.pointer = base_ + 8;
  EXPECT_EQ(reason(), VGFIO_REASON_READ_ONLY);
  request_.region.read_only = false;
  EXPECT_EQ(reason(), VGFIO_REASON_MISALIGNED_POINTER);
  request_.region.base = base_;
  EXPECT_EQ(reason(), VGFIO_REASON_MISALIGNED_POINTER);  // now as an offset
  request_.pointer = base_;
  EXPECT_EQ(reason(), VGFIO_REASON_SIZE_NOT_A_MULTIPLE);
  request_.region.capacity = 2 * alignment_;
  request_.requirements.size = 2 * alignment_ + 1;
  EXPECT_EQ(reason(), VGFIO_REASON_REQUIREMENT_EXCEEDS_BUFFER);
  request_.requirements.size = 2 * alignment_;
  EXPECT_EQ(reason(), VGFIO_REASON_NONE);
}

TEST_P(CheckImport, AnAlignmentOfZeroIsNoExtension) {
  limits_.alignment = 0;
  EXPECT_EQ(reason(), VGFIO_REASON_EXTENSION_MISSING);
  EXPECT_THAT(detail(), HasSubstr("VK_EXT_external_memory_host"));
}

TEST_P(CheckImport, ReadOnlyMemoryMayBeRead) {
  request_.region.read_only = true;
  EXPECT_EQ(reason(), VGFIO_REASON_READ_ONLY);
  request_.written_by_device = false;
  EXPECT_EQ(reason(), VGFIO_REASON_NONE);
}

TEST_P(CheckImport, MisalignedPointerSaysBothAlignments) {
  request_.pointer = base_ + 64;
  request_.region = {base_ + 64, 4 * alignment_};
  EXPECT_EQ(reason(), VGFIO_REASON_MISALIGNED_POINTER);
  EXPECT_EQ(detail(), "the pointer is aligned to 64 bytes, the import needs " +
                          number(alignment_));
}

TEST_P(CheckImport, ATensorPastTheFirstBoundaryOfAMisalignedRegionIsFine) {
  request_.region = {base_ - 64, 4 * alignment_ + 64};
  request_.pointer = base_ + 64;
  const ImportDecision decision = check_import(request_, limits_);
  EXPECT_EQ(decision.reason, VGFIO_REASON_NONE) << decision.detail;
  EXPECT_EQ(decision.base, base_);
  EXPECT_EQ(decision.size, 4 * alignment_);
  EXPECT_EQ(decision.offset, 64U);
}

TEST_P(CheckImport, MisalignedOffsetSaysOffsetAndNeed) {
  request_.pointer = base_ + 32;
  EXPECT_EQ(reason(), VGFIO_REASON_MISALIGNED_POINTER);
  EXPECT_EQ(detail(), "the tensor begins 32 bytes into its buffer, the device needs a multiple "
                      "of 64");
  request_.requirements.alignment = 1;
  EXPECT_EQ(reason(), VGFIO_REASON_NONE);
}

TEST_P(CheckImport, AMisalignedOffsetInThePlanIsThePlans) {
  request_.pointer = base_ + 32;
  request_.region.memory_planned = true;
  EXPECT_EQ(reason(), VGFIO_REASON_MEMORY_PLANNED);
  EXPECT_EQ(detail(), "the memory plan puts the tensor 32 bytes into its arena, the device needs a "
                      "multiple of 64");
  request_.pointer = base_ + 64;
  EXPECT_EQ(reason(), VGFIO_REASON_NONE);
}

TEST_P(CheckImport, UnnotedMemoryEndsWithTheTensor) {
  request_.region = {base_, request_.bytes};
  EXPECT_EQ(reason(), VGFIO_REASON_SIZE_NOT_A_MULTIPLE);
  EXPECT_THAT(detail(), HasSubstr("the buffer of " + number(request_.bytes) + " bytes"));
  EXPECT_THAT(detail(), HasSubstr("whole multiples of " + number(alignment_)));
}

TEST_P(CheckImport, OneByteShortOfTheNextMultipleIsShort) {
  request_.bytes = 2 * alignment_;
  request_.requirements.size = request_.bytes;
  request_.region = {base_, 2 * alignment_ - 1};
  EXPECT_EQ(reason(), VGFIO_REASON_SIZE_NOT_A_MULTIPLE);
  request_.region.capacity = 2 * alignment_;
  EXPECT_EQ(reason(), VGFIO_REASON_NONE);
}

TEST_P(CheckImport, RequirementBeyondTheRestOfTheBufferSaysBothSizes) {
  request_.pointer = base_ + 2 * alignment_;
  request_.requirements.size = 2 * alignment_ + 64;
  EXPECT_EQ(reason(), VGFIO_REASON_REQUIREMENT_EXCEEDS_BUFFER);
  EXPECT_EQ(detail(), "the device needs " + number(2 * alignment_ + 64) +
                          " bytes for the tensor, the buffer has " + number(2 * alignment_));
}

TEST_P(CheckImport, HalvesOfAnArenaAreOneImportWithTwoOffsets) {
  const ImportDecision first = check_import(request_, limits_);
  request_.pointer = base_ + 2 * alignment_;
  const ImportDecision second = check_import(request_, limits_);
  EXPECT_EQ(first.reason, VGFIO_REASON_NONE);
  EXPECT_EQ(second.reason, VGFIO_REASON_NONE);
  EXPECT_EQ(first.base, second.base);
  EXPECT_EQ(first.size, second.size);
  EXPECT_EQ(first.offset, 0U);
  EXPECT_EQ(second.offset, 2 * alignment_);
}

TEST_P(CheckImport, ARegionAtTheEndOfTheAddressSpaceIsRefused) {
  request_.pointer = at(~uintptr_t{0} - 10);
  request_.bytes = 8;
  request_.region = {at(~uintptr_t{0} - 10), 8};
  EXPECT_NE(reason(), VGFIO_REASON_NONE);
}

constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = kVisible | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

TEST(CheckImportType, DisjointMasksAndEmptyOnesHaveNothingInCommon) {
  const auto memory = memory_types({kCoherent, kCoherent});
  for (const auto& [host, object] :
       std::vector<std::pair<uint32_t, uint32_t>>{{0b01, 0b10}, {0, 0b11}, {0b11, 0}}) {
    const ImportType type = check_import_type(host, object, memory);
    EXPECT_EQ(type.reason, VGFIO_REASON_NO_COMMON_MEMORY_TYPE);
    EXPECT_THAT(type.detail, HasSubstr("memory types " + std::to_string(host)));
    EXPECT_THAT(type.detail, HasSubstr("the tensor " + std::to_string(object)));
  }
}

TEST(CheckImportType, NotCoherentIsItsOwnReason) {
  const ImportType type = check_import_type(0b11, 0b01, memory_types({kVisible, kCoherent}));
  EXPECT_EQ(type.reason, VGFIO_REASON_NOT_HOST_COHERENT);
  EXPECT_THAT(type.detail, HasSubstr("host-coherent"));
}

TEST(CheckImportType, CachedMemoryFirstElseTheFirstCoherentOne) {
  const auto memory = memory_types({kVisible, kCoherent, kCoherent | kCached});
  EXPECT_EQ(check_import_type(0b111, 0b111, memory).type, 2U);
  EXPECT_EQ(check_import_type(0b111, 0b011, memory).type, 1U);
  EXPECT_EQ(check_import_type(0b111, 0b111, memory).reason, VGFIO_REASON_NONE);
}

}  // namespace
}  // namespace vgfio::testing
