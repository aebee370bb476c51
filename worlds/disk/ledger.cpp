#include "worlds/disk/ledger.h"

#include <algorithm>

namespace kiln::worlds {
namespace {

template <typename Entries> auto place_of(Entries& entries, uint64_t sector) {
  return std::lower_bound(
      entries.begin(), entries.end(), sector,
      [](const Ledger::Entry& entry, uint64_t want) { return entry.sector < want; });
}

} // namespace

const Ledger::Entry* Ledger::find(uint64_t sector) const {
  const auto place = place_of(entries_, sector);
  return place == entries_.end() || place->sector != sector ? nullptr : &*place;
}

bool Ledger::broken_in(uint64_t sector, uint64_t sectors) const {
  const auto place = place_of(entries_, sector);
  return place != entries_.end() && place->sector - sector < sectors;
}

FaultKind Ledger::how(uint64_t sector) const {
  const Entry* entry = find(sector);
  return entry == nullptr ? FaultKind::kNone : entry->how;
}

void Ledger::enter(const Entry& entry) {
  const auto place = place_of(entries_, entry.sector);
  if (place == entries_.end() || place->sector != entry.sector) {
    entries_.insert(place, entry);
  } else if (place->write <= entry.write) {
    *place = entry;
  }
}

void Ledger::strike(uint64_t sector, uint64_t write) {
  const auto place = place_of(entries_, sector);
  if (place != entries_.end() && place->sector == sector && place->write < write) {
    entries_.erase(place);
  }
}

} // namespace kiln::worlds
