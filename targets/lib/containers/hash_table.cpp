// A hash table of up to forty entries, against std::unordered_multimap; its memory fails when the
// fault lane says so, and its hash may be one that crowds everything together. How many chains
// there are follows from the number of entries and from the refusals of memory alone.

#include "kernel-src/lib/hash_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/lib/containers/programs.h"

namespace kiln::targets {
namespace {

const sim::Probe kGrown{kContainers, "a hash table has grown by itself"};
const sim::Probe kNoMemory{kContainers, "a hash table finds no memory to grow"};
const sim::Probe kReserved{kContainers, "a hash table has made room beforehand"};
const sim::Probe kRefused{kContainers, "a hash table refuses an equal key"};
const sim::Probe kBroken{kContainers, "a hash table is broken"};
const sim::Probe kCrowded{kContainers, "a hash table has more than sixteen entries in two chains"};

struct Entry {
  uint32_t key = 0;
  clay::HashLink link;
};

/// As a table's user may choose it: well, or badly.
struct ChosenHash {
  bool crowded = false;
  uint64_t operator()(uint32_t key) const { return crowded ? key & 1 : clay::hash_number(key); }
};

class HashProgram {
 public:
  explicit HashProgram(sim::Run& run)
      : data_(run.tape.data()), fault_(run.tape.fault()), machine_(run.machine),
        crowded_(data_.below(4) == 3), table_({.crowded = crowded_}) {}
  ~HashProgram() {
    table_.for_each([this](Entry& entry) { table_.remove(entry); });
    KILN_CHECK(table_.empty(), "a hash table emptied one by one keeps %zu entries", table_.size());
  }

  void step();
  void check();
  void check_fault();

 private:
  static constexpr unsigned kEntries = 40;
  static constexpr uint32_t kKeys = 32;
  using Table = clay::HashTable<Entry, &Entry::link, &Entry::key, clay::AtomicHeap, ChosenHash>;
  using Model = std::unordered_multimap<uint32_t, Entry*>;

  void insert(Entry& entry, bool unique);
  void expect_growth(bool no_memory);
  void forget(Entry& entry);
  void find();
  void reserve();
  void reserve_too_much();
  void filter();
  uint32_t draw_key() { return static_cast<uint32_t>(data_.below(kKeys)) * 0x1001; }

