#include "targets/boot/acpi_words.h"

#include <cinttypes>
#include <cstdarg>

#include "targets/boot/append_printf.h"

namespace kiln::targets {
namespace {

class Words {
 public:
  __attribute__((format(printf, 2, 3))) void line(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_vprintf(all, format, arguments);
    va_end(arguments);
    all += '\n';
  }
  std::string all;
};

void add_register(Words& out, const char* what, const clay::AcpiRegister& at) {
  if (!at.exists()) return;
  const char* const spaces[] = {"memory", "ports", "PCI configuration", "another space"};
  out.line("%s: %u bits in %s at 0x%" PRIx64, what, at.bits,
           spaces[at.space > 2 ? size_t{3} : at.space], at.address);
}

void add_madt(Words& out, const clay::AcpiMadt& madt) {
  out.line("local APIC at 0x%" PRIx64 "%s", madt.local_apic(), madt.has_pics() ? ", two 8259" : "");
  for (const auto& cpu : madt.cpus()) {
    out.line("CPU 0x%" PRIx64 ", uid %u, %s", cpu.id, cpu.uid,
             cpu.enabled ? "enabled" : "may come later");
  }
  for (const auto& each : madt.io_apics()) {
    out.line("I/O APIC %u at 0x%x, interrupts from %u", each.id, each.address, each.first_gsi);
  }
  for (const auto& each : madt.overrides()) {
    out.line("IRQ %u is interrupt %u, flags 0x%x", each.irq, each.gsi, each.flags);
  }
  for (const auto& each : madt.nmi_sources()) {
    out.line("interrupt %u is an NMI, flags 0x%x", each.gsi, each.flags);
  }
  for (const auto& each : madt.local_nmis()) {
    out.line("NMI at LINT%u of CPU 0x%x, flags 0x%x", each.pin, each.uid, each.flags);
  }
  if (madt.distributor().address != 0) {
    out.line("GIC distributor at 0x%" PRIx64 ", version %u", madt.distributor().address,
             madt.distributor().version);
  }
  for (const auto& each : madt.redistributors()) {
    out.line("GIC redistributors at 0x%" PRIx64 ", 0x%x bytes", each.address, each.bytes);
  }
  for (const auto& each : madt.msi_frames()) {
    out.line("MSI frame %u at 0x%" PRIx64 ", %u interrupts from %u", each.id, each.address,
             each.spis, each.first_spi);
  }
  for (const auto& each : madt.translators()) {
    out.line("ITS %u at 0x%" PRIx64, each.id, each.address);
  }
  if (madt.mailbox() != 0) out.line("CPUs wait at 0x%" PRIx64, madt.mailbox());
}

void add_fadt(Words& out, const clay::AcpiFadt& fadt) {
  out.line("FACS at 0x%" PRIx64 ", DSDT at 0x%" PRIx64, fadt.facs(), fadt.dsdt());
  out.line("profile %u, flags 0x%x, boot flags 0x%x, ARM boot flags 0x%x, century %u%s",
           fadt.profile(), fadt.flags(), fadt.boot_flags(), fadt.arm_boot_flags(), fadt.century(),
           fadt.hardware_reduced() ? ", hardware reduced" : "");
  out.line("SCI %u, SMI port 0x%x, ACPI on 0x%x, off 0x%x", fadt.sci(), fadt.smi_command(),
           fadt.acpi_enable(), fadt.acpi_disable());
  add_register(out, "PM1a events", fadt.pm1a_event());
  add_register(out, "PM1a control", fadt.pm1a_control());
  add_register(out, "timer", fadt.pm_timer());
  add_register(out, "reset", fadt.reset());
  add_register(out, "sleep control", fadt.sleep_control());
  add_register(out, "sleep status", fadt.sleep_status());
  if (fadt.reset().exists()) out.line("reset by 0x%x", fadt.reset_value());
  if (fadt.hypervisor() != 0) out.line("hypervisor 0x%" PRIx64, fadt.hypervisor());
}

void add_devices(Words& out, const clay::AcpiTables& tables) {
  for (const auto& range : tables.mcfg().ranges()) {
    out.line("PCI segment %u, buses %u to %u at 0x%" PRIx64, range.segment, range.first_bus,
             range.last_bus, range.base);
  }
  for (const auto& block : tables.hpets().blocks()) {
    out.line("event timer %u at 0x%" PRIx64 ", id 0x%x, at least %u ticks", block.number,
             block.address, block.id, block.least_ticks);
  }
  const clay::AcpiSrat& srat = tables.srat();
  for (const auto& cpu : srat.cpus()) {
    out.line("CPU 0x%x is in domain %u", cpu.id, srat.domains()[cpu.node]);
  }
  for (const auto& range : srat.memory()) {
    out.line("0x%" PRIx64 " to 0x%" PRIx64 " is in domain %u%s%s", range.first, range.last,
             srat.domains()[range.node], range.hot_pluggable ? ", may come later" : "",
             range.persistent ? ", persistent" : "");
  }
  for (const auto& each : srat.translators()) {
    out.line("ITS %u is in domain %u", each.id, srat.domains()[each.node]);
  }
}

void add_scopes(Words& out, const clay::AcpiDmar& dmar, const clay::AcpiDmar::Scopes& which) {
  for (const auto& scope : dmar.scopes_of(which)) {
    std::string path;
    for (const auto& hop :
         clay::Span<const clay::AcpiDmar::Scope::Hop>(scope.path).first(scope.hops)) {
      path += " " + std::to_string(hop.device) + "." + std::to_string(hop.function);
    }
    out.line("  scope of kind %u, id %u, from bus %u:%s", scope.kind, scope.id, scope.bus,
             path.c_str());
  }
}

void add_remapping(Words& out, const clay::AcpiTables& tables) {
  const clay::AcpiDmar& dmar = tables.dmar();
  if (dmar.address_bits() != 0) {
    out.line("DMA reaches %u bits, flags 0x%x", dmar.address_bits(), dmar.flags());
  }
  for (const auto& unit : dmar.units()) {
    out.line("DMA remapping of segment %u at 0x%" PRIx64 "%s", unit.segment, unit.registers,
             unit.takes_rest ? ", for the rest" : "");
    if (unit.has_domain) out.line("  in domain %u", unit.domain);
    add_scopes(out, dmar, unit.scopes);
  }
  for (const auto& region : dmar.regions()) {
    out.line("DMA goes on from 0x%" PRIx64 " to 0x%" PRIx64 " in segment %u", region.first,
             region.last, region.segment);
    add_scopes(out, dmar, region.scopes);
  }
  const clay::AcpiIvrs& ivrs = tables.ivrs();
  for (const auto& unit : ivrs.units()) {
    out.line("IOMMU 0x%x of segment %u at 0x%" PRIx64 ", flags 0x%x, features 0x%" PRIx64,
             unit.device, unit.segment, unit.registers, unit.flags, unit.features);
  }
  for (const auto& special : ivrs.specials()) {
    out.line("  %s %u is device 0x%x of unit %u", special.kind == 1 ? "I/O APIC" : "special",
             special.handle, special.device, special.unit);
  }
  for (const auto& region : ivrs.regions()) {
    out.line("devices 0x%x to 0x%x go on from 0x%" PRIx64 " to 0x%" PRIx64 ", flags 0x%x",
             region.first_device, region.last_device, region.first, region.last, region.flags);
  }
}

} // namespace

std::string describe(const clay::AcpiTables& tables) {
  Words out;
  out.line("root pointer of revision %u: RSDT 0x%" PRIx64 ", XSDT 0x%" PRIx64,
           tables.root().revision, tables.root().rsdt, tables.root().xsdt);
  for (const clay::AcpiTable& table : tables.tables()) {
    out.line("table %.4s of revision %u at 0x%" PRIx64 ", %u bytes", table.signature,
             table.revision, table.physical, table.length);
  }
  if (tables.has_madt()) add_madt(out, tables.madt());
  if (tables.has_fadt()) add_fadt(out, tables.fadt());
  add_devices(out, tables);
  add_remapping(out, tables);
  for (size_t i = 0; i < clay::kAcpiOddities; ++i) {
    const auto kind = static_cast<clay::AcpiOddity>(i);
    if (tables.report().count(kind) != 0) {
      out.line("left out: %s (%u)", clay::acpi_oddity_text(kind), tables.report().count(kind));
    }
  }
  return out.all;
}

} // namespace kiln::targets
