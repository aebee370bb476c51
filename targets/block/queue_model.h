#pragma once
// For block/queue: what each sector may hold, by the requests that were made of it. Overlapping
// requests are carried out in the order in which they were submitted; where two calls of submit()
// were under way at the same time, in either order.

#include <cstdint>
#include <span>
#include <vector>

#include "targets/block/queue_request.h"

namespace kiln::block {

/// What a sector holds, told by its first and last eight bytes.
struct Stamp {
  uint64_t first;
  uint64_t last;
  bool operator==(const Stamp&) const = default;
};
Stamp stamp_in(const uint8_t* bytes, uint32_t sector_bytes);
/// That of a sector that request `id` writes; id 0: what the disk begins with.
Stamp stamp_of(unsigned id, uint64_t sector);
void put_stamp(uint8_t* bytes, uint32_t sector_bytes, unsigned id, uint64_t sector);

class SectorModel {
 public:
  SectorModel(const Requests& requests, uint64_t first, uint64_t sectors, uint32_t sector_bytes,
              bool volatile_cache)
      : requests_(requests), first_(first), sectors_(sectors), sector_bytes_(sector_bytes),
        volatile_cache_(volatile_cache), writers_(static_cast<size_t>(sectors)) {}

  /// A write or discard is about to be submitted.
  void add(const Request& request);

  /// The read has succeeded with these bytes: each sector is one that it may have seen.
  void check_read(const Request& read, const uint8_t* bytes) const;
  /// Nothing is under way any more, and the disk holds `image`, where it is readable.
  void check_settled(std::span<const uint8_t> image, const std::vector<bool>& readable) const;
  /// The power was cut when the turn was `cut`: what is durable is there, or something later.
  void check_cut(std::span<const uint8_t> image, const std::vector<bool>& readable, Turn cut) const;

 private:
  using Writers = std::vector<const Request*>;

  bool visible(const Request* write, const Request& read, const Writers& writers) const;
  void check_sector(const Request& read, uint64_t sector, Stamp found, const char* who) const;
  bool durable(const Request& write, Turn cut) const;
  void check_cut_sector(uint64_t sector, Stamp found, Turn cut) const;

  const Requests& requests_;
  const uint64_t first_;
  const uint64_t sectors_;
  const uint32_t sector_bytes_;
  const bool volatile_cache_;
  std::vector<Writers> writers_; ///< of each sector, in the order in which they were submitted
};

} // namespace kiln::block
