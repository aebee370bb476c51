#pragma once
// For block/cache: a cache over a hostile disk, tasks that use it, and the model that judges both.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernel-src/block/cache.h"
#include "kernel-src/block/write_back.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/block/cache_disk.h"
#include "targets/block/cache_model.h"
#include "targets/block/cache_places.h"
#include "targets/mm/memory.h"
#include "targets/sync/support.h"
#include "worlds/disk/disk.h"

namespace kiln::block_cache {

enum class Act : uint8_t {
  kRead,
  kDrop,
  kEdit,
  kOpen,
  kClose,
  kFresh,
  kForget,
  kSync,
  kLook,
  kBreathe,
  kMany,
  kOpenDirty,
};

struct Step {
  Act act;
  uint8_t slot;
  uint8_t number;
  uint8_t stage;
};

Step draw_step(sim::Tape& tape);

/// What a task holds.
struct Hands {
  static constexpr size_t kRefs = 9;
  static constexpr size_t kEdits = 2;
  struct Edit {
    clay::BlockEdit edit;
    uint64_t number;
    unsigned stage;
    uint64_t word; ///< that it puts there
  };
  clay::BlockRef refs[kRefs];
  std::optional<Edit> edits[kEdits];
};

/// What there is in this run.
struct Features {
  bool together;   ///< several tasks; one that is alone knows which blocks are in the cache
  bool slow;       ///< the disk answers by interrupts
  bool faults;     ///< commands fail
  bool cut;        ///< the power goes
  bool write_back; ///< the cache is written back by itself
  bool no_memory;  ///< an allocation fails
};

class World {
 public:
  World(sim::Run& run, const Features& features);
  ~World();

  void start_task() { model_.add_task(hal_task_current()); }
  void do_step(Hands& hands, const Step& step);
  /// Gives back all that the task holds.
  void let_go(Hands& hands);
  /// All tasks have ended.
  void finish();

 private:
  struct Shape {
    worlds::DiskShape disk;
    uint32_t block_bytes;
    uint32_t capacity;
    uint64_t blocks;
    uint64_t hot; ///< the first of them, that are edited
  };
  /// What a call began with.
  struct Before {
    mm::Operation operation;
    uint64_t allocations;
    bool exact;
  };
  static Shape draw_shape(sim::Run& run);
  void fill_disk(sim::Run& run);
  void draw_faults(sim::Run& run, const Features& features);

  clay::BlockRef read(uint64_t number);
  void edit(Hands& hands, const clay::BlockRef& ref, unsigned stage, bool leave_open);
  void begin_change(Hands& hands, const clay::BlockRef& ref, clay::BlockEdit edit, unsigned stage,
                    bool leave_open);
  void end_edit(std::optional<Hands::Edit>& edit);
  clay::BlockRef fresh(const Hands& hands, uint64_t number, unsigned stage);
  void forget(uint64_t number);
  void sync(unsigned last);
  void look(const clay::BlockRef& ref) const;
  void put(Hands& hands, unsigned slot, clay::BlockRef ref);
  void drop(clay::BlockRef& ref);

  bool exact() const;
  bool may_edit(const Hands& hands, uint64_t number) const;
  void check_places(const Call& call, uint64_t number, bool was_here, bool refused);
  void check_refused_read(const Before& before, const Call& call, uint64_t number, bool together,
                          clay::Error error);
  void check_refused_edit(const Before& before, const Call& call, clay::Error error);
  void check_sync(const Before& before, const Call& call, const std::vector<size_t>& owed,
                  bool succeeded);
  void check_books() const;
  void check_refusals();
  void start_write_back();
  void stop_write_back();
  uint64_t wild(uint8_t number) const { return number % (shape_.blocks + 2); }
  uint64_t tame(uint8_t number) const { return number % shape_.hot; }

  mm::Failure failure_;
  mm::Traffic traffic_;
  const bool alone_;
  const Shape shape_;
  std::vector<uint8_t> image_;
  worlds::DiskFaults faults_;
  worlds::Disk disk_;
  Places places_;
  Model model_;
  sim::Tape& tape_;
  std::optional<CacheDisk> device_;
  clay::Box<clay::BlockCache> cache_;
  clay::WorkQueue queue_{"cache-work"};
  std::optional<clay::WriteBack> write_back_;
};

} // namespace kiln::block_cache
