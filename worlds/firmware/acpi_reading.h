#pragma once
// What a second reader makes of ACPI's tables, for oracles. Names and structure are those of the
// specifications, limits the kernel's: they come as arguments.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "worlds/firmware/physical_memory.h"

namespace kiln::worlds::acpi {

struct Limits {
  size_t root_bytes;
  size_t table_bytes;
  size_t tables;
  size_t cpus;
  size_t io_apics;
  size_t nmis;
  size_t frames;
  size_t redistributors;
  size_t mcfg_ranges;
  size_t timers;
  size_t domains;
  size_t srat_cpus;
  size_t srat_memory;
  size_t dmar_units;
  size_t dmar_regions;
  size_t dmar_scopes;
  size_t scope_hops;
  size_t ivrs_units;
  size_t ivrs_regions;
  size_t ivrs_specials;
};

/// Why something was left out.
enum class Fault : uint8_t {
  kUnmapped,
  kEbda,
  kRootLength,
  kRootSum,
  kRootSignature,
  kNullPointer,
  kRootPointer,
  kPointerTwice,
  kTooManyTables,
  kTableShort,
  kTableLong,
  kTableSum,
  kTableAgain,
  kNoFixedPart,
  kOpenEnd,
  kEntryLength,
  kEntryShort,
  kEntryUnknown,
  kTooMany,
  kBroadcastCpu,
  kCpuTwice,
  kNoAddress,
  kGsiTwice,
  kNotIsa,
  kOverriddenTwice,
  kReset,
  kBusRange,
  kBusOverlap,
  kTimerSpace,
  kTimerTwice,
  kMemoryRange,
  kPath,
  kCount,
};
inline constexpr size_t kFaults = static_cast<size_t>(Fault::kCount);

struct Register { ///< Generic Address Structure
  uint64_t space = 0;
  uint64_t width = 0;
  uint64_t offset = 0;
  uint64_t access = 0;
  uint64_t address = 0;
};

struct Madt {
  struct Cpu {
    uint64_t id, uid, enabled, gic, registers;
  };
  struct IoApic {
    uint64_t id, address, gsi;
  };
  struct Override {
    uint64_t source, gsi, flags;
  };
  struct Nmi { ///< `cpu` 2^32 - 1: all
    uint64_t cpu, lint, flags;
  };
  struct NmiSource {
    uint64_t gsi, flags;
  };
  struct Frame {
    uint64_t id, address, flags, count, base;
  };
  struct Range {
    uint64_t address, bytes;
  };
  struct Its {
    uint64_t id, address;
  };
  uint64_t local_address = 0;
  bool dual_8259 = false;
  std::vector<Cpu> cpus;
  std::vector<IoApic> io_apics; ///< sorted by gsi
  std::vector<Override> overrides;
  std::vector<NmiSource> nmi_sources;
  std::vector<Nmi> nmis;
  uint64_t distributor = 0;
  uint64_t distributor_version = 0;
  std::vector<Frame> frames;
  std::vector<Range> redistributors;
  std::vector<Its> its;
  uint64_t mailbox = 0;
};

struct Fadt {
  uint64_t facs = 0, dsdt = 0, profile = 0, flags = 0, boot = 0, arm_boot = 0, century = 0;
  uint64_t sci = 0, smi = 0, enable = 0, disable = 0, reset_value = 0, hypervisor = 0;
  Register event, control, timer, reset, sleep_control, sleep_status;
};

struct McfgRange {
  uint64_t base, segment, first, last;
};
struct Timer {
  uint64_t address, id, number, least;
};

struct Srat {
  struct Cpu {
    uint64_t id, gic, domain;
  };
  struct Memory {
    uint64_t first, last, domain, hot, persistent;
  };
  struct Its {
    uint64_t id, domain;
  };
  std::vector<uint64_t> domains;
  std::vector<Cpu> cpus;
  std::vector<Memory> memory;
  std::vector<Its> its;
};

struct Dmar {
  struct Scope {
    uint64_t type, id, bus;
    std::vector<uint8_t> path;
  };
  struct Unit {
    uint64_t address, segment, all;
    std::optional<uint64_t> domain;
    std::vector<Scope> scopes;
  };
  struct Region {
    uint64_t first, last, segment;
    std::vector<Scope> scopes;
  };
  uint64_t flags = 0;
  uint64_t bits = 0;
  std::vector<Unit> units;
  std::vector<Region> regions;
};

struct Ivrs {
  struct Unit {
    uint64_t address, features, segment, device, flags;
  };
  struct Special {
    uint64_t unit, device, handle, variety;
  };
  struct Region {
    uint64_t first, last, first_device, last_device, flags;
  };
  uint64_t info = 0;
  std::vector<Unit> units;
  std::vector<Special> specials;
  std::vector<Region> regions;
};

struct Reading {
  enum class Verdict : uint8_t { kTaken, kNoRoot, kNoRootTable };
  struct Table {
    std::string signature;
    uint64_t revision, length, address;
  };

  Verdict verdict = Verdict::kTaken;
  uint64_t root_revision = 0;
  uint64_t rsdt = 0;
  uint64_t xsdt = 0;
  bool used_rsdt = false;
  std::vector<Table> tables;
  std::optional<Madt> madt;
  std::optional<Fadt> fadt;
  std::optional<std::vector<McfgRange>> mcfg;
  std::vector<Timer> timers;
  std::optional<Srat> srat;
  std::optional<Dmar> dmar;
  std::optional<Ivrs> ivrs;
  std::array<uint32_t, kFaults> faults{};
  /// All that anybody has to look at to know this.
  std::vector<Extent> looked_at;

  void fault(Fault kind) { ++faults[static_cast<size_t>(kind)]; }
  uint32_t count(Fault kind) const { return faults[static_cast<size_t>(kind)]; }
};

/// What the loader says: a copy of the root pointer, and where it is.
struct Hint {
  std::vector<uint8_t> copy;
  uint64_t physical = 0;
};

/// `refused`: requests of the reader under test that were refused; the thing that each belongs to
/// cannot be read once.
Reading read(const PhysicalMemory& memory, const Hint& hint, std::span<const Extent> refused,
             const Limits& limits);

} // namespace kiln::worlds::acpi
