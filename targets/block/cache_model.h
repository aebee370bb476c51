#pragma once
// What a block cache owes: for every block all that it ever held, which of it is on the disk, and
// what may be written when.
//
// Contents are told apart by a word that fills the whole block: its number and a serial number, or
// zeros for a fresh one. So whatever comes to the disk names its version, and half of one edit is
// seen.
//
// The model hears of calls into the cache before they begin and after they have returned, and of
// commands to the disk when they are submitted and answered. Who calls is told apart by the task,
// so that a command has a call that caused it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel-src/block/cache.h"
#include "kernel-src/hal/task.h"
#include "sim/machine.h"
#include "targets/block/cache_places.h"
#include "worlds/disk/disk.h"

namespace kiln::block_cache {

inline constexpr uint64_t kNever = UINT64_MAX;
inline constexpr unsigned kMostTasks = 5; ///< the first one included

/// The word that fills the block, or kNever when it is torn.
uint64_t word_of(std::span<const uint8_t> bytes);
void fill(std::span<uint8_t> bytes, uint64_t word);

/// What a block held from some moment on.
struct Version {
  uint64_t word;
  unsigned stage;
  uint64_t ended = kNever;  ///< when the edit was over: the cache owes it from here on
  uint64_t formed = kNever; ///< it was picked for its first write after this moment
};

struct ModelBlock {
  std::vector<Version> versions; ///< [0]: what is on the disk in the beginning
  size_t durable = 0;            ///< a flush that covers its write was answered
  size_t written = 0;            ///< its write was answered, and no flush has failed since
  size_t covered = 0;            ///< by the flush under way
  size_t under_way = 0;          ///< being written; 0: none
  size_t promised = 0;           ///< a sync has said that it is durable
  size_t dropped = 0;            ///< versions below are forgotten
  uint64_t picked = 0;           ///< when its last write was submitted
  uint64_t read_failed = 0;      ///< when a read of it last failed
  uint64_t write_failed = 0;     ///< when a write last failed: any sector may be anything
  uint64_t write_done = 0;
  bool damaged = false;   ///< it may hold anything on the disk
  bool unknown = false;   ///< it was forgotten: its contents are anybody's guess
  bool exclusive = false; ///< it is being made fresh, or forgotten
  bool open = false;      ///< an edit changes it
  bool reading = false;   ///< from the disk
  unsigned readers = 0;   ///< calls under way that have read it
  unsigned editors = 0;   ///< tasks that edit it or wait to

  const Version& latest() const { return versions.back(); }
  size_t last() const { return versions.size() - 1; }
  bool dirty() const { return durable < last(); }
};

enum class CallKind : uint8_t { kNone, kRead, kEdit, kFresh, kForget, kSync };

/// A call into the cache, by one task at a time.
struct Call {
  CallKind kind = CallKind::kNone;
  uint64_t began = 0;
  unsigned most_stage = clay::kBlockStages; ///< what it may write
  unsigned reads = 0;                       ///< commands that it caused
  unsigned writes = 0;
  unsigned flushes = 0;
};

class Model {
 public:
  Model(sim::Machine& machine, Places& places, size_t blocks, uint32_t block_bytes,
        uint32_t block_sectors);

  size_t size() const { return blocks_.size(); }
  ModelBlock& operator[](uint64_t number) { return blocks_[static_cast<size_t>(number)]; }
  const ModelBlock& operator[](uint64_t number) const {
    return blocks_[static_cast<size_t>(number)];
  }
  uint64_t now() const { return now_; }
  size_t dirty() const;
  uint64_t new_word(uint64_t number) { return ((number + 1) << 40) | ++serial_; }
  static uint64_t first_word(uint64_t number) { return (number + 1) << 40; }

  // --- Calls

  void add_task(HalTask* task);
  Call& begin(CallKind kind, unsigned most_stage = clay::kBlockStages);
  void end(Call& call) { call.kind = CallKind::kNone; }
  Call& current();

  /// A version that may be written from now on; owed after own().
  void offer(uint64_t number, uint64_t word, unsigned stage);
  void own(uint64_t number);
  void retract(uint64_t number);
  void forgotten(uint64_t number);
  /// What must be durable when a sync that begins now has succeeded; by block, 0: nothing.
  std::vector<size_t> owed(unsigned last) const;
  void check_synced(const std::vector<size_t>& owed);
  /// An error of the device that a call has returned.
  void check_write_error(const Call& call, const char* what) const;

  // --- Commands

  void submitted(const clay::BlockIo& io);
  void answered(const clay::BlockIo& io, bool ok);
  bool any_failure() const { return failed_ != 0 || read_failed_; }
  unsigned writing() const { return writing_; } ///< commands under way
  unsigned syncs() const;                       ///< calls under way

  // --- What is on the disk

  /// After a loss of power.
  void check_medium(const worlds::Disk& disk) const;
  /// With everything durable.
  void check_whole(const worlds::Disk& disk) const;

 private:
  struct Task {
    HalTask* task;
    Call call;
  };

  uint64_t block_of(const clay::BlockIo& io) const;
  void check_write(uint64_t number, size_t version, uint64_t formed) const;
  void check_stages(unsigned stage, uint64_t formed) const;
  void flush_answered(bool ok);
  size_t version_with(const ModelBlock& block, uint64_t word, bool written) const;
  bool spoilt(const worlds::Disk& disk, uint64_t number) const;
  void check_order_on(const std::vector<size_t>& oldest, uint64_t number, size_t newest) const;

  sim::Machine& machine_;
  Places& places_;
  std::vector<ModelBlock> blocks_;
  std::vector<Task> tasks_;
  Call stranger_;
  uint32_t block_bytes_;
  uint32_t block_sectors_;
  uint64_t now_ = 1;
  uint64_t serial_ = 0;
  uint64_t flushed_ = 0; ///< when the last flush was answered
  uint64_t failed_ = 0;  ///< when a write or a flush last failed
  bool read_failed_ = false;
  unsigned writing_ = 0;
  bool flushing_ = false;
};

} // namespace kiln::block_cache
