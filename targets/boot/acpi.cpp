// boot/acpi: the tables of ACPI in a physical memory that is seen through a small window.
//
// Every request of the window is judged: bytes that no table has may not be looked at, one piece of
// one page is mapped at a time, and none is left when the reader returns. A request now and then is
// refused. Everything that was read, and the count of everything that was left out, is held against
// a second reader.

#include "generators/acpi.h"

#include <algorithm>
#include <memory>
#include <string>

#include "kernel-src/boot/acpi_tables.h"
#include "sim/artefact.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/acpi_compare.h"
#include "targets/boot/acpi_dump.h"
#include "targets/boot/acpi_words.h"
#include "targets/boot/counted.h"
#include "worlds/firmware/acpi_reading.h"
#include "worlds/firmware/physical_memory.h"

namespace kiln::targets {
namespace {

using clay::AcpiTables;
using gen::AcpiFirmware;
using gen::AcpiLie;
using worlds::acpi::Reading;
using Verdict = Reading::Verdict;

constexpr const char* kName = "boot/acpi";

#define KILN_ACPI_PROBE(id, text) {kName, "counted: " text},
const sim::Probe kOddityProbes[] = {CLAY_ACPI_ODDITIES(KILN_ACPI_PROBE)};
#undef KILN_ACPI_PROBE
const sim::Probe kLieProbes[] = {
    {kName, "no lie"},
    {kName, "lie: the length of a table"},
    {kName, "lie: a checksum"},
    {kName, "lie: a byte under a right checksum"},
    {kName, "lie: a table that ends early"},
    {kName, "lie: the length of an entry"},
    {kName, "lie: a pointer in a root table"},
    {kName, "lie: the root pointer"},
    {kName, "lie: a root table"},
    {kName, "lie: where the DSDT is"},
    {kName, "lie: memory that cannot be mapped"},
};
static_assert(std::size(kLieProbes) == gen::kAcpiLies);
const sim::Probe kRootProbes[] = {
    {kName, "the root pointer comes from the loader"},
    {kName, "the root pointer is where UEFI says"},
    {kName, "the root pointer is in the extended BIOS data area"},
    {kName, "the root pointer is in the BIOS's memory"},
    {kName, "there is no root pointer"},
};
const sim::Probe kOldRoot{kName, "a root pointer of ACPI 1.0"};
const sim::Probe kNoRoot{kName, "refused: no root pointer"};
const sim::Probe kNoRootTable{kName, "refused: no root table"};
const sim::Probe kFellBack{kName, "the RSDT stands in for an XSDT that is no good"};
const sim::Probe kHigh{kName, "a table above 4 GiB"};
const sim::Probe kAcross{kName, "a table's header on two pages"};
const sim::Probe kLong{kName, "a table of more than one page"};
const sim::Probe kShortest{kName, "a definition block of 46 bytes"};
const sim::Probe kManyTables{kName, "as many tables as there is room for"};
const sim::Probe kMostCpus{kName, "as many CPUs as there is room for"};
const sim::Probe kSorted{kName, "more than one I/O APIC"};
const sim::Probe kReduced{kName, "reduced hardware"};
const sim::Probe kEarlyFadt{kName, "a FADT that ends before its flags"};
const sim::Probe kWideTimer{kName, "a timer that is not at a port"};
const sim::Probe kArm{kName, "CPUs with a GIC"};
const sim::Probe kNear{kName, "more than one domain"};
const sim::Probe kUnitDomain{kName, "a DMA remapping unit with a domain"};
const sim::Probe kNewForm{kName, "an IOMMU in its newer form"};
const sim::Probe kCoped{kName, "a request is refused, and the rest is read"};
const sim::Probe kGaveUp{kName, "a request is refused, and nothing can be read"};
const sim::Probe kOneSlot{kName, "a window of one slot"};

/// The world's window as the kernel knows one.
class Window final : public clay::PhysicalWindow {
 public:
  explicit Window(worlds::MemoryWindow& window) : window_(window) {}

  clay::Result<clay::Bytes> map(uint64_t physical, size_t bytes) override {
    const worlds::MemoryWindow::Answer answer = window_.map(physical, bytes);
    switch (answer.refusal) {
    case worlds::MemoryWindow::Refusal::kTooMany:
      return clay::Error::kTooMany;
    case worlds::MemoryWindow::Refusal::kOutOfRange:
      return clay::Error::kOutOfRange;
    case worlds::MemoryWindow::Refusal::kNone:
      break;
    }
    return clay::Bytes(answer.bytes.data(), answer.bytes.size());
  }
  void unmap(clay::Bytes mapped) override { window_.unmap({mapped.data(), mapped.size()}); }

