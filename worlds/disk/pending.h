#pragma once
// Writes that a disk has answered, or is just carrying out, and that are not on its medium: its
// volatile cache, kept by sector and version.
//
// Every sector of every write is a version. Of a sector with several, the newest is what a read
// sees; at a cut of the power any of them, or what is on the medium, may be what is found.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "worlds/disk/faults.h"
#include "worlds/disk/medium.h"

namespace kiln::worlds {

class PendingWrites {
 public:
  struct Version {
    uint64_t sector;
    const uint8_t* bytes; ///< one sector
    uint64_t write;       ///< the write's number, counted up by the disk: its place in time
    const char* tag;      ///< who wrote it (Disk::set_tag), or null
    uint32_t epoch;       ///< flushes that had completed when it was answered
    uint32_t older;       ///< the sector's next older version, or kNone
    bool answered;        ///< false: on its way when the power went
    FaultKind promised;   ///< kLyingFlush, kLyingDurable: the disk has said that it is durable
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit PendingWrites(uint32_t sector_bytes);
  PendingWrites(const PendingWrites& other);
  PendingWrites(PendingWrites&& other) noexcept;
  PendingWrites& operator=(const PendingWrites& other);
  PendingWrites& operator=(PendingWrites&& other) noexcept;
  ~PendingWrites();

  bool empty() const { return versions_.empty(); }
  /// Oldest first.
  std::span<const Version> versions() const { return versions_; }
  /// The newest version of a sector, or null.
  const Version* newest(uint64_t sector) const;
  const Version* older(const Version& version) const;

  /// What is common to the versions of one write.
  struct Write {
    uint64_t number;
    uint32_t epoch;
    const char* tag;
    bool answered = true;
    FaultKind promised = FaultKind::kNone;
  };
  /// Keeps a copy of `bytes`: whole sectors.
  void add(uint64_t sector, std::span<const uint8_t> bytes, const Write& write);

  /// Puts the newest versions of writes up to number `last` on the medium and forgets those and all
  /// that are older. Calls landed(version) for each.
  template <typename F> void land(uint64_t last, Medium& medium, F&& landed);
  /// A sector has been put on the medium by other means: versions up to that write are history.
  void forget(uint64_t sector, uint64_t last);
  /// A flush that lies: says of all writes up to `last` that they are durable.
  void promise(uint64_t last);
  void clear();

 private:
  struct Bytes; ///< of one write, shared by copies

  const Version* newest_up_to(uint64_t sector, uint64_t last) const;
  void forget_up_to(uint64_t last);
  size_t slot_of(uint64_t sector) const; ///< in table_: the sector's, or a free one
  void index(uint32_t version);
  void rebuild();
  void release();

  uint32_t sector_bytes_;
  std::vector<Version> versions_;
  std::vector<Bytes*> bytes_;
  std::vector<uint32_t> table_; ///< open addressing by sector: newest version, or kNone
};

template <typename F> void PendingWrites::land(uint64_t last, Medium& medium, F&& landed) {
  if (versions_.empty()) return;
  for (const Version& version : versions_) {
    if (&version != newest_up_to(version.sector, last)) continue;
    medium.land(version.sector, version.bytes);
    landed(version);
  }
  forget_up_to(last);
}

} // namespace kiln::worlds
