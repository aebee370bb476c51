#include "kernel-src/block/mbr_chain.h"

#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

using Oddity = PartitionOddity;

constexpr uint32_t kFirstLogical = 5;

} // namespace

Result<> MbrChain::read(const MbrRecord& extended) {
  extended_ = extended;
  MbrSector sector;
  for (uint64_t link = extended.first; link != 0;) {
    if (!may_follow(link) || !CLAY_TRY(load(link, sector))) {
      break;
    }
    link = take(link, sector);
  }
  // Only now all links are known, which no partition may cover.
  for (const Logical& logical : logical_.all()) {
    add(logical);
  }
  return {};
}

bool MbrChain::may_follow(uint64_t link) {
  for (const uint64_t earlier : links_.all()) {
    if (earlier == link) {
      table_.note(Oddity::kChainLoop);
      return false;
    }
  }
  if (!links_.add(link)) {
    table_.note(Oddity::kChainLong);
    return false;
  }
  return true;
}

Result<bool> MbrChain::load(uint64_t link, MbrSector& sector) {
  if (!CLAY_TRY(sectors_.load(link))) {
    table_.note(Oddity::kChainUnreadable);
    return false;
  }
  const bool signature = sector.parse(sectors_.bytes());
  table_.note_unless(signature, Oddity::kChainSignature);
  return signature;
}

uint64_t MbrChain::take(uint64_t link, const MbrSector& sector) {
  const MbrRecord* partition = nullptr;
  const MbrRecord* next = nullptr;
  for (const MbrRecord& record : sector.records) {
    table_.note_unused(record.type != 0, record.sectors != 0);
    if (!record.is_used()) {
      continue;
    }
    const MbrRecord*& place = record.is_extended() ? next : partition;
    table_.note_unless(place == nullptr, Oddity::kLinkExtra);
    place = place == nullptr ? &record : place;
  }
  if (partition != nullptr) {
    const auto number = kFirstLogical + truncate_to<uint32_t>(logical_.size());
    const bool room = logical_.add({number, *partition, link}); // as many as there are links
    CLAY_ASSERT(room);
  }
  return next == nullptr ? 0 : follow(*next);
}

uint64_t MbrChain::follow(const MbrRecord& record) {
  if (record.first >= extended_.sectors) {
    table_.note(Oddity::kLinkOutside);
    return 0;
  }
  table_.note_unless(record.end() <= extended_.sectors, Oddity::kLinkLength);
  return uint64_t{extended_.first} + record.first;
}

void MbrChain::add(const Logical& logical) {
  const uint64_t first = logical.first();
  const uint64_t end = first + logical.record.sectors;
  if (end > extended_.end()) {
    return table_.note(Oddity::kLogicalOutside);
  }
  for (const uint64_t link : links_.all()) {
    if (link >= first && link < end) {
      return table_.note(Oddity::kOnTable);
    }
  }
  Partition partition;
  partition.number = logical.number;
  partition.first = first;
  partition.sectors = logical.record.sectors;
  partition.type = logical.record.type;
  partition.active = logical.record.boot == 0x80;
  static_cast<void>(table_.add(partition));
}

} // namespace clay
