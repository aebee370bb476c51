#include "targets/boot/fdt_words.h"

#include "targets/boot/append_printf.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

using clay::fdt::Node;

/// "128 MiB": the largest unit that divides it.
std::string size_in_words(uint64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + kUnits[unit];
}

void add_range(std::string& out, const char* what, const clay::fdt::Range& range,
               const char* note = "") {
  const uint64_t last = range.size == 0 ? range.base : range.base + (range.size - 1);
  append_printf(out, "  %-13s0x%llx to 0x%llx (%s)%s\n", what, KILN_U64(range.base), KILN_U64(last),
                size_in_words(range.size).c_str(), note);
}

void add_cpus(std::string& out, const clay::Board& board) {
  constexpr size_t kShown = 8;
  append_printf(out, "  %-13s%zu:", "CPUs", board.cpus().size());
  for (size_t i = 0; i < board.cpus().size() && i < kShown; ++i) {
    append_printf(out, " 0x%llx", KILN_U64(board.cpus()[i]));
  }
  append_printf(out, "%s\n", board.cpus().size() > kShown ? " ..." : "");
}

const char* words(clay::InterruptController::Kind kind) {
  switch (kind) {
  case clay::InterruptController::Kind::kGicV2:
    return "GICv2";
  case clay::InterruptController::Kind::kGicV3:
    return "GICv3";
  case clay::InterruptController::Kind::kPlic:
    return "PLIC";
  default:
    return "none";
  }
}

std::string words(const clay::Irq& irq) {
  return std::to_string(irq.number) + (irq.edge ? " (edge)" : "");
}

std::string words(const clay::OptionalIrq& irq) {
  return irq.exists ? ", interrupt " + words(irq.irq) : "";
}

void add_controller(std::string& out, const clay::InterruptController& controller) {
  if (controller.kind == clay::InterruptController::Kind::kNone) {
    return;
  }
  append_printf(out, "  %-13s%s\n", "interrupts", words(controller.kind));
  add_range(out, "", controller.registers);
  if (controller.cpu_interface.size != 0) {
    add_range(out, "", controller.cpu_interface, ", CPU interface");
  }
  for (const clay::fdt::Range& region : controller.redistributors.all()) {
    add_range(out, "", region, ", redistributors");
  }
  for (const clay::fdt::Range& its : controller.its.all()) {
    add_range(out, "", its, ", ITS");
  }
}

void add_host(std::string& out, const clay::PcieHost& host) {
  static constexpr const char* kSpaces[] = {"", "I/O", "32-bit memory", "64-bit memory"};
  append_printf(out, "  %-13s%s, buses %u to %u, %zu interrupts\n", "PCIe",
                host.ecam ? "ECAM" : "CAM", host.first_bus, host.last_bus, host.routes.size());
  add_range(out, "", host.config, ", configuration");
  for (const clay::PcieHost::Window& window : host.windows.all()) {
    std::string note = std::string(", ") + kSpaces[static_cast<size_t>(window.space)];
    note += window.prefetchable ? ", prefetchable" : "";
    add_range(out, "", window.cpu, note.c_str());
  }
}

void add_devices(std::string& out, const clay::Devices& devices) {
  add_controller(out, devices.controller);
  if (devices.timer.exists) {
    const clay::ArmTimer& timer = devices.timer;
    append_printf(out, "  %-13ssecure %s, physical %s, virtual %s, hypervisor %s\n", "timer",
                  words(timer.secure).c_str(), words(timer.physical).c_str(),
                  words(timer.virtual_timer).c_str(), words(timer.hypervisor).c_str());
  }
  if (devices.psci != clay::PsciMethod::kNone) {
    append_printf(out, "  %-13s%s\n", "PSCI",
                  devices.psci == clay::PsciMethod::kSmc ? "smc" : "hvc");
  }
  for (const clay::PcieHost& host : devices.pcie.all()) {
    add_host(out, host);
  }
  for (const clay::VirtioSlot& slot : devices.virtio.all()) {
    add_range(out, "virtio", slot.registers, words(slot.irq).c_str());
  }
}

size_t nodes_in(const Node& node) {
  size_t count = 1;
  for (const Node child : node.children()) {
    count += nodes_in(child);
  }
  return count;
}

size_t properties_of(const Node& node) {
  size_t count = 0;
  for (const clay::fdt::Property property : node.properties()) {
    count += property.exists() ? 1 : 0;
  }
  return count;
}

void add_node(std::string& out, const Node& node) {
  const clay::StringView compatible = node.property("compatible").string().value_or({});
  append_printf(out, "  %-32.*s %3zu properties", KILN_TEXT(node.name()), properties_of(node));
  if (const size_t inside = nodes_in(node) - 1; inside != 0) {
    append_printf(out, ", %zu node%s inside", inside, inside == 1 ? "" : "s");
  }
  append_printf(out, "%s%.*s\n", compatible.empty() ? "" : ", ", KILN_TEXT(compatible));
}

} // namespace

std::string describe(const clay::Board& board) {
  std::string out;
  append_printf(out, "board '%.*s'\n", KILN_TEXT(board.model()));
  for (const clay::fdt::Range& range : board.memory()) {
    add_range(out, "memory", range);
  }
  for (const clay::Board::Reserved& reserved : board.reserved()) {
    add_range(out, "reserved", reserved.range, reserved.no_map ? ", never mapped" : "");
  }
  add_cpus(out, board);
  append_printf(out, "  %-13s'%.*s'\n", "command line", KILN_TEXT(board.bootargs()));
  if (board.initrd().size != 0) {
    add_range(out, "RAM disk", board.initrd());
  }
  if (board.has_serial()) {
    const clay::Board::Serial& serial = board.serial();
    append_printf(out, "  %-13s%.*s at 0x%llx%s\n", "console", KILN_TEXT(serial.compatible.view()),
                  KILN_U64(serial.registers.base), words(serial.irq).c_str());
  }
  add_devices(out, board.devices());
  for (size_t kind = 0; kind < clay::kOddities; ++kind) {
    const clay::Oddity oddity = static_cast<clay::Oddity>(kind);
    if (board.oddities(oddity) != 0) {
      append_printf(out, "  %-13s%s (%zu)\n", "left out", clay::oddity_text(oddity),
                    board.oddities(oddity));
    }
  }
  return out;
}

std::string describe(const clay::fdt::Tree& tree) {
  std::string out;
  append_printf(out, "a device tree of %zu bytes: %zu nodes, %zu reservations\n", tree.size(),
                nodes_in(tree.root()), tree.reservations());
  for (const Node node : tree.root().children()) {
    add_node(out, node);
  }
  return out;
}

std::string describe(const clay::fdt::Refused& refused) {
  std::string out;
  append_printf(out, "refused at byte %zu: %s\n", refused.at,
                clay::fdt::refusal_text(refused.reason));
  return out;
}

} // namespace kiln::targets
