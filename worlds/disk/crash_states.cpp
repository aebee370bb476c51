#include "worlds/disk/crash_states.h"

#include <cstring>

#include "worlds/disk/disk.h"
#include "worlds/disk/landing.h"

namespace kiln::worlds {
namespace {

uint64_t product(uint64_t a, uint64_t b) {
  uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

} // namespace

CrashStates::CrashStates(const Disk& disk, TornSectors torn)
    : medium_(disk.medium()), pending_(disk.at_stake()), torn_(torn) {
  options_.reserve(2 * pending_.versions().size());
  for (const PendingWrites::Version& version : pending_.versions()) {
    if (pending_.newest(version.sector) == &version) consider(version);
  }
}

// Newest first, the medium's own last; what holds the same as one before it is none.
void CrashStates::consider(const PendingWrites::Version& newest) {
  const uint32_t size = medium_.sector_bytes();
  const size_t first = options_.size();
  const bool readable = medium_.readable(newest.sector);
  const uint8_t* now = medium_.at(newest.sector);
  const auto differs = [&](const uint8_t* bytes) {
    if (readable && std::memcmp(bytes, now, size) == 0) return false;
    for (size_t i = first; i < options_.size(); ++i) {
      if (std::memcmp(bytes, options_[i].version->bytes, size) == 0) return false;
    }
    return true;
  };
  for (const auto* version = &newest; version != nullptr; version = pending_.older(*version)) {
    if (differs(version->bytes)) options_.push_back({version, false, 0});
  }
  if (options_.size() == first) return;
  if (torn_ == TornSectors::kUnreadable ? readable : torn_ == TornSectors::kGarbage) {
    options_.push_back({options_[first].version, true, 0});
  }
  options_.push_back({nullptr, false, 0});
  choices_.push_back({newest.sector, first, options_.size() - first});
  count_ = product(count_, options_.size() - first);
}

const uint8_t* CrashStates::bytes(size_t i, size_t option) const {
  const Option& it = options_[choices_[i].first + option];
  if (it.torn) return nullptr;
  return it.version == nullptr ? medium_.at(choices_[i].sector) : it.version->bytes;
}

const char* CrashStates::tag(size_t i, size_t option) const {
  const Option& it = options_[choices_[i].first + option];
  return it.version == nullptr ? nullptr : it.version->tag;
}

template <typename F> void CrashStates::walk(uint64_t k, F&& visit) const {
  for (const Choice& choice : choices_) {
    visit(choice.sector, options_[choice.first + k % choice.options]);
    k /= choice.options;
  }
}

uint64_t CrashStates::change_of(uint64_t sector, const Option& option) const {
  if (option.version == nullptr) return 0;
  Medium changed = medium_;
  if (option.torn) {
    tear(changed, *option.version, torn_);
    return changed.hash() ^ medium_.hash();
  }
  return medium_.hash_at(sector) ^
         Medium::hash_of(sector, option.version->bytes, medium_.sector_bytes());
}

uint64_t CrashStates::hash(uint64_t k) const {
  if (!hashed_) {
    for (const Choice& choice : choices_) {
      for (size_t i = 0; i < choice.options; ++i) {
        Option& option = options_[choice.first + i];
        option.hash = change_of(choice.sector, option);
      }
    }
    hashed_ = true;
  }
  uint64_t hash = medium_.hash();
  walk(k, [&hash](uint64_t, const Option& option) { hash ^= option.hash; });
  return hash;
}

Medium CrashStates::state(uint64_t k) const {
  Medium out = medium_;
  walk(k, [&](uint64_t sector, const Option& option) {
    if (option.version == nullptr) return;
    if (option.torn) {
      tear(out, *option.version, torn_);
    } else {
      out.land(sector, option.version->bytes);
    }
  });
  return out;
}

Medium CrashStates::draw(sim::Tape::View tape) const {
  Medium out = medium_;
  TapeDice dice(tape);
  land_by_chance(out, pending_, torn_, 1, dice);
  return out;
}

} // namespace kiln::worlds