  sim::Tape::View data_;
  sim::Tape::View fault_;
  sim::Machine& machine_;
  bool crowded_;
  Entry entries_[kEntries];
  Table table_;
  size_t chains_ = table_.chains();
  size_t enough_until_ = chains_; ///< entries for which the table asks for no more chains
  Model model_;
};

void HashProgram::insert(Entry& entry, bool unique) {
  entry.key = draw_key();
  const bool present = model_.contains(entry.key);
  const bool no_memory = fault_.chance(1, 4);
  if (no_memory) {
    machine_.fail_allocation(0);
  }
  const bool taken = !unique || table_.insert_unique(entry).ok();
  if (!unique) {
    table_.insert(entry);
  }
  machine_.fail_allocation(UINT64_MAX);
  KILN_CHECK(taken == !(unique && present), "a hash table %s key %u", taken ? "takes" : "refuses",
             entry.key);
  if (taken) {
    expect_growth(no_memory);
    model_.insert({entry.key, &entry});
  } else {
    kRefused.hit();
  }
}

/// An entry is about to go in.
void HashProgram::expect_growth(bool no_memory) {
  if (model_.size() < enough_until_) {
    return;
  }
  if (no_memory) {
    kNoMemory.hit();
    enough_until_ *= 2;
  } else {
    kGrown.hit();
    chains_ *= 2;
    enough_until_ = chains_;
  }
}

void HashProgram::forget(Entry& entry) {
  auto [first, last] = model_.equal_range(entry.key);
  while (first != last && first->second != &entry) {
    ++first;
  }
  KILN_CHECK(first != last, "a hash table holds an entry that was taken out");
  model_.erase(first);
}

void HashProgram::find() {
  const uint32_t key = draw_key();
  const Entry* const found = table_.find(key);
  KILN_CHECK((found != nullptr) == model_.contains(key), "a hash table is wrong about key %u", key);
  KILN_CHECK(found == nullptr || found->key == key, "find(%u) gave another key", key);
}

void HashProgram::reserve() {
  const size_t wanted = static_cast<size_t>(data_.below(80));
  const bool no_memory = fault_.chance(1, 4);
  if (no_memory) {
    machine_.fail_allocation(0);
  }
  const bool done = table_.reserve(wanted).ok();
  machine_.fail_allocation(UINT64_MAX);
  const bool needed = wanted > chains_;
  KILN_CHECK(done == !(needed && no_memory), "reserve(%zu) with %zu chains %s", wanted, chains_,
             done ? "succeeds" : "fails");
  if (done && needed) {
    kReserved.hit();
    chains_ = enough_until_ = std::bit_ceil(wanted);
  }
}

/// So many that their number, or that of the bytes for them, wraps.
void HashProgram::reserve_too_much() {
  const size_t wanted = SIZE_MAX >> data_.below(3);
  KILN_CHECK(!table_.reserve(wanted).ok(), "reserve(%zu) succeeds", wanted);
}

/// Takes some out in the middle of a walk.
void HashProgram::filter() {
  const uint32_t mask = static_cast<uint32_t>(data_.pick({1, 3, 0}));
  size_t visited = 0;
  const size_t before = table_.size();
  table_.for_each([&](Entry& entry) {
    ++visited;
    if ((entry.key >> 12 & mask) != 0) {
      forget(entry);
      table_.remove(entry);
    }
  });
  KILN_CHECK(visited == before, "a walk over %zu entries came by %zu", before, visited);
}

void HashProgram::step() {
  const uint64_t kind = data_.below(16);
  Entry& entry = entries_[data_.below(kEntries)];
  if (kind == 15) {
    filter();
  } else if (kind == 14) {
    data_.below(8) == 7 ? reserve_too_much() : reserve();
  } else if (kind >= 12) {
    find();
  } else if (entry.link.is_linked()) {
    if (kind < 4) {
      return; // let it fill
    }
    forget(entry);
    table_.remove(entry);
  } else {
    insert(entry, kind >= 8);
  }
}

void HashProgram::check() {
  const char* const fault = table_.fault();
  KILN_CHECK(fault == nullptr, "a hash table is broken: %s", fault);
  KILN_CHECK(table_.size() == model_.size() && table_.empty() == model_.empty(),
             "a hash table has %zu entries, its model %zu", table_.size(), model_.size());
  KILN_CHECK(table_.chains() == chains_, "a hash table of %zu entries has %zu chains, not %zu",
             table_.size(), table_.chains(), chains_);
  for (const auto& [key, entry] : model_) {
    const Entry* const found = table_.find(key);
    KILN_CHECK(found != nullptr && found->key == key, "key %u cannot be found", key);
    KILN_CHECK(entry->link.is_linked(), "an entry does not know that it is in a table");
  }
  if (crowded_ && table_.size() > 16) kCrowded.hit();
}

/// What fault() is for: a key that changes under the table's feet, and a link that is none.
void HashProgram::check_fault() {
  Entry& entry = entries_[data_.below(kEntries)];
  if (!entry.link.is_linked()) {
    return;
  }
  const uint32_t key = entry.key;
  entry.key ^= 1; // another hash, good or bad
  KILN_CHECK(table_.fault() != nullptr, "an entry in the chain of another key is not noticed");
  entry.key = key;

  const clay::HashLink none;
  uint8_t saved[sizeof none];
  memcpy(saved, &entry.link, sizeof none);
  memcpy(static_cast<void*>(&entry.link), &none, sizeof none);
  KILN_CHECK(table_.fault() != nullptr, "a link that is overwritten is not noticed");
  memcpy(static_cast<void*>(&entry.link), saved, sizeof none);
  kBroken.hit();
}

} // namespace

void run_hash_table(sim::Run& run) {
  HashProgram program(run);
  for (unsigned step = 0; step < kMostSteps && !run.tape.data().at_end(); ++step) {
    sim::Span span(run.tape, "step");
    program.step();
    program.check();
  }
  program.check_fault();
}

} // namespace kiln::targets
