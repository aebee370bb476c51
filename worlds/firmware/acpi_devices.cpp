// FADT (ACPI Specification 6.5, section 5.2.9), MCFG (PCI Firmware Specification 3.3, section
// 4.1.2), HPET (IA-PC HPET Specification 1.0a, section 3.2.4).

#include <algorithm>

#include "worlds/firmware/acpi_tables.h"

namespace kiln::worlds::acpi {
namespace {

/// 0 unless the table has all of the field.
uint64_t field(Table table, size_t at, size_t width) {
  return at + width <= table.size() ? number(table, at, width) : 0;
}

Register gas(Table table, size_t at) {
  if (at + 12 > table.size()) return {};
  return {table[at], table[at + 1], table[at + 2], table[at + 3], number(table, at + 4, 8)};
}

/// The wide description if it names an address, else a port.
Register block(Table table, size_t wide, size_t port_at, size_t length_at) {
  const Register whole = gas(table, wide);
  if (whole.address != 0) return whole;
  const uint64_t port = field(table, port_at, 4);
  if (port == 0) return {};
  const uint64_t bits = field(table, length_at, 1) * 8;
  return {1, bits > 255 ? 0 : bits, 0, 0, port};
}

uint64_t wide_or_narrow(Table table, size_t wide, size_t narrow) {
  const uint64_t address = field(table, wide, 8);
  return address != 0 ? address : field(table, narrow, 4);
}

} // namespace

void read_fadt(Table table, Reading& out) {
  Fadt& fadt = out.fadt.emplace();
  fadt.facs = wide_or_narrow(table, 132, 36);
  fadt.dsdt = wide_or_narrow(table, 140, 40);
  fadt.profile = field(table, 45, 1);
  fadt.flags = field(table, 112, 4);
  fadt.boot = field(table, 109, 2);
  fadt.arm_boot = field(table, 129, 2);
  fadt.century = field(table, 108, 1);
  fadt.sleep_control = gas(table, 244);
  fadt.sleep_status = gas(table, 256);
  fadt.hypervisor = field(table, 268, 8);
  const bool reduced = (fadt.flags >> 20 & 1) != 0;
  if (!reduced) { // section 4.1: else there is no such hardware
    fadt.sci = field(table, 46, 2);
    fadt.smi = field(table, 48, 4);
    fadt.enable = field(table, 52, 1);
    fadt.disable = field(table, 53, 1);
    fadt.event = block(table, 148, 56, 88);
    fadt.control = block(table, 172, 64, 89);
    fadt.timer = block(table, 208, 76, 91);
  }
  if ((fadt.flags >> 10 & 1) == 0) return;
  const Register reset = gas(table, 116);
  if (reset.address == 0 || reset.space > 2 || reset.width != 8 || reset.offset != 0 ||
      table.size() < 129) {
    out.fault(Fault::kReset);
    return;
  }
  fadt.reset = reset;
  fadt.reset_value = table[128];
}

void read_mcfg(Table table, Reading& out, const Limits& limits) {
  if (!has_fixed_part(table, 44, out)) return;
  std::vector<McfgRange>& ranges = out.mcfg.emplace();
  const size_t count = (table.size() - 44) / 16;
  if (44 + count * 16 != table.size()) out.fault(Fault::kOpenEnd);
  for (size_t i = 0; i < count; ++i) {
    const Table entry = table.subspan(44 + i * 16, 16);
    const McfgRange range{number(entry, 0, 8), number(entry, 8, 2), entry[10], entry[11]};
    const auto end = static_cast<unsigned __int128>(range.base) + (range.last + 1) * 0x100000;
    const bool shared = std::any_of(ranges.begin(), ranges.end(), [&](const McfgRange& other) {
      return other.segment == range.segment &&
             std::max(other.first, range.first) <= std::min(other.last, range.last);
    });
    if (range.base == 0) {
      out.fault(Fault::kNoAddress);
    } else if (range.first > range.last || end > static_cast<unsigned __int128>(1) << 64) {
      out.fault(Fault::kBusRange);
    } else if (shared) {
      out.fault(Fault::kBusOverlap);
    } else if (ranges.size() == limits.mcfg_ranges) {
      out.fault(Fault::kTooMany);
    } else {
      ranges.push_back(range);
    }
  }
}

void read_hpet(Table table, Reading& out, const Limits& limits) {
  if (!has_fixed_part(table, 56, out)) return;
  const Timer timer{number(table, 44, 8), number(table, 36, 4), table[52], number(table, 53, 2)};
  const bool again = std::any_of(out.timers.begin(), out.timers.end(),
                                 [&](const Timer& other) { return other.number == timer.number; });
  if (table[40] != 0 || timer.address == 0) {
    out.fault(Fault::kTimerSpace);
  } else if (again) {
    out.fault(Fault::kTimerTwice);
  } else if (out.timers.size() == limits.timers) {
    out.fault(Fault::kTooMany);
  } else {
    out.timers.push_back(timer);
  }
}

} // namespace kiln::worlds::acpi
