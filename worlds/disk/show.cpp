#include "worlds/disk/show.h"

#include <string>

namespace kiln::worlds {
namespace {

std::string pending_text(const PendingWrites& pending) {
  std::string out;
  for (const PendingWrites::Version& version : pending.versions()) {
    out += "sector " + std::to_string(version.sector) + ", write " + std::to_string(version.write);
    if (version.tag != nullptr) out += std::string(" (") + version.tag + ")";
    if (!version.answered) out += ", under way";
    if (version.promised != FaultKind::kNone) out += ", said to be durable";
    out += "\n";
  }
  return out;
}

std::string ledger_text(const Ledger& ledger) {
  std::string out;
  for (const Ledger::Entry& entry : ledger.entries()) {
    out += "sector " + std::to_string(entry.sector) + ": " + name_of(entry.how) + "\n";
  }
  if (ledger.lied_to_reader()) out += "a read was answered with what is not there\n";
  return out;
}

std::string shape_text(const DiskShape& shape) {
  std::string out = std::to_string(shape.sectors) + " sectors of " +
                    std::to_string(shape.sector_bytes) + " bytes, " +
                    std::to_string(shape.most_sectors) + " in a command";
  if (!shape.volatile_cache) out += ", no cache";
  if (!shape.has_durable_write) out += ", no FUA";
  if (shape.read_only) out += ", read-only";
  return out + "\n";
}

} // namespace

void show_disk(const Disk& disk, sim::Exhibitor& to, const char* name, const char* ending) {
  const std::string title(name);
  to.text(title + ": what it was asked for", shape_text(disk.shape()) + disk.log().text());
  to.text(title + ": pending writes", pending_text(disk.at_stake()));
  to.text(title + ": promises that it has broken", ledger_text(disk.ledger()));
  const DiskShape& shape = disk.shape();
  if (shape.sectors <= sim::kLargestExhibitedFile / shape.sector_bytes) {
    to.file(ending, disk.image());
  }
}

} // namespace kiln::worlds
