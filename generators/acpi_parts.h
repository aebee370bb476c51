#pragma once
// Parts of generators/acpi.h: one function a table. What they make has no length and no checksum
// yet, and is sound but for oddities that real firmware has too.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "generators/acpi.h"
#include "generators/byte_builder.h"
#include "sim/tape.h"

namespace kiln::gen {

/// What there is far more of than usual, beyond the limits of most readers.
enum class AcpiCrowd : uint8_t {
  kNothing,
  kTables,
  kCpus,
  kIoApics,
  kNmis,
  kArm,
  kBuses,
  kTimers,
  kDomains,
  kMemory,
  kUnits,
  kScopes,
  kSpecials,
};
inline constexpr uint16_t kAcpiCrowds[] = {400, 2, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};

struct AcpiTableDraft {
  /// A field with the length of an entry.
  struct LengthField {
    size_t at;
    size_t width;
  };
  ByteBuilder out;
  std::vector<LengthField> lengths;
};

AcpiTableDraft start_acpi_table(std::string_view signature, uint8_t revision);

/// An entry being built: sets its length when it goes.
class AcpiEntryDraft {
 public:
  /// Begins with `head`, in which the length has `width` bytes from `at` on.
  AcpiEntryDraft(AcpiTableDraft& table, std::initializer_list<uint8_t> head, size_t at,
                 size_t width)
      : table_(table), begin_(table.out.size()), at_(at), width_(width) {
    table.out.raw({head.begin(), head.size()});
  }
  ~AcpiEntryDraft();
  AcpiEntryDraft(const AcpiEntryDraft&) = delete;
  AcpiEntryDraft& operator=(const AcpiEntryDraft&) = delete;

 private:
  AcpiTableDraft& table_;
  size_t begin_;
  size_t at_;
  size_t width_;
};

/// A finished table in its place.
struct AcpiPlaced {
  uint64_t at = 0;
  std::vector<uint8_t> bytes;
  std::vector<AcpiTableDraft::LengthField> lengths;

  void set_length(uint32_t length) { store_le(&bytes[4], length); }
  /// A number of `width` bytes, as far as the table has the field.
  void set(size_t place, size_t width, uint64_t value);
  void seal() { seal_acpi_table(bytes, bytes.size()); }
};

struct AcpiPlacedTables {
  static constexpr size_t kNone = SIZE_MAX;

  std::vector<AcpiPlaced> named;   ///< by a root table
  std::vector<AcpiPlaced> unnamed; ///< DSDT, root tables
  size_t rsdt = kNone;             ///< in `unnamed`
  size_t xsdt = kNone;
  bool unreachable = false; ///< the root pointer names no root table

  /// 0 for a root table that there is not, or that nobody names.
  uint64_t address_of(size_t root_table) const {
    return root_table == kNone || unreachable ? 0 : unnamed[root_table].at;
  }
};

void lie_about_acpi_tables(AcpiLie lie, sim::Tape::View& fault, AcpiPlacedTables& tables);

/// Puts it, decoys, and the loader's word into `out`; lies about it when that is the lie.
void put_acpi_root_pointer(sim::Tape& tape, const AcpiPlacedTables& tables, AcpiFirmware& out);

/// What the tables of one machine agree on.
struct AcpiMachine {
  bool arm = false;
  uint32_t cpus = 1;
  AcpiCrowd crowd = AcpiCrowd::kNothing;
};

AcpiTableDraft make_acpi_madt(sim::Tape& tape, const AcpiMachine& machine);
AcpiTableDraft make_acpi_fadt(sim::Tape& tape, const AcpiMachine& machine);
AcpiTableDraft make_acpi_mcfg(sim::Tape& tape, const AcpiMachine& machine);
AcpiTableDraft make_acpi_hpet(sim::Tape& tape, uint8_t number);
AcpiTableDraft make_acpi_srat(sim::Tape& tape, const AcpiMachine& machine);
AcpiTableDraft make_acpi_dmar(sim::Tape& tape, const AcpiMachine& machine);
AcpiTableDraft make_acpi_ivrs(sim::Tape& tape, const AcpiMachine& machine);

/// Where the FADT has the addresses of FACS and DSDT: of 32 bits, and of 64.
struct AcpiFadtPlaces {
  static constexpr size_t kFacs = 36;
  static constexpr size_t kDsdt = 40;
  static constexpr size_t kWideFacs = 132;
  static constexpr size_t kWideDsdt = 140;
};

} // namespace kiln::gen
