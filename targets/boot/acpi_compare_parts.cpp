#include "sim/machine.h"
#include "targets/boot/acpi_compare.h"

namespace kiln::targets {
namespace {

using clay::AcpiDmar;
using clay::AcpiIvrs;
using clay::AcpiMadt;
using worlds::acpi::Dmar;
using worlds::acpi::Ivrs;
using worlds::acpi::Madt;

/// Every interrupt around the borders of the I/O APICs goes to the one that begins last before it.
void check_routes(const AcpiMadt& got, const Madt& want) {
  for (const Madt::IoApic& border : want.io_apics) {
    for (const uint64_t gsi : {border.gsi, border.gsi + 239, border.gsi + 240,
                               border.gsi == 0 ? uint64_t{UINT32_MAX} : border.gsi - 1}) {
      const Madt::IoApic* goes_to = nullptr;
      for (const Madt::IoApic& each : want.io_apics) {
        if (each.gsi <= gsi && gsi < each.gsi + 240) goes_to = &each;
      }
      if (gsi > UINT32_MAX) continue;
      const AcpiMadt::IoApic* found = got.io_apic_of(static_cast<uint32_t>(gsi));
      KILN_CHECK((found == nullptr) == (goes_to == nullptr),
                 "interrupt %u goes to an I/O APIC or not", static_cast<uint32_t>(gsi));
      KILN_CHECK(found == nullptr || found->first_gsi == goes_to->gsi,
                 "interrupt %u goes to the I/O APIC that begins at %u", static_cast<uint32_t>(gsi),
                 found->first_gsi);
    }
  }
}

void check_lines(const AcpiMadt& got, const Madt& want) {
  check_acpi_count("overrides", got.overrides().size(), want.overrides.size());
  for (size_t i = 0; i < want.overrides.size(); ++i) {
    const AcpiMadt::Override& each = got.overrides()[i];
    check_acpi_row("override", i, {each.irq, each.gsi, each.flags},
                   {want.overrides[i].source, want.overrides[i].gsi, want.overrides[i].flags});
  }
  check_acpi_count("sources of NMIs", got.nmi_sources().size(), want.nmi_sources.size());
  for (size_t i = 0; i < want.nmi_sources.size(); ++i) {
    check_acpi_row("source of NMIs", i, {got.nmi_sources()[i].gsi, got.nmi_sources()[i].flags},
                   {want.nmi_sources[i].gsi, want.nmi_sources[i].flags});
  }
  check_acpi_count("NMIs of CPUs", got.local_nmis().size(), want.nmis.size());
  for (size_t i = 0; i < want.nmis.size(); ++i) {
    const AcpiMadt::LocalNmi& each = got.local_nmis()[i];
    check_acpi_row("NMI of a CPU", i, {each.uid, each.pin, each.flags},
                   {want.nmis[i].cpu, want.nmis[i].lint, want.nmis[i].flags});
  }
}

void check_gic(const AcpiMadt& got, const Madt& want) {
  check_acpi_row("the distributor", 0, {got.distributor().address, got.distributor().version},
                 {want.distributor, want.distributor_version});
  check_acpi_count("MSI frames", got.msi_frames().size(), want.frames.size());
  for (size_t i = 0; i < want.frames.size(); ++i) {
    const AcpiMadt::MsiFrame& frame = got.msi_frames()[i];
    const Madt::Frame& expected = want.frames[i];
    check_acpi_row("MSI frame", i,
                   {frame.id, frame.address, frame.flags, frame.spis, frame.first_spi},
                   {expected.id, expected.address, expected.flags, expected.count, expected.base});
  }
  check_acpi_count("redistributors", got.redistributors().size(), want.redistributors.size());
  for (size_t i = 0; i < want.redistributors.size(); ++i) {
    check_acpi_row("redistributor", i,
                   {got.redistributors()[i].address, got.redistributors()[i].bytes},
                   {want.redistributors[i].address, want.redistributors[i].bytes});
  }
  check_acpi_count("ITS", got.translators().size(), want.its.size());
  for (size_t i = 0; i < want.its.size(); ++i) {
    check_acpi_row("ITS", i, {got.translators()[i].id, got.translators()[i].address},
                   {want.its[i].id, want.its[i].address});
  }
}

void check_scopes(const AcpiDmar& got, const AcpiDmar::Scopes& which,
                  const std::vector<Dmar::Scope>& want) {
  check_acpi_count("scopes", which.count, want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const AcpiDmar::Scope& scope = got.scopes_of(which)[i];
    check_acpi_row("scope", i, {scope.kind, scope.id, scope.bus, scope.hops * uint64_t{2}},
                   {want[i].type, want[i].id, want[i].bus, want[i].path.size()});
    for (size_t hop = 0; hop < scope.hops; ++hop) {
      check_acpi_row("hop", hop, {scope.path[hop].device, scope.path[hop].function},
                     {want[i].path[hop * 2], want[i].path[hop * 2 + 1]});
    }
  }
}

} // namespace

void check_acpi_madt(const AcpiMadt& got, const Madt& want) {
  check_acpi_row("the MADT", 0, {got.local_apic(), got.has_pics() ? 1u : 0u, got.mailbox()},
                 {want.local_address, want.dual_8259 ? 1u : 0u, want.mailbox});
  check_acpi_count("CPUs", got.cpus().size(), want.cpus.size());
  for (size_t i = 0; i < want.cpus.size(); ++i) {
    const AcpiMadt::Cpu& cpu = got.cpus()[i];
    const Madt::Cpu& expected = want.cpus[i];
    check_acpi_row("CPU", i,
                   {cpu.id, cpu.uid, cpu.enabled ? 1u : 0u, cpu.arm ? 1u : 0u, cpu.registers},
                   {expected.id, expected.uid, expected.enabled, expected.gic, expected.registers});
  }
  check_acpi_count("I/O APICs", got.io_apics().size(), want.io_apics.size());
  for (size_t i = 0; i < want.io_apics.size(); ++i) {
    const AcpiMadt::IoApic& each = got.io_apics()[i];
    check_acpi_row("I/O APIC", i, {each.id, each.address, each.first_gsi},
                   {want.io_apics[i].id, want.io_apics[i].address, want.io_apics[i].gsi});
  }
  check_routes(got, want);
  check_lines(got, want);
  check_gic(got, want);
}

void check_acpi_dmar(const AcpiDmar& got, const Dmar& want) {
  check_acpi_row("the DMAR", 0, {got.address_bits(), got.flags()}, {want.bits, want.flags});
  check_acpi_count("units of Intel", got.units().size(), want.units.size());
  for (size_t i = 0; i < want.units.size(); ++i) {
    const AcpiDmar::Unit& unit = got.units()[i];
    const Dmar::Unit& expected = want.units[i];
    check_acpi_row("unit of Intel", i,
                   {unit.registers, unit.segment, unit.takes_rest ? 1u : 0u,
                    unit.has_domain ? 1u : 0u, unit.domain},
                   {expected.address, expected.segment, expected.all,
                    expected.domain.has_value() ? 1u : 0u, expected.domain.value_or(0)});
    check_scopes(got, unit.scopes, expected.scopes);
  }
  check_acpi_count("regions of Intel", got.regions().size(), want.regions.size());
  for (size_t i = 0; i < want.regions.size(); ++i) {
    const AcpiDmar::Region& region = got.regions()[i];
    check_acpi_row("region of Intel", i, {region.first, region.last, region.segment},
                   {want.regions[i].first, want.regions[i].last, want.regions[i].segment});
    check_scopes(got, region.scopes, want.regions[i].scopes);
  }
}

void check_acpi_ivrs(const AcpiIvrs& got, const Ivrs& want) {
  check_acpi_row("the IVRS", 0, {got.info()}, {want.info});
  check_acpi_count("units of AMD", got.units().size(), want.units.size());
  for (size_t i = 0; i < want.units.size(); ++i) {
    const AcpiIvrs::Unit& unit = got.units()[i];
    const Ivrs::Unit& expected = want.units[i];
    check_acpi_row(
        "unit of AMD", i, {unit.registers, unit.features, unit.segment, unit.device, unit.flags},
        {expected.address, expected.features, expected.segment, expected.device, expected.flags});
  }
  check_acpi_count("special devices", got.specials().size(), want.specials.size());
  for (size_t i = 0; i < want.specials.size(); ++i) {
    const AcpiIvrs::Special& special = got.specials()[i];
    const Ivrs::Special& expected = want.specials[i];
    check_acpi_row("special device", i,
                   {special.unit, special.device, special.handle, special.kind},
                   {expected.unit, expected.device, expected.handle, expected.variety});
  }
  check_acpi_count("regions of AMD", got.regions().size(), want.regions.size());
  for (size_t i = 0; i < want.regions.size(); ++i) {
    const AcpiIvrs::Region& region = got.regions()[i];
    const Ivrs::Region& expected = want.regions[i];
    check_acpi_row(
        "region of AMD", i,
        {region.first, region.last, region.first_device, region.last_device, region.flags},
        {expected.first, expected.last, expected.first_device, expected.last_device,
         expected.flags});
  }
}

} // namespace kiln::targets
