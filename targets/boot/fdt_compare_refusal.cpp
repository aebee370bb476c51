// Why Clay refuses a blob, and where: the place against the second reader's, the reason against
// what stands there (Devicetree Specification v0.4, 5.2 to 5.4). Where several things are wrong in
// one place, each of them is a true reason.

#include <cstring>

#include "sim/machine.h"
#include "targets/boot/fdt_compare.h"

namespace kiln::targets {
namespace {

using clay::fdt::Refusal;

constexpr uint64_t kBegin = 1;
constexpr uint64_t kEndNode = 2;
constexpr uint64_t kProp = 3;
constexpr uint64_t kNop = 4;
constexpr uint64_t kEnd = 9;

uint64_t rounded(uint64_t at) { return (at + 3) / 4 * 4; }

/// A blob by its places, whatever is wrong with it; a block is [first, last).
class Blob {
 public:
  explicit Blob(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool header_holds(Refusal reason) const {
    switch (reason) {
    case Refusal::kShort:
      return bytes_.size() < 40;
    case Refusal::kMagic:
      return word(0) != 0xD00DFEED;
    case Refusal::kTotalSize:
      return word(4) < 40 || word(4) > bytes_.size();
    case Refusal::kVersion:
      return word(20) < 17 || word(24) > 17;
    case Refusal::kStructPlace:
      return word(8) < 40 || word(8) % 4 != 0 || word(8) + word(36) > word(4);
    case Refusal::kStringsPlace:
      return word(12) < 40 || word(12) + word(32) > word(4);
    case Refusal::kReservationPlace:
      return word(16) < 40 || word(16) % 8 != 0 || word(16) > word(4);
    default:
      return !reservations_end();
    }
  }

  /// Of the token at `at`.
  bool token_holds(Refusal reason, uint64_t at) const {
    if (at + 4 > end()) {
      return reason == Refusal::kCut || (reason == Refusal::kTrailing && at < end());
    }
    switch (reason) {
    case Refusal::kToken:
      return word(at) == 0 || (word(at) > kNop && word(at) != kEnd);
    case Refusal::kCut:
      return word(at) == kProp && at + 12 > end();
    case Refusal::kNodeName:
      return word(at) == kBegin && rounded(behind_text(at + 4, end())) > end();
    case Refusal::kPropertyLength:
      return is_whole_property(at) && rounded(at + 12 + word(at + 4)) > end();
    case Refusal::kPropertyName:
      return is_whole_property(at) &&
             behind_text(word(12) + word(at + 8), strings_end()) > strings_end();
    case Refusal::kPropertyPlace:
      return word(at) == kProp;
    case Refusal::kRootName:
      return word(at) == kBegin && bytes_[at + 4] != 0;
    case Refusal::kSecondRoot:
    case Refusal::kDepth:
      return word(at) == kBegin;
    case Refusal::kEndNode:
      return word(at) == kEndNode;
    case Refusal::kNoRoot:
    case Refusal::kNodeOpen:
      return word(at) == kEnd;
    default: // kTrailing: FDT_END is in front of it
      return word(at - 4) == kEnd;
    }
  }

 private:
  uint64_t word(uint64_t at) const {
    uint32_t value = 0;
    std::memcpy(&value, &bytes_[at], sizeof(value));
    return __builtin_bswap32(value);
  }
  uint64_t end() const { return word(8) + word(36); }
  uint64_t strings_end() const { return word(12) + word(32); }
  bool is_whole_property(uint64_t at) const { return word(at) == kProp && at + 12 <= end(); }

  /// Behind the NUL; behind `last` when there is none before it.
  uint64_t behind_text(uint64_t at, uint64_t last) const {
    while (at < last && bytes_[at] != 0) {
      ++at;
    }
    return at < last ? at + 1 : last + 1;
  }

  bool reservations_end() const {
    for (uint64_t at = word(16); at + 16 <= word(4); at += 16) {
      if ((word(at) | word(at + 4) | word(at + 8) | word(at + 12)) == 0) {
        return true;
      }
    }
    return false;
  }

  std::span<const uint8_t> bytes_;
};

} // namespace

void check_refusal_holds(std::span<const uint8_t> bytes, const clay::fdt::Refused& why,
                         const worlds::fdt::Tree& want) {
  KILN_CHECK(why.at == want.fault_at, "refused at %zu (%s), not at %zu (%s)", why.at,
             clay::fdt::refusal_text(why.reason), static_cast<size_t>(want.fault_at), want.fault);
  const bool in_header = why.reason <= Refusal::kStringsPlace;
  const Blob blob(bytes);
  KILN_CHECK(in_header ? blob.header_holds(why.reason) : blob.token_holds(why.reason, why.at),
             "what is wrong at %zu is not that %s", why.at, clay::fdt::refusal_text(why.reason));
}

} // namespace kiln::targets
