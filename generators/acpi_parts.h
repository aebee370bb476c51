#pragma once
// Parts of generators/acpi.h: one function a table. What they make has no length and no checksum
// yet, and is sound but for oddities that real firmware has too.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

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
