// What is taken for a device tree and what is not, at the edges of every field.

#include <gtest/gtest.h>

#include "tests/kernel/boot/blob.h"

namespace clay::test {
namespace {

using fdt::Refusal;

/// The verdict on the small blob with one field set.
Refusal with(Field field, uint32_t value) {
  std::vector<uint8_t> blob = small_blob();
  set_field(blob, field, value);
  return verdict_of(blob);
}

uint32_t own(Field field) { return get_field(small_blob(), field); }
uint32_t length() { return static_cast<uint32_t>(small_blob().size()); }

/// A structure block of these words alone, between the usual others.
Refusal of_words(std::initializer_list<uint32_t> words) {
  kiln::gen::fdt::Draft draft;
  draft.reservations.resize(16);
  draft.strings = {'a', 0};
  draft.structure.resize(words.size() * 4);
  size_t at = 0;
  for (const uint32_t word : words) {
    kiln::gen::fdt::write32(draft.structure, at, word);
    at += 4;
  }
  return verdict_of(kiln::gen::fdt::blob_of(draft, {}));
}

TEST(FdtCheck, TakesASmallTree) { EXPECT_EQ(verdict_of(small_blob()), Refusal::kNone); }

TEST(FdtCheck, RefusesEveryPrefix) {
  const std::vector<uint8_t> blob = small_blob();
  for (size_t size = 0; size < blob.size(); ++size) {
    const std::vector<uint8_t> prefix(blob.begin(), blob.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(verdict_of(prefix), size < 40 ? Refusal::kShort : Refusal::kTotalSize) << size;
  }
}

TEST(FdtCheck, TakesABlobWithBytesBehindIt) {
  std::vector<uint8_t> blob = small_blob();
  blob.push_back(0xFF);
  EXPECT_EQ(verdict_of(blob), Refusal::kNone);
  EXPECT_EQ(tree_of(blob).size(), blob.size() - 1);
}

TEST(FdtCheck, HoldsTotalSizeAgainstWhatIsThere) {
  EXPECT_EQ(with(Field::kTotalSize, length() + 1), Refusal::kTotalSize);
  EXPECT_EQ(with(Field::kTotalSize, UINT32_MAX), Refusal::kTotalSize);
  EXPECT_EQ(with(Field::kTotalSize, 39), Refusal::kTotalSize);
  EXPECT_EQ(with(Field::kTotalSize, 40), Refusal::kStructPlace);
  EXPECT_EQ(with(Field::kTotalSize, length() - 1), Refusal::kStringsPlace);
}

TEST(FdtCheck, HoldsBlocksAgainstTotalSize) {
  const uint32_t strings = own(Field::kStringsSize);
  EXPECT_EQ(with(Field::kStringsSize, strings + 1), Refusal::kStringsPlace);
  EXPECT_EQ(with(Field::kStringsSize, UINT32_MAX), Refusal::kStringsPlace);
  EXPECT_EQ(with(Field::kStringsOffset, own(Field::kStringsOffset) + 1), Refusal::kStringsPlace);
  EXPECT_EQ(with(Field::kStringsOffset, UINT32_MAX), Refusal::kStringsPlace);
  EXPECT_EQ(with(Field::kStringsOffset, 39), Refusal::kStringsPlace);
  EXPECT_EQ(with(Field::kStructOffset, UINT32_MAX - 3), Refusal::kStructPlace);
  EXPECT_EQ(with(Field::kStructOffset, 36), Refusal::kStructPlace);
  EXPECT_EQ(with(Field::kStructOffset, own(Field::kStructOffset) + 2), Refusal::kStructPlace);
  EXPECT_EQ(with(Field::kStructSize, UINT32_MAX - own(Field::kStructOffset) + 1),
            Refusal::kStructPlace);
  EXPECT_EQ(with(Field::kStructSize, length() - own(Field::kStructOffset) + 1),
            Refusal::kStructPlace);
}

TEST(FdtCheck, WantsNamesToEndInTheStringsBlock) {
  EXPECT_EQ(with(Field::kStringsSize, own(Field::kStringsSize) - 1), Refusal::kPropertyName);
  EXPECT_EQ(with(Field::kStringsSize, 0), Refusal::kPropertyName);
}

TEST(FdtCheck, FindsTheEndOfTheReservations) {
  EXPECT_EQ(with(Field::kReservationOffset, 44), Refusal::kReservationPlace);
  EXPECT_EQ(with(Field::kReservationOffset, 32), Refusal::kReservationPlace);
  EXPECT_EQ(with(Field::kReservationOffset, 0xFFFFFFF8), Refusal::kReservationPlace);
  const uint32_t last = length() / 8 * 8;
  EXPECT_EQ(with(Field::kReservationOffset, last), Refusal::kReservationEnd);
  EXPECT_EQ(with(Field::kReservationOffset, last - 8), Refusal::kReservationEnd);
}

TEST(FdtCheck, SpeaksVersion17) {
  EXPECT_EQ(with(Field::kVersion, 16), Refusal::kVersion);
  EXPECT_EQ(with(Field::kVersion, 18), Refusal::kNone);
  EXPECT_EQ(with(Field::kLastCompatible, 17), Refusal::kNone);
  EXPECT_EQ(with(Field::kLastCompatible, 18), Refusal::kVersion);
  EXPECT_EQ(with(Field::kMagic, 0xEDFE0DD0), Refusal::kMagic);
}

// A real Chromebook's firmware says 4 bytes too few.
TEST(FdtCheck, WantsItsEndInsideTheBlock) {
  const uint32_t size = own(Field::kStructSize);
  EXPECT_EQ(with(Field::kStructSize, size - 4), Refusal::kCut);
  EXPECT_EQ(with(Field::kStructSize, size - 1), Refusal::kCut);
  EXPECT_EQ(with(Field::kStructSize, size + 1), Refusal::kTrailing);
  EXPECT_EQ(with(Field::kStructSize, size + 4), Refusal::kTrailing);
  EXPECT_EQ(with(Field::kStructSize, 0), Refusal::kCut);
}

TEST(FdtCheck, BalancesNodes) {
  EXPECT_EQ(of_words({1, 0, 2, 9}), Refusal::kNone);
  EXPECT_EQ(of_words({4, 1, 0, 4, 2, 4, 9}), Refusal::kNone);
  EXPECT_EQ(of_words({2, 9}), Refusal::kEndNode);
  EXPECT_EQ(of_words({1, 0, 2, 2, 9}), Refusal::kEndNode);
  EXPECT_EQ(of_words({1, 0, 9}), Refusal::kNodeOpen);
  EXPECT_EQ(of_words({9}), Refusal::kNoRoot);
  EXPECT_EQ(of_words({1, 0, 2, 1, 0, 2, 9}), Refusal::kSecondRoot);
  EXPECT_EQ(of_words({1, 0x61000000, 2, 9}), Refusal::kRootName);
  EXPECT_EQ(of_words({1, 0, 2, 5, 9}), Refusal::kToken);
  EXPECT_EQ(of_words({1, 0, 2, 0, 9}), Refusal::kToken);
}

TEST(FdtCheck, WantsPropertiesInTheirPlace) {
  EXPECT_EQ(of_words({1, 0, 3, 0, 0, 2, 9}), Refusal::kNone);
  EXPECT_EQ(of_words({3, 0, 0, 1, 0, 2, 9}), Refusal::kPropertyPlace);
  EXPECT_EQ(of_words({1, 0, 2, 3, 0, 0, 9}), Refusal::kPropertyPlace);
  EXPECT_EQ(of_words({1, 0, 1, 0, 2, 3, 0, 0, 2, 9}), Refusal::kPropertyPlace);
}

TEST(FdtCheck, BoundsLengthsAndNames) {
  EXPECT_EQ(of_words({1, 0, 3, 8, 0, 2, 9}), Refusal::kCut);
  EXPECT_EQ(of_words({1, 0, 3, 9, 0, 2, 9}), Refusal::kPropertyLength);
  // Padding beyond the end.
  EXPECT_EQ(of_words({1, 0, 3, UINT32_MAX, 0, 2, 9}), Refusal::kPropertyLength);
  // Back to where the property begins, were it to wrap.
  EXPECT_EQ(of_words({1, 0, 3, 0xFFFFFFF4, 0, 2, 9}), Refusal::kPropertyLength);
  EXPECT_EQ(of_words({1, 0, 3, 0x7FFFFFF0, 0, 2, 9}), Refusal::kPropertyLength);
  EXPECT_EQ(of_words({1, 0, 3, 0, 1, 2, 9}), Refusal::kNone);
  EXPECT_EQ(of_words({1, 0, 3, 0, 2, 2, 9}), Refusal::kPropertyName);
  EXPECT_EQ(of_words({1, 0, 3, 0, UINT32_MAX, 2, 9}), Refusal::kPropertyName);
  EXPECT_EQ(of_words({1, 0, 3, 0}), Refusal::kCut);
  EXPECT_EQ(of_words({1, 0, 1, 0x61616161}), Refusal::kNodeName);
  EXPECT_EQ(of_words({1, 0, 1}), Refusal::kNodeName);
}

std::vector<uint8_t> nested(size_t depth) {
  Builder builder;
  builder.open("");
  for (size_t i = 1; i < depth; ++i) {
    builder.open("deeper");
  }
  for (size_t i = 0; i < depth; ++i) {
    builder.close();
  }
  return blob_of(builder);
}

TEST(FdtCheck, BoundsDepth) {
  EXPECT_EQ(verdict_of(nested(fdt::kMaxDepth)), Refusal::kNone);
  EXPECT_EQ(verdict_of(nested(fdt::kMaxDepth + 1)), Refusal::kDepth);
  EXPECT_EQ(verdict_of(nested(1000)), Refusal::kDepth);
}

} // namespace
} // namespace clay::test
