// The table of boards, and the choices that say what is out of the ordinary.

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr Pic kGic = {0x8001, 3, 2, Pic::Kind::kGic};
/// The same, but its node says nothing of addresses.
constexpr Pic kBareGic = {0x8001, 3, 0, Pic::Kind::kGic};
constexpr Pic kPlic = {0x9000, 1, 0, Pic::Kind::kPlic};
constexpr Pic kIpic = {0x9001, 2, 0, Pic::Kind::kForeign};

constexpr Kind kKinds[] = {
    {"linux,dummy-virt",
     "linux,dummy-virt",
     {2, 2},
     0x40000000,
     "arm,cortex-a57",
     {1, 0},
     "/pl011@9000000",
     "/pl011",
     "arm,pl011",
     {0x09000000, 0x1000},
     kGic,
     arm64_devices},
    {"riscv-virtio,qemu",
     "riscv-virtio",
     {2, 2},
     0x80000000,
     "riscv",
     {1, 0},
     "/soc/serial@10000000",
     "/soc/serial",
     "ns16550a",
     {0x10000000, 0x100},
     kPlic,
     riscv_devices},
    {"Stoneware S64 server",
     "stoneware,s64",
     {2, 2},
     0x80000000,
     "arm,neoverse-n1",
     {2, 0},
     "/soc/pl011@280000000",
     "/soc/pl011",
     "arm,pl011",
     {0x280000000, 0x1000},
     kGic,
     server_devices},
    {"Glaze 8313",
     "glaze,8313",
     {1, 1},
     0,
     "PowerPC,8313",
     {1, 0},
     "/soc8313@e0000000/serial@4500",
     "//soc8313/serial",
     "ns16550a",
     {0xE0004500, 0x100},
     kIpic,
     powerpc_devices},
    {"Slip M32",
     "slip,m32",
     {1, 1},
     0x20000000,
     "arm,cortex-a7",
     {1, 0},
     "/bus@40000000/apb@1000000/uart@2000",
     "/bus/apb/uart/",
     "ns16550a",
     {0x41002000, 0x100},
     kBareGic,
     small_devices},
};

} // namespace

std::span<const Kind> kinds() { return kKinds; }

Style Style::draw(sim::Tape::View swarm) {
  // Each with a probability of one quarter.
  const uint32_t half = swarm.u16();
  const uint32_t bits = half & swarm.u16();
  const auto bit = [bits](unsigned index) { return (bits >> index & 1) != 0; };
  return {bit(0), bit(1), bit(2), bit(3), bit(4),  bit(5),
          bit(6), bit(7), bit(8), bit(9), bit(10), bit(11)};
}

void make_compatible(Maker& m, std::string_view text) {
  using namespace std::string_view_literals;
  constexpr std::string_view kUnknown = "vendor,part\0"sv;
  const uint32_t at = m.build.begin_value();
  if (m.data.chance(1, 6)) {
    m.build.characters(m.data.chance(1, 4) ? "\0"sv : kUnknown); // an empty text is one, too
  }
  m.build.characters(text);
  m.build.characters("\0"sv);
  m.build.end_value("compatible", at);
}

bool make_status(Maker& m) {
  constexpr const char* kStatuses[] = {"okay", "ok", "disabled", "reserved", "fail-sss", ""};
  if (!m.style.statuses || m.data.below(4) == 0) {
    return true;
  }
  const uint64_t index = m.data.below(std::size(kStatuses));
  m.build.string("status", kStatuses[index]);
  return index < 2;
}

uint64_t draw_count(Maker& m, uint64_t usual, uint64_t spread, uint64_t many) {
  if (m.style.crowd && m.data.below(8) == 7) {
    return m.data.between(many, many + many / 4);
  }
  return m.data.between(usual, usual + spread);
}

} // namespace kiln::gen::fdt
