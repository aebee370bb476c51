// DMAR (Intel Virtualization Technology for Directed I/O 4.1, chapter 8) and IVRS (AMD I/O
// Virtualization Technology Specification 3.06, section 5.2).

#include <algorithm>

#include "worlds/firmware/acpi_tables.h"

namespace kiln::worlds::acpi {
namespace {

/// All scopes of a table together are counted against the limit.
class Scopes {
 public:
  Scopes(Reading& out, const Limits& limits) : out_(out), limits_(limits) {}

  std::vector<Dmar::Scope> in(Table bytes) {
    std::vector<Dmar::Scope> scopes;
    for (const Entry& entry : cut(bytes, kByteHead, out_)) {
      if (!has_bytes(entry, 6, out_)) continue;
      const Table path = entry.bytes.subspan(6);
      if (path.empty() || path.size() % 2 != 0 || path.size() / 2 > limits_.scope_hops) {
        out_.fault(Fault::kPath);
      } else if (total_ == limits_.dmar_scopes) {
        out_.fault(Fault::kTooMany);
      } else {
        ++total_;
        scopes.push_back({entry.type, entry.bytes[4], entry.bytes[5], {path.begin(), path.end()}});
      }
    }
    return scopes;
  }

 private:
  Reading& out_;
  const Limits& limits_;
  size_t total_ = 0;
};

void read_unit(const Entry& entry, Dmar& dmar, Scopes& scopes, Reading& out, size_t most) {
  if (!has_bytes(entry, 16, out)) return;
  const uint64_t address = number(entry.bytes, 8, 8);
  if (address == 0) {
    out.fault(Fault::kNoAddress);
  } else if (dmar.units.size() == most) {
    out.fault(Fault::kTooMany);
  } else {
    dmar.units.push_back({address, number(entry.bytes, 6, 2), entry.bytes[4] % 2u, std::nullopt,
                          scopes.in(entry.bytes.subspan(16))});
  }
}

void read_region(const Entry& entry, Dmar& dmar, Scopes& scopes, Reading& out, size_t most) {
  if (!has_bytes(entry, 24, out)) return;
  const uint64_t base = number(entry.bytes, 8, 8);
  const uint64_t limit = number(entry.bytes, 16, 8);
  if (base > limit || base % 4096 != 0 || limit % 4096 != 4095) {
    out.fault(Fault::kMemoryRange);
  } else if (dmar.regions.size() == most) {
    out.fault(Fault::kTooMany);
  } else {
    dmar.regions.push_back(
        {base, limit, number(entry.bytes, 6, 2), scopes.in(entry.bytes.subspan(24))});
  }
}

bool is_hardware_definition(const Entry& block) {
  return block.type == 0x10 || block.type == 0x11 || block.type == 0x40;
}

/// Section 5.2.2.1: entries of a size that their type implies.
void read_device_entries(Table bytes, Ivrs& ivrs, Reading& out, size_t most) {
  static constexpr size_t kSizes[] = {4, 8, 16, 32};
  while (!bytes.empty()) {
    const unsigned type = bytes[0];
    size_t size = kSizes[type / 64];
    if (type == 240 && bytes.size() >= 22) size = 22u + bytes[21];
    if (size > bytes.size()) {
      out.fault(Fault::kEntryLength);
      return;
    }
    if (type == 72 && ivrs.specials.size() == most) {
      out.fault(Fault::kTooMany);
    } else if (type == 72) {
      ivrs.specials.push_back({ivrs.units.size() - 1, number(bytes, 5, 2), bytes[4], bytes[7]});
    }
    bytes = bytes.subspan(size);
  }
}

void read_hardware(const Entry& block, Ivrs& ivrs, Reading& out, const Limits& limits) {
  const size_t fixed = block.type == 0x10 ? 24 : 40;
  if (!has_bytes(block, fixed, out)) return;
  const Table b = block.bytes;
  if (number(b, 8, 8) == 0) {
    out.fault(Fault::kNoAddress);
  } else if (ivrs.units.size() == limits.ivrs_units) {
    out.fault(Fault::kTooMany);
  } else {
    ivrs.units.push_back({number(b, 8, 8), fixed == 24 ? 0 : number(b, 24, 8), number(b, 16, 2),
                          number(b, 4, 2), b[1]});
    read_device_entries(b.subspan(fixed), ivrs, out, limits.ivrs_specials);
  }
}

void read_memory(const Entry& block, Ivrs& ivrs, Reading& out, size_t most) {
  if (!has_bytes(block, 32, out)) return;
  const Table b = block.bytes;
  const uint64_t start = number(b, 16, 8);
  const uint64_t length = number(b, 24, 8);
  const uint64_t device = number(b, 4, 2);
  const uint64_t from = block.type == 0x20 ? 0 : device;
  const uint64_t to = block.type == 0x20 ? 0xFFFF : block.type == 0x21 ? device : number(b, 6, 2);
  const auto end = static_cast<unsigned __int128>(start) + length;
  if (length == 0 || end > static_cast<unsigned __int128>(1) << 64 || from > to) {
    out.fault(Fault::kMemoryRange);
  } else if (ivrs.regions.size() == most) {
    out.fault(Fault::kTooMany);
  } else {
    ivrs.regions.push_back({start, static_cast<uint64_t>(end - 1), from, to, b[1]});
  }
}

} // namespace

void read_dmar(Table table, Reading& out, const Limits& limits) {
  if (!has_fixed_part(table, 48, out)) return;
  Dmar& dmar = out.dmar.emplace();
  dmar.bits = table[36] + 1u;
  dmar.flags = table[37];
  Scopes scopes(out, limits);
  const std::vector<Entry> entries = cut(table.subspan(48), kWordHead, out);
  std::vector<Entry> affinities;
  for (const Entry& entry : entries) {
    if (entry.type == 0) read_unit(entry, dmar, scopes, out, limits.dmar_units);
    if (entry.type == 1) read_region(entry, dmar, scopes, out, limits.dmar_regions);
    if (entry.type == 3 && has_bytes(entry, 20, out)) affinities.push_back(entry);
    if (entry.type > 6) out.fault(Fault::kEntryUnknown);
  }
  for (const Entry& entry : affinities) {
    for (Dmar::Unit& unit : dmar.units) {
      if (unit.address == number(entry.bytes, 8, 8)) unit.domain = number(entry.bytes, 16, 4);
    }
  }
}

void read_ivrs(Table table, Reading& out, const Limits& limits) {
  if (!has_fixed_part(table, 48, out)) return;
  Ivrs& ivrs = out.ivrs.emplace();
  ivrs.info = number(table, 36, 4);
  const std::vector<Entry> blocks = cut(table.subspan(48), kIvrsHead, out);
  uint64_t newest = 0;
  for (const Entry& block : blocks) {
    if (is_hardware_definition(block)) newest = std::max(newest, block.type);
  }
  for (const Entry& block : blocks) {
    if (block.type >= 0x20 && block.type <= 0x22) {
      read_memory(block, ivrs, out, limits.ivrs_regions);
    } else if (!is_hardware_definition(block)) {
      out.fault(Fault::kEntryUnknown);
    } else if (block.type == newest) {
      read_hardware(block, ivrs, out, limits);
    }
  }
}

} // namespace kiln::worlds::acpi
