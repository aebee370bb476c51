#pragma once
// What the tables of ACPI say of the machine before anything of them is interpreted as a program:
// CPUs and interrupt controllers, fixed hardware, configuration space, timers, nearness, DMA
// remapping; and where every table is, for the interpreter. Owns all that it says: no mapping is
// needed afterwards.
//
//   const std::unique_ptr<AcpiTables> tables = ...;    // large: no place for a stack
//   CLAY_TRY(tables->read(window, {.copy = multiboot.rsdp()}));
//   for (const AcpiMadt::Cpu& cpu : tables->madt().cpus()) ...
//
// What is wrong costs only the thing that it describes, and is counted. A table counts whole or not
// at all: one with a wrong checksum, or of which a page could not be mapped, is left out. At most
// one piece of one page is mapped at a time, whatever a table's length, and none when read()
// returns.
//
// In any context in which the window may be used; waits as its unmap() does.

#include "kernel-src/boot/acpi_dmar.h"
#include "kernel-src/boot/acpi_fadt.h"
#include "kernel-src/boot/acpi_hpet.h"
#include "kernel-src/boot/acpi_ivrs.h"
#include "kernel-src/boot/acpi_madt.h"
#include "kernel-src/boot/acpi_mcfg.h"
#include "kernel-src/boot/acpi_root.h"
#include "kernel-src/boot/acpi_srat.h"
#include "kernel-src/boot/acpi_table.h"

namespace clay {

class AcpiTables {
 public:
  static constexpr size_t kTablesMax = 64;

  /// Reads all tables into this object, which is new. kNotFound: there is no root pointer;
  /// kCorrupt: it leads to no sound root table.
  Result<void> read(PhysicalWindow& window, const AcpiRootHint& hint);

  const AcpiRoot& root() const { return root_; }
  /// Every sound table that a root table or the FADT names, in that order; not the root table.
  Span<const AcpiTable> tables() const { return tables_.all(); }
  const AcpiReport& report() const { return report_; }

  // --- What tables say; nothing where there is no such table

  bool has_madt() const { return has(Kind::kMadt); }
  const AcpiMadt& madt() const { return madt_; }
  bool has_fadt() const { return has(Kind::kFadt); }
  const AcpiFadt& fadt() const { return fadt_; }
  const AcpiMcfg& mcfg() const { return mcfg_; }
  const AcpiHpets& hpets() const { return hpets_; }
  const AcpiSrat& srat() const { return srat_; }
  const AcpiDmar& dmar() const { return dmar_; }
  const AcpiIvrs& ivrs() const { return ivrs_; }

 private:
  /// Tables that stand once and are looked into.
  enum class Kind : uint8_t { kMadt, kFadt, kMcfg, kSrat, kDmar, kIvrs };
  using Pointers = BoundedList<uint64_t, kTablesMax>;

  bool has(Kind kind) const { return (seen_ >> static_cast<unsigned>(kind) & 1) != 0; }
  Result<void> read_root(PhysicalWindow& window, Pointers& pointers);
  Result<void> read_root_table(PhysicalWindow& window, uint64_t physical, bool wide,
                               Pointers& pointers);
  void add_pointer(uint64_t physical, Pointers& pointers);
  void read_table(PhysicalWindow& window, uint64_t physical);
  Result<void> read_contents(PhysicalBytes& bytes, const AcpiTable& table);
  template <typename Part, typename... Arguments>
  Result<void> read_once(Kind kind, Part& part, PhysicalBytes& bytes, Arguments... arguments);
  void read_dsdt(PhysicalWindow& window, const Pointers& pointers);

  AcpiRoot root_{};
  BoundedList<AcpiTable, kTablesMax + 1> tables_; ///< and the DSDT
  AcpiReport report_;
  uint32_t seen_ = 0; ///< a bit for each Kind
  AcpiMadt madt_;
  AcpiFadt fadt_;
  AcpiMcfg mcfg_;
  AcpiHpets hpets_;
  AcpiSrat srat_;
  AcpiDmar dmar_;
  AcpiIvrs ivrs_;
};

} // namespace clay
