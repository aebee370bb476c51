#include "targets/boot/acpi_compare.h"

#include <cinttypes>
#include <string>

#include "sim/machine.h"

namespace kiln::targets {

using clay::AcpiOddity;
using worlds::acpi::Fault;
using worlds::acpi::Reading;
using worlds::acpi::Register;

const worlds::acpi::Limits kAcpiLimits = {
    .root_bytes = clay::AcpiRoot::kBytesMax,
    .table_bytes = clay::AcpiTable::kBytesMax,
    .tables = clay::AcpiTables::kTablesMax,
    .cpus = clay::AcpiMadt::kCpusMax,
    .io_apics = clay::AcpiMadt::kIoApicsMax,
    .nmis = clay::AcpiMadt::kNmisMax,
    .frames = clay::AcpiMadt::kFramesMax,
    .redistributors = clay::AcpiMadt::kRedistributorsMax,
    .mcfg_ranges = clay::AcpiMcfg::kRangesMax,
    .timers = clay::AcpiHpets::kBlocksMax,
    .domains = clay::AcpiSrat::kDomainsMax,
    .srat_cpus = clay::AcpiSrat::kCpusMax,
    .srat_memory = clay::AcpiSrat::kMemoryMax,
    .dmar_units = clay::AcpiDmar::kUnitsMax,
    .dmar_regions = clay::AcpiDmar::kRegionsMax,
    .dmar_scopes = clay::AcpiDmar::kScopesMax,
    .scope_hops = clay::AcpiDmar::kHopsMax,
    .ivrs_units = clay::AcpiIvrs::kUnitsMax,
    .ivrs_regions = clay::AcpiIvrs::kRegionsMax,
    .ivrs_specials = clay::AcpiIvrs::kSpecialsMax,
};

void check_acpi_count(const char* what, size_t got, size_t want) {
  KILN_CHECK(got == want, "%s: %zu, not %zu", what, got, want);
}

void check_acpi_row(const char* what, size_t index, std::initializer_list<uint64_t> got,
                    std::initializer_list<uint64_t> want) {
  KILN_CHECK(got.size() == want.size(), "the target compares %s with fields of another number",
             what);
  for (size_t i = 0; i < got.size(); ++i) {
    KILN_CHECK(got.begin()[i] == want.begin()[i],
               "%s %zu: field %zu is 0x%" PRIx64 ", not 0x%" PRIx64, what, index, i, got.begin()[i],
               want.begin()[i]);
  }
}

namespace {

constexpr struct {
  AcpiOddity kind;
  Fault fault;
} kPairs[] = {
    {AcpiOddity::kUnmapped, Fault::kUnmapped},
    {AcpiOddity::kEbda, Fault::kEbda},
    {AcpiOddity::kRootLength, Fault::kRootLength},
    {AcpiOddity::kRootSum, Fault::kRootSum},
    {AcpiOddity::kRootTable, Fault::kRootSignature},
    {AcpiOddity::kTableNull, Fault::kNullPointer},
    {AcpiOddity::kTableSelf, Fault::kRootPointer},
    {AcpiOddity::kTableTwice, Fault::kPointerTwice},
    {AcpiOddity::kTablesFull, Fault::kTooManyTables},
    {AcpiOddity::kTableShort, Fault::kTableShort},
    {AcpiOddity::kTableLong, Fault::kTableLong},
    {AcpiOddity::kTableSum, Fault::kTableSum},
    {AcpiOddity::kTableAgain, Fault::kTableAgain},
    {AcpiOddity::kTableFixed, Fault::kNoFixedPart},
    {AcpiOddity::kTail, Fault::kOpenEnd},
    {AcpiOddity::kEntryLength, Fault::kEntryLength},
    {AcpiOddity::kEntryShort, Fault::kEntryShort},
    {AcpiOddity::kEntryUnknown, Fault::kEntryUnknown},
    {AcpiOddity::kListFull, Fault::kTooMany},
    {AcpiOddity::kCpuEvery, Fault::kBroadcastCpu},
    {AcpiOddity::kCpuTwice, Fault::kCpuTwice},
    {AcpiOddity::kAddress, Fault::kNoAddress},
    {AcpiOddity::kIoApicTwice, Fault::kGsiTwice},
    {AcpiOddity::kOverride, Fault::kNotIsa},
    {AcpiOddity::kOverrideTwice, Fault::kOverriddenTwice},
    {AcpiOddity::kResetRegister, Fault::kReset},
    {AcpiOddity::kBuses, Fault::kBusRange},
    {AcpiOddity::kBusesTwice, Fault::kBusOverlap},
    {AcpiOddity::kTimer, Fault::kTimerSpace},
    {AcpiOddity::kTimerTwice, Fault::kTimerTwice},
    {AcpiOddity::kRange, Fault::kMemoryRange},
    {AcpiOddity::kScopePath, Fault::kPath},
};
static_assert(std::size(kPairs) == clay::kAcpiOddities);
static_assert(std::size(kPairs) == worlds::acpi::kFaults);

void check_tables(const clay::AcpiTables& got, const Reading& want) {
  check_acpi_row("the root pointer", 0, {got.root().revision, got.root().rsdt, got.root().xsdt},
                 {want.root_revision, want.rsdt, want.xsdt});
  check_acpi_count("tables", got.tables().size(), want.tables.size());
  for (size_t i = 0; i < want.tables.size(); ++i) {
    const clay::AcpiTable& table = got.tables()[i];
    const Reading::Table& expected = want.tables[i];
    KILN_CHECK(std::string(table.signature, sizeof table.signature) == expected.signature,
               "table %zu is a %.4s, not a %s", i, table.signature, expected.signature.c_str());
    check_acpi_row("table", i, {table.revision, table.length, table.physical},
                   {expected.revision, expected.length, expected.address});
  }
}

void check_register(const char* what, const clay::AcpiRegister& got, const Register& want) {
  check_acpi_row(what, 0, {got.space, got.bits, got.offset, got.access, got.address},
                 {want.space, want.width, want.offset, want.access, want.address});
}

void check_fadt(const clay::AcpiFadt& got, const worlds::acpi::Fadt& want) {
  check_acpi_row("the FADT", 0,
                 {got.facs(), got.dsdt(), got.profile(), got.flags(), got.boot_flags(),
                  got.arm_boot_flags(), got.century(), got.sci(), got.smi_command(),
                  got.acpi_enable(), got.acpi_disable(), got.reset_value(), got.hypervisor()},
                 {want.facs, want.dsdt, want.profile, want.flags, want.boot, want.arm_boot,
                  want.century, want.sci, want.smi, want.enable, want.disable, want.reset_value,
                  want.hypervisor});
  check_register("the register of PM1a events", got.pm1a_event(), want.event);
  check_register("the PM1a control register", got.pm1a_control(), want.control);
  check_register("the timer", got.pm_timer(), want.timer);
  check_register("the reset register", got.reset(), want.reset);
  check_register("the sleep control register", got.sleep_control(), want.sleep_control);
  check_register("the sleep status register", got.sleep_status(), want.sleep_status);
}

void check_mcfg(const clay::AcpiMcfg& got, const std::vector<worlds::acpi::McfgRange>& want) {
  check_acpi_count("ranges of buses", got.ranges().size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const clay::AcpiMcfg::Range& range = got.ranges()[i];
    check_acpi_row("range of buses", i,
                   {range.base, range.segment, range.first_bus, range.last_bus},
                   {want[i].base, want[i].segment, want[i].first, want[i].last});
  }
}

void check_timers(const clay::AcpiHpets& got, const std::vector<worlds::acpi::Timer>& want) {
  check_acpi_count("event timers", got.blocks().size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const clay::AcpiHpets::Block& block = got.blocks()[i];
    check_acpi_row("event timer", i, {block.address, block.id, block.number, block.least_ticks},
                   {want[i].address, want[i].id, want[i].number, want[i].least});
  }
}

void check_srat(const clay::AcpiSrat& got, const worlds::acpi::Srat& want) {
  check_acpi_count("domains", got.domains().size(), want.domains.size());
  for (size_t i = 0; i < want.domains.size(); ++i) {
    check_acpi_row("domain", i, {got.domains()[i]}, {want.domains[i]});
  }
  check_acpi_count("CPUs with a domain", got.cpus().size(), want.cpus.size());
  for (size_t i = 0; i < want.cpus.size(); ++i) {
    const clay::AcpiSrat::Cpu& cpu = got.cpus()[i];
    check_acpi_row("the domain of CPU", i, {cpu.id, cpu.arm ? 1u : 0u, got.domains()[cpu.node]},
                   {want.cpus[i].id, want.cpus[i].gic, want.cpus[i].domain});
  }
  check_acpi_count("ranges with a domain", got.memory().size(), want.memory.size());
  for (size_t i = 0; i < want.memory.size(); ++i) {
    const clay::AcpiSrat::Memory& range = got.memory()[i];
    check_acpi_row("the domain of range", i,
                   {range.first, range.last, got.domains()[range.node],
                    range.hot_pluggable ? 1u : 0u, range.persistent ? 1u : 0u},
                   {want.memory[i].first, want.memory[i].last, want.memory[i].domain,
                    want.memory[i].hot, want.memory[i].persistent});
  }
  check_acpi_count("ITS with a domain", got.translators().size(), want.its.size());
  for (size_t i = 0; i < want.its.size(); ++i) {
    check_acpi_row("the domain of ITS", i,
                   {got.translators()[i].id, got.domains()[got.translators()[i].node]},
                   {want.its[i].id, want.its[i].domain});
  }
}

} // namespace

void check_acpi_oddities(const clay::AcpiReport& got, const Reading& want) {
  for (const auto& pair : kPairs) {
    KILN_CHECK(got.count(pair.kind) == want.count(pair.fault), "%u times, not %u: %s",
               got.count(pair.kind), want.count(pair.fault), clay::acpi_oddity_text(pair.kind));
  }
}

void check_acpi(const clay::AcpiTables& got, const Reading& want) {
  check_tables(got, want);
  KILN_CHECK(got.has_madt() == want.madt.has_value(), "there is a MADT or not");
  KILN_CHECK(got.has_fadt() == want.fadt.has_value(), "there is a FADT or not");
  check_acpi_madt(got.madt(), want.madt.value_or(worlds::acpi::Madt{}));
  check_fadt(got.fadt(), want.fadt.value_or(worlds::acpi::Fadt{}));
  check_mcfg(got.mcfg(), want.mcfg.value_or(std::vector<worlds::acpi::McfgRange>{}));
  check_timers(got.hpets(), want.timers);
  check_srat(got.srat(), want.srat.value_or(worlds::acpi::Srat{}));
  check_acpi_dmar(got.dmar(), want.dmar.value_or(worlds::acpi::Dmar{}));
  check_acpi_ivrs(got.ivrs(), want.ivrs.value_or(worlds::acpi::Ivrs{}));
}

} // namespace kiln::targets
