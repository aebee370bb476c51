#pragma once
// A disk with a volatile cache, faults and a power switch. Knows no kernel: it takes commands on
// sectors and answers them. A target's port (targets/block/disk_port.h) gives it to a kernel's
// driver and says when an answer comes.
//
// The disk is two things: what is on the medium (medium.h), and the writes that were answered but
// are only in its cache (pending.h). Reading sees both. A flush puts the cache on the medium; a cut
// of the power takes any subset of what is in the cache, sector by sector, as the tape or an
// enumeration says (crash_states.h), and drops the rest.
//
//   worlds::Disk disk({.sectors = 128});
//   disk.perform({DiskOp::kWrite, 3, 1}, bytes);
//   disk.cut(run.tape.fault());          // the power goes ...
//   disk.power_on();                     // ... and comes back: sector 3 is old or new
//
// It does wrong what a policy says (faults.h), keeps a ledger of the promises that it has broken on
// purpose (ledger.h), so that oracles relax for those sectors alone, and a log of all commands with
// who asked for them (log.h).
//
// Everything lies in the model heap: it goes with the input.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/tape.h"
#include "worlds/disk/command.h"
#include "worlds/disk/crash_states.h"
#include "worlds/disk/faults.h"
#include "worlds/disk/ledger.h"
#include "worlds/disk/log.h"
#include "worlds/disk/medium.h"
#include "worlds/disk/pending.h"

namespace kiln::worlds {

class Disk {
 public:
  /// All zeros.
  explicit Disk(const DiskShape& shape);
  /// A disk with these contents, its cache empty: what a cut has left.
  Disk(const DiskShape& shape, Medium contents);

  /// As cheap as its table of pages and its cache: state for state the same, with the ledger and
  /// without the log. Whoever watched the original does not watch the copy; its faults are those of
  /// the original's policy, unless it gets another.
  Disk fork() const;
  Disk(Disk&&) noexcept = default;
  Disk& operator=(Disk&&) noexcept = default;

  const DiskShape& shape() const { return shape_; }

  // --- Commands. The data of a read or write is `data`: sectors * sector_bytes.

  /// Does the command at once, faults included. Faults of time (kNever, kLate, kTwice) are none
  /// here.
  DiskAnswer perform(const DiskCommand& command, std::span<uint8_t> data);
  /// Sectors that the last command to be answered says it moved; not of a flush.
  uint64_t moved() const { return moved_; }

  // --- Commands that take their time. Any number may be under way, and they end in any order. A
  // flush concerns the writes that were answered before it began.

  using CommandId = uint32_t;
  /// `data` stays where it is until the command has ended.
  CommandId begin(const DiskCommand& command, std::span<uint8_t> data);
  /// What is to become of it: the port sees to kNever, kTwice, kLate.
  FaultKind fate(CommandId id) const;
  /// Does it and forgets it.
  DiskAnswer finish(CommandId id);
  /// Forgets it. Of a write any of its sectors may be done already, as `tape` says; zeros: none.
  void abandon(CommandId id, sim::Tape::View tape);
  size_t under_way() const { return under_way_.size(); }

  // --- Power

  bool powered() const { return powered_; }
  /// The power goes now. What is pending, and under way, is found later as the tape says; zeros:
  /// all of it.
  void cut(sim::Tape::View tape, TornSectors torn = TornSectors::kAtomic);
  /// The same with a state that the caller has chosen.
  void cut(Medium found);
  /// The power goes by itself when `sectors` more have been written (inside a command, then) or,
  /// with 0, at the next command. Reads count nothing; a flush counts as one. What is found is
  /// drawn from the lane then.
  void cut_after(uint64_t sectors, sim::Tape& tape, sim::Lane lane = sim::Lane::kFault,
                 TornSectors torn = TornSectors::kAtomic);
  void cut_never() { fuse_.reset(); }
  /// With an empty cache, as another shape if it has one. What has lost its size keeps its bytes.
  void power_on();
  void power_on(const DiskShape& shape);

  // --- Removal: commands under way and further ones are answered kGone. What is in the cache is
  // lost as in a cut.

  void remove(sim::Tape::View tape);
  void insert();
  bool present() const { return present_; }

  // --- Faults and books

  /// Null: none. It outlives the disk.
  void set_faults(DiskFaults* faults) { faults_ = faults; }
  const Ledger& ledger() const { return ledger_; }
  DiskLog& log() { return log_; }
  const DiskLog& log() const { return log_; }
  /// Who causes the commands from here on: a static text, for the log and the pending writes.
  void set_tag(const char* tag) { tag_ = tag; }
  const char* tag() const { return tag_; }

  // --- What a judge may look at

  /// What a read would see, without faults; sectors * sector_bytes. The bytes of sectors that
  /// cannot be read are whatever lies there.
  void peek(uint64_t sector, std::span<uint8_t> out) const;
  /// All of a small disk, as a read would see it.
  std::vector<uint8_t> image() const;
  /// The medium alone: what is there for certain after a cut.
  const Medium& medium() const { return medium_; }
  const PendingWrites& pending() const { return pending_; }
  /// What is pending and what is under way: all that a cut has to choose from.
  PendingWrites at_stake() const;
  /// Puts bytes on the medium: images that the target begins with.
  void preload(uint64_t sector, std::span<const uint8_t> bytes);
  /// The same without a copy (Medium::lend).
  void lend(std::span<const uint8_t> bytes) { medium_.lend(bytes); }

  /// Calls watch(disk, arg) before anything becomes durable, with what is being written under way:
  /// CrashStates of that moment are all that a cut since the last call can have left. Null: nobody.
  /// It must not give the disk commands.
  void watch(void (*watch)(const Disk& disk, void* arg), void* arg);

  /// Commands that were answered so far.
  uint64_t commands() const { return commands_; }
  uint64_t flushes() const { return epoch_; }

 private:
  struct UnderWay {
    CommandId id;
    DiskCommand command;
    uint8_t* data;
    const char* tag;
    uint64_t covers; ///< of a flush: writes up to this number
    Fate fate;
  };
  struct Fuse {
    uint64_t sectors;
    sim::Tape* tape;
    sim::Lane lane;
    TornSectors torn;
  };

  DiskShape shape_;
  Medium medium_;
  PendingWrites pending_;
  std::vector<UnderWay> under_way_;
  Ledger ledger_;
  DiskLog log_;
  DiskFaults* faults_ = nullptr;
  std::optional<Fuse> fuse_;
  void (*watch_)(const Disk&, void*) = nullptr;
  void* watch_arg_ = nullptr;
  const char* tag_ = nullptr;
  uint64_t writes_ = 0; ///< numbers given to writes
  uint64_t epoch_ = 0;
  uint64_t commands_ = 0;
  uint64_t moved_ = 0;
  CommandId next_id_ = 1;
  bool powered_ = true;
  bool present_ = true;
};

} // namespace kiln::worlds
