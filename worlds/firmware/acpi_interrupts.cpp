// MADT and SRAT (ACPI Specification 6.5, sections 5.2.12 and 5.2.16).

#include <algorithm>
#include <set>

#include "worlds/firmware/acpi_tables.h"

namespace kiln::worlds::acpi {
namespace {

/// As it stands in the specification: offset and width of a field.
struct Field {
  size_t at;
  size_t width;
};
uint64_t get(const Entry& entry, Field field) { return number(entry.bytes, field.at, field.width); }

/// Adds it unless there are as many as there may be.
template <typename T> void add(std::vector<T>& list, size_t most, T element, Reading& out) {
  if (list.size() == most) {
    out.fault(Fault::kTooMany);
  } else {
    list.push_back(std::move(element));
  }
}

bool has_place(uint64_t address, Reading& out) {
  if (address == 0) out.fault(Fault::kNoAddress);
  return address != 0;
}

class MadtReader {
 public:
  MadtReader(Madt& madt, Reading& out, const Limits& limits)
      : madt_(madt), out_(out), limits_(limits) {}

  void take(const Entry& entry) {
    // By type (table 5.21): the least length, 0 for what is of no interest.
    static constexpr size_t kLeast[] = {8,  12, 10, 8,  6,  12, 0,  0, 0,
                                        16, 12, 76, 24, 24, 16, 20, 16};
    if (entry.type >= std::size(kLeast)) {
      out_.fault(Fault::kEntryUnknown);
      return;
    }
    if (kLeast[entry.type] == 0 || !has_bytes(entry, kLeast[entry.type], out_)) return;
    if (entry.type == 0 || entry.type == 9 || entry.type == 11) return cpu(entry);
    if (entry.type == 1) return io_apic(entry);
    if (entry.type <= 5 || entry.type == 10) return line(entry);
    gic(entry);
  }

 private:
  void cpu(const Entry& e) {
    const bool wide = e.type == 9;
    Madt::Cpu cpu{};
    uint64_t flags = 0;
    if (e.type == 11) {
      flags = get(e, {12, 4});
      const uint64_t redistributor = get(e, {60, 8});
      cpu = {get(e, {68, 8}), get(e, {8, 4}), flags & 1, 1,
             redistributor != 0 ? redistributor : get(e, {32, 8})};
    } else {
      flags = get(e, wide ? Field{8, 4} : Field{4, 4});
      cpu = {get(e, wide ? Field{4, 4} : Field{3, 1}), get(e, wide ? Field{12, 4} : Field{2, 1}),
             flags & 1, 0, 0};
      if (cpu.id == (wide ? 0xFFFFFFFFu : 0xFFu)) {
        out_.fault(Fault::kBroadcastCpu);
        return;
      }
    }
    const uint64_t may_come = e.type == 11 ? 8 : 2;
    if ((flags & (1 | may_come)) == 0) return;
    if (!ids_.insert({cpu.gic, cpu.id}).second) {
      out_.fault(Fault::kCpuTwice);
      return;
    }
    const size_t before = madt_.cpus.size();
    add(madt_.cpus, limits_.cpus, cpu, out_);
    if (madt_.cpus.size() == before) ids_.erase({cpu.gic, cpu.id});
  }

  void io_apic(const Entry& e) {
    const Madt::IoApic one{get(e, {2, 1}), get(e, {4, 4}), get(e, {8, 4})};
    if (!has_place(one.address, out_)) return;
    const auto behind = std::lower_bound(
        madt_.io_apics.begin(), madt_.io_apics.end(), one,
        [](const Madt::IoApic& a, const Madt::IoApic& b) { return a.gsi < b.gsi; });
    if (behind != madt_.io_apics.end() && behind->gsi == one.gsi) {
      out_.fault(Fault::kGsiTwice);
    } else if (madt_.io_apics.size() == limits_.io_apics) {
      out_.fault(Fault::kTooMany);
    } else {
      madt_.io_apics.insert(behind, one);
    }
  }

  /// Overrides and NMIs.
  void line(const Entry& e) {
    if (e.type == 2) {
      const Madt::Override one{get(e, {3, 1}), get(e, {4, 4}), get(e, {8, 2})};
      if (get(e, {2, 1}) != 0 || one.source > 15) {
        out_.fault(Fault::kNotIsa);
      } else if (!sources_.insert(one.source).second) {
        out_.fault(Fault::kOverriddenTwice);
      } else {
        madt_.overrides.push_back(one);
      }
    } else if (e.type == 3) {
      add(madt_.nmi_sources, limits_.nmis, {get(e, {4, 4}), get(e, {2, 2})}, out_);
    } else if (e.type == 5) {
      if (moved_) {
        out_.fault(Fault::kOverriddenTwice);
      } else {
        madt_.local_address = get(e, {4, 8});
      }
      moved_ = true;
    } else if (e.type == 10) {
      add(madt_.nmis, limits_.nmis, {get(e, {4, 4}), get(e, {8, 1}), get(e, {2, 2})}, out_);
    } else {
      const uint64_t uid = get(e, {2, 1});
      add(madt_.nmis, limits_.nmis,
          {uid == 0xFF ? 0xFFFFFFFFu : uid, get(e, {5, 1}), get(e, {3, 2})}, out_);
    }
  }

