#pragma once
// Physical memory of 64 bits, of which little exists, and the small window through which a reader
// of firmware's tables sees it.
//
// A mapping is a block of exactly the bytes asked for, with red zones on both sides, that goes when
// it is unmapped. Whether those bytes may be asked for is judged where they are.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/exact_block.h"

namespace kiln::worlds {

struct Extent {
  uint64_t first;
  uint64_t bytes;
  /// Whether `other` lies in it.
  bool covers(const Extent& other) const;
};

class PhysicalMemory {
 public:
  /// Over what was there. The bytes do not go round the end of 64 bits.
  void put(uint64_t first, std::vector<uint8_t> bytes);
  /// What nobody has put is all ones, as on a bus where nothing answers; addresses wrap.
  void copy(uint64_t first, std::span<uint8_t> out) const;
  std::vector<uint8_t> read(uint64_t first, size_t bytes) const;

 private:
  struct Piece {
    uint64_t first;
    std::vector<uint8_t> bytes;
  };
  std::vector<Piece> pieces_;
};

class MemoryWindow {
 public:
  enum class Refusal : uint8_t { kNone, kTooMany, kOutOfRange };
  struct Answer {
    Refusal refusal;
    std::span<const uint8_t> bytes;
  };

  /// `slots` mappings at a time, of bytes in one page of addresses up to `last`; the request with
  /// number `refused` (from 0) gets none, counted in the page at `page` if that is said.
  MemoryWindow(const PhysicalMemory& memory, size_t slots, uint64_t last,
               std::optional<uint64_t> refused, std::optional<uint64_t> page = std::nullopt)
      : memory_(memory), slots_(slots), last_(last), refused_request_(refused),
        refused_page_(page) {}

  /// From now on, and of what has been asked for: each request lies in one of these.
  void judge_by(std::span<const Extent> allowed);

  Answer map(uint64_t physical, size_t bytes);
  void unmap(std::span<const uint8_t> mapped);

  /// A finding when something is still mapped.
  void check_all_unmapped() const;
  /// What has been asked for and was not given, in that order.
  std::span<const Extent> refused() const { return refused_; }
  size_t most_held() const { return most_held_; }
  uint64_t requests() const { return requests_; }

 private:
  void judge(const Extent& request);
  /// One mapping serves whatever is read there: other CPUs have to forget each that ends.
  void judge_again(const Extent& request);
  /// Whether this is the one that gets nothing.
  bool is_refused(uint64_t physical);

  const PhysicalMemory& memory_;
  size_t slots_;
  uint64_t last_;
  std::optional<uint64_t> refused_request_;
  std::optional<uint64_t> refused_page_;
  uint64_t counted_ = 0; ///< requests that may be the refused one
  uint64_t requests_ = 0;
  Extent latest_{0, 0};
  unsigned again_ = 0; ///< requests in a row that were the same as the one before
  std::vector<std::unique_ptr<sim::ExactBlock>> held_;
  size_t most_held_ = 0;
  std::vector<Extent> refused_;
  std::vector<Extent> early_; ///< requests made before anybody said what is allowed
  bool judging_ = false;
  std::vector<Extent> allowed_;
  size_t last_allowed_ = 0;
};

} // namespace kiln::worlds
