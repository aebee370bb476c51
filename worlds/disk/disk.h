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
#include "worlds/disk/dice.h"
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

  /// Does the command at once, faults included; those of time (kNever, kLate, kTwice) are none
  /// here.
  DiskAnswer perform(const DiskCommand& command, std::span<uint8_t> data);
  /// Sectors that the last command to be answered says it moved; not of a flush.
  uint64_t moved() const { return moved_; }

  // --- Commands that take their time. Any number may be under way, and they end in any order. A
  // flush concerns the writes that were answered before it began. A write takes its bytes when it
  // ends, or when the power goes.

  using CommandId = uint32_t;
  /// `data` stays where it is until the command has ended.
  CommandId begin(const DiskCommand& command, std::span<uint8_t> data);
  /// What is to become of it: the port sees to kNever, kTwice, kLate.
  FaultKind fate(CommandId id) const;
  /// Does it and forgets it. kGone for one that was under way when the power went.
  DiskAnswer finish(CommandId id);
  /// Forgets it, undone.
  void abandon(CommandId id);
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

  /// Removal: a cut, after which commands are answered kGone until it is inserted again.
  void remove(sim::Tape::View tape);
  void insert();
  bool present() const { return present_; }

  // --- Faults and books

  /// Null: none. It outlives the disk.
  void set_faults(DiskFaults* faults) { faults_ = faults; }
  /// Something happens to the medium while nobody looks: kBitRot, kZeroed, kSwapped (with the next
  /// sector), kUnreadable. `detail` chooses the bit.
  void damage(FaultKind kind, uint64_t sector, uint32_t detail = 0);
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
  /// Flushes that kept their word.
  uint64_t flushes() const { return epoch_; }

 private:
  struct UnderWay {
    CommandId id;
    DiskCommand command;
    std::span<uint8_t> data;
    const char* tag;
    uint64_t covers; ///< by its flush: writes up to this number
    DiskAnswer refused = DiskAnswer::kOk;
    Fate fate = {};
  };
  struct Fuse {
    uint64_t sectors;
    sim::Tape* tape;
    sim::Lane lane;
    TornSectors torn;
  };

  DiskAnswer refusal(const DiskCommand& command) const;
  UnderWay* find(CommandId id);
  DiskAnswer answer(const UnderWay& work, DiskAnswer answer);

  // --- disk_commands.cpp: what commands do
  UnderWay accept(CommandId id, const DiskCommand& command, std::span<uint8_t> data);
  DiskAnswer carry_out(const UnderWay& work);
  bool fuse_blows(const UnderWay& work);
  DiskAnswer do_all(const UnderWay& work);
  DiskAnswer do_read(const UnderWay& work);
  void do_discard(const UnderWay& work, bool durable);
  void do_flush(const UnderWay& work, uint64_t last);
  void look(const UnderWay& work);
  /// Into the cache, or onto the medium if there is none or the write is to be durable.
  void store(uint64_t sector, std::span<const uint8_t> bytes, const UnderWay& work, bool durable,
             FaultKind promised = FaultKind::kNone);
  bool reads_at(uint64_t sector) const;

  // --- disk_faults.cpp: and what they do wrong
  DiskAnswer go_wrong(const UnderWay& work);
  DiskAnswer part_of(const UnderWay& work, uint64_t sectors, DiskAnswer answer);
  DiskAnswer torn_write(const UnderWay& work);
  DiskAnswer lying_write(const UnderWay& work);
  DiskAnswer lying_read(const UnderWay& work);
  uint64_t elsewhere(const DiskCommand& command, uint32_t detail) const;

  /// `inside`: the command in whose middle it is; null when between commands.
  void cut(Dice& dice, TornSectors torn, const DiskCommand* inside);
  /// The power is gone and the medium is what is found.
  void lose(std::span<const uint64_t> torn, const DiskCommand* inside);
  void note(DiskLog::Kind kind, uint64_t a = 0, uint64_t b = 0);

  DiskShape shape_;
  Medium medium_;
  std::optional<Medium> before_; ///< the medium before the last flush, for stale reads
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
  uint32_t epoch_ = 0;
  uint64_t commands_ = 0;
  uint64_t moved_ = 0;
  CommandId next_id_ = 1;
  bool powered_ = true;
  bool present_ = true;
};

} // namespace kiln::worlds