  void gic(const Entry& e) {
    const uint64_t address = get(e, e.type == 14 ? Field{4, 8} : Field{8, 8});
    if (!has_place(address, out_)) return;
    if (e.type == 12 && madt_.distributor != 0) {
      out_.fault(Fault::kTooMany);
    } else if (e.type == 12) {
      madt_.distributor = address;
      madt_.distributor_version = get(e, {20, 1});
    } else if (e.type == 13) {
      add(madt_.frames, limits_.frames,
          {get(e, {4, 4}), address, get(e, {16, 4}), get(e, {20, 2}), get(e, {22, 2})}, out_);
    } else if (e.type == 14) {
      add(madt_.redistributors, limits_.redistributors, {address, get(e, {12, 4})}, out_);
    } else if (e.type == 15) {
      add(madt_.its, limits_.frames, {get(e, {4, 4}), address}, out_);
    } else if (madt_.mailbox != 0) {
      out_.fault(Fault::kTooMany);
    } else {
      madt_.mailbox = address;
    }
  }

  Madt& madt_;
  Reading& out_;
  const Limits& limits_;
  std::set<std::pair<uint64_t, uint64_t>> ids_;
  std::set<uint64_t> sources_;
  bool moved_ = false;
};

class SratReader {
 public:
  SratReader(Srat& srat, uint64_t revision, Reading& out, const Limits& limits)
      : srat_(srat), revision_(revision), out_(out), limits_(limits) {}

  void take(const Entry& e) {
    static constexpr size_t kLeast[] = {16, 40, 24, 18, 12};
    if (e.type > 6) out_.fault(Fault::kEntryUnknown);
    if (e.type >= std::size(kLeast) || !has_bytes(e, kLeast[e.type], out_)) return;
    if (e.type == 0) {
      const uint64_t high = revision_ >= 2 ? get(e, {9, 3}) : 0;
      cpu(get(e, {4, 4}), high * 256 + get(e, {2, 1}), get(e, {3, 1}), 0);
    } else if (e.type == 1) {
      memory(e);
    } else if (e.type == 2) {
      cpu(get(e, {12, 4}), get(e, {4, 4}), get(e, {8, 4}), 0);
    } else if (e.type == 3) {
      cpu(get(e, {10, 4}), get(e, {2, 4}), get(e, {6, 4}), 1);
    } else {
      const uint64_t domain = get(e, {2, 4});
      if (known(domain)) add(srat_.its, limits_.domains, {get(e, {8, 4}), domain}, out_);
    }
  }

 private:
  void cpu(uint64_t flags, uint64_t domain, uint64_t id, uint64_t gic) {
    if (flags % 2 == 0) return;
    const auto same = [&](const Srat::Cpu& one) { return one.id == id && one.gic == gic; };
    if (std::any_of(srat_.cpus.begin(), srat_.cpus.end(), same)) {
      out_.fault(Fault::kCpuTwice);
    } else if (known(domain)) {
      add(srat_.cpus, limits_.srat_cpus, {id, gic, domain}, out_);
    }
  }

  void memory(const Entry& e) {
    const uint64_t base = get(e, {8, 8});
    const uint64_t length = get(e, {16, 8});
    const uint64_t flags = get(e, {28, 4});
    if (flags % 2 == 0) return;
    const auto end = static_cast<unsigned __int128>(base) + length;
    if (length == 0 || end > static_cast<unsigned __int128>(1) << 64) {
      out_.fault(Fault::kMemoryRange);
    } else if (const uint64_t domain = get(e, {2, revision_ >= 2 ? 4u : 1u}); known(domain)) {
      add(srat_.memory, limits_.srat_memory,
          {base, static_cast<uint64_t>(end - 1), domain, flags >> 1 & 1, flags >> 2 & 1}, out_);
    }
  }

  /// Whether the domain has got a number; a new one gets the next if there is one.
  bool known(uint64_t domain) {
    if (std::find(srat_.domains.begin(), srat_.domains.end(), domain) != srat_.domains.end()) {
      return true;
    }
    const size_t before = srat_.domains.size();
    add(srat_.domains, limits_.domains, domain, out_);
    return srat_.domains.size() != before;
  }

  Srat& srat_;
  uint64_t revision_;
  Reading& out_;
  const Limits& limits_;
};

} // namespace

void read_madt(Table table, Reading& out, const Limits& limits) {
  if (!has_fixed_part(table, 44, out)) return;
  Madt& madt = out.madt.emplace();
  madt.local_address = number(table, 36, 4);
  madt.dual_8259 = number(table, 40, 4) % 2 != 0;
  MadtReader reader(madt, out, limits);
  for (const Entry& entry : cut(table.subspan(44), kByteHead, out)) {
    reader.take(entry);
  }
}

void read_srat(Table table, Reading& out, const Limits& limits) {
  if (!has_fixed_part(table, 48, out)) return;
  SratReader reader(out.srat.emplace(), table[8], out, limits);
  for (const Entry& entry : cut(table.subspan(48), kByteHead, out)) {
    reader.take(entry);
  }
}

} // namespace kiln::worlds::acpi