 private:
  worlds::MemoryWindow& window_;
};

Verdict verdict_of(const clay::Result<void>& read) {
  if (read.ok()) return Verdict::kTaken;
  KILN_CHECK(read.error() == clay::Error::kNotFound || read.error() == clay::Error::kCorrupt,
             "the tables are refused: %s", clay::error_text(read.error()));
  return read.error() == clay::Error::kNotFound ? Verdict::kNoRoot : Verdict::kNoRootTable;
}

void probe_tables(const AcpiTables& tables, const Reading& want) {
  if (want.root_revision < 2) kOldRoot.hit();
  if (want.used_rsdt && want.xsdt != 0) kFellBack.hit();
  for (const Reading::Table& table : want.tables) {
    if (table.address >> 32 != 0) kHigh.hit();
    if (table.address % 4096 > 4096 - 36) kAcross.hit();
    if (table.length > 4096) kLong.hit();
    if (table.length == 46 && table.signature == "SSDT") kShortest.hit();
    if (table.signature == "FACP" && table.length < 116) kEarlyFadt.hit();
  }
  if (want.tables.size() >= AcpiTables::kTablesMax) kManyTables.hit();
  if (tables.madt().cpus().size() == clay::AcpiMadt::kCpusMax) kMostCpus.hit();
  if (tables.madt().io_apics().size() > 1) kSorted.hit();
  if (tables.madt().distributor().address != 0) kArm.hit();
  if (tables.fadt().hardware_reduced()) kReduced.hit();
  const clay::AcpiRegister& timer = tables.fadt().pm_timer();
  if (timer.exists() && timer.space == clay::AcpiRegister::kMemory) kWideTimer.hit();
  if (tables.srat().domains().size() > 1) kNear.hit();
  for (const clay::AcpiDmar::Unit& unit : tables.dmar().units()) {
    if (unit.has_domain) kUnitDomain.hit();
  }
  for (const clay::AcpiIvrs::Unit& unit : tables.ivrs().units()) {
    if (unit.features != 0) kNewForm.hit();
  }
}

void probe_oddities(const clay::AcpiReport& report) {
  for (size_t i = 0; i < clay::kAcpiOddities; ++i) {
    const auto oddity = static_cast<clay::AcpiOddity>(i);
    if (report.count(oddity) != 0) hit_counted(kOddityProbes[i], clay::acpi_oddity_text(oddity));
  }
}

/// The kernel's reader in a world, and the second one beside it.
class Check {
 public:
  explicit Check(const AcpiFirmware& firmware)
      : hint_{firmware.tag, firmware.pointer},
        window_(memory_, firmware.slots, firmware.last_address, firmware.refused_request,
                firmware.refused_page),
        refuses_(firmware.slots == 0 || firmware.refused_request.has_value()) {
    for (const AcpiFirmware::Piece& piece : firmware.memory) {
      memory_.put(piece.first, piece.bytes);
    }
  }

  /// Whether the tables were taken.
  bool read(AcpiTables& tables) {
    Reading want;
    if (!refuses_) {
      want = judge();
    }
    const Verdict verdict = verdict_of(read_by_kernel(tables));
    window_.check_all_unmapped();
    KILN_CHECK(window_.most_held() <= 1, "%zu pieces are mapped at a time", window_.most_held());
    // What is left out for want of a mapping depends on which request got none.
    if (refuses_ || !window_.refused().empty()) {
      want = judge();
    }
    KILN_CHECK(verdict == want.verdict, "the tables are %s",
               verdict == Verdict::kTaken ? "taken" : "refused");
    check_acpi_oddities(tables.report(), want);
    probe_oddities(tables.report());
    if (verdict == Verdict::kTaken) {
      check_acpi(tables, want);
      probe_tables(tables, want);
    } else {
      (verdict == Verdict::kNoRoot ? kNoRoot : kNoRootTable).hit();
    }
    if (!window_.refused().empty()) (verdict == Verdict::kTaken ? kCoped : kGaveUp).hit();
    return verdict == Verdict::kTaken;
  }

  uint64_t requests() const { return window_.requests(); }

 private:
  Reading judge() {
    Reading want = worlds::acpi::read(memory_, hint_, window_.refused(), kAcpiLimits);
    window_.judge_by(want.looked_at);
    return want;
  }

  clay::Result<void> read_by_kernel(AcpiTables& tables) {
    const sim::ExactBlock copy(hint_.copy);
    Window window(window_);
    return tables.read(window, {clay::Bytes(copy.bytes()), hint_.physical});
  }

  worlds::PhysicalMemory memory_;
  worlds::acpi::Hint hint_;
  worlds::MemoryWindow window_;
  bool refuses_;
};

void run(sim::Run& run) {
  const AcpiFirmware firmware = gen::make_acpi(run.tape);
  if (sim::artefact_wanted()) {
    const std::string dump = write_acpi_dump(firmware);
    run.machine.artefact({reinterpret_cast<const uint8_t*>(dump.data()), dump.size()});
  }
  const sim::Probe& lie = kLieProbes[static_cast<size_t>(firmware.lie)];
  lie.hit();
  run.machine.note("%s", lie.name());
  kRootProbes[static_cast<size_t>(firmware.root)].hit();
  if (firmware.slots == 1) kOneSlot.hit();
  const std::unique_ptr<AcpiTables> tables(new AcpiTables);
  Check check(firmware);
  const bool taken = check.read(*tables);
  if (taken && firmware.lie == AcpiLie::kNone && tables->tables().size() < AcpiTables::kTablesMax) {
    KILN_CHECK(tables->has_fadt() && tables->has_madt(), "sound tables are left out");
  }
  run.machine.digest(check.requests());
  run.machine.digest(tables->tables().size());
  run.machine.digest(tables->madt().cpus().size());
}

void feed(sim::Feed& feed) {
  const AcpiFirmware firmware = read_acpi_file(feed.bytes);
  if (firmware.memory.empty()) {
    feed.out += "There is no table in this file.\n";
    return;
  }
  const std::unique_ptr<AcpiTables> tables(new AcpiTables);
  Check check(firmware);
  if (check.read(*tables)) {
    feed.out += describe(*tables);
  } else {
    feed.out += "There is no sound root table.\n";
  }
}

const sim::Target target{{
    .name = kName,
    .purpose = "The tables of ACPI, through a small window, against a second reader.",
    .run = run,
    .feed = feed,
    .feed_takes = "a table as iasl makes it, or the text of acpidump",
    .gate_inputs = 40'000,
    .longest_tape = 2048,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
