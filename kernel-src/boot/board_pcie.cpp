// Bindings: host-generic-pci; PCI Bus Binding to Open Firmware, 2.2.1 (addresses), 3.1.1 (ranges).

#include "kernel-src/boot/board_pcie.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay {
namespace {

constexpr uint32_t kAddressCells = 3;
constexpr uint32_t kSizeCells = 2;
constexpr uint32_t kMostBus = 255;
/// phys.hi: two bits of the space, and whether it may be read ahead.
constexpr unsigned kSpaceShift = 24;
constexpr uint32_t kSpaceMask = 3;
constexpr uint32_t kPrefetchable = 0x4000'0000;

/// Bytes of configuration space a bus: 32 devices of 8 functions.
uint64_t bus_bytes(bool ecam) { return ecam ? uint64_t{256} * 4096 : uint64_t{256} * 256; }

class Host {
 public:
  Host(const fdt::Walk& walk, BoardInterrupts& interrupts, Oddities& oddities)
      : path_(walk.path()), node_(walk.path().node()), interrupts_(interrupts),
        oddities_(oddities) {
    out_.ecam = walk.compatible().lists("pci-host-ecam-generic");
  }

  Result<PcieHost> read() {
    const fdt::Cells cells = node_.cells();
    if (!cells.valid || cells.address != kAddressCells || cells.size != kSizeCells) {
      return refuse(Oddity::kPcieShape);
    }
    const Result<fdt::Range> config = path_.reg(0);
    if (!config.ok()) {
      return refuse(Oddity::kDeviceAddress);
    }
    if (!read_buses()) {
      return refuse(Oddity::kPcieBuses);
    }
    if (!fit_buses(config.value().size / bus_bytes(out_.ecam))) {
      return refuse(Oddity::kPcieConfig);
    }
    out_.config = config.value();
    read_windows(node_.property("ranges").value());
    interrupts_.read_routes(path_, out_);
    return out_;
  }

 private:
  Result<PcieHost> refuse(Oddity why) {
    oddities_.note(why);
    return Error::kNotFound;
  }

  /// bus-range, first and last; all buses when there is none.
  bool read_buses() {
    const fdt::Property range = node_.property("bus-range");
    if (!range.exists()) {
      out_.last_bus = kMostBus;
      return true;
    }
    if (range.size() != 2 * sizeof(uint32_t)) {
      return false;
    }
    const uint32_t first = load_be<uint32_t>(range.value().data());
    const uint32_t last = load_be<uint32_t>(range.value().data() + sizeof(uint32_t));
    if (first > last || last > kMostBus) {
      return false;
    }
    out_.first_bus = static_cast<uint8_t>(first);
    out_.last_bus = static_cast<uint8_t>(last);
    return true;
  }

  /// Leaves out the buses for which there is no room; whether there is room for one.
  bool fit_buses(uint64_t room) {
    const uint64_t wanted = uint64_t{out_.last_bus} - out_.first_bus + 1;
    if (room == 0) {
      return false;
    }
    if (room < wanted) {
      oddities_.note(Oddity::kPcieConfig);
      out_.last_bus = static_cast<uint8_t>(out_.first_bus + (room - 1));
    }
    return true;
  }

  void read_windows(Bytes ranges) {
    const fdt::Cells& above = node_.parent_cells();
    const size_t entry = (kAddressCells + above.address + kSizeCells) * sizeof(uint32_t);
    // That the bus above has sound cells is known: reg was read with them.
    if (ranges.size() % entry != 0) {
      oddities_.note(Oddity::kPcieShape);
      return;
    }
    for (size_t at = 0; at < ranges.size(); at += entry) {
      read_window(ranges.subspan(at, entry), above.address);
    }
  }

  void read_window(Bytes entry, uint32_t cpu_cells) {
    const uint32_t high = load_be<uint32_t>(entry.data());
    const uint32_t space = high >> kSpaceShift & kSpaceMask;
    if (space == 0) {
      return; // configuration space is reg's to describe
    }
    PcieHost::Window window;
    window.space = static_cast<PcieHost::Space>(space);
    window.prefetchable = (high & kPrefetchable) != 0;
    window.bus = load_be<uint64_t>(entry.data() + sizeof(uint32_t));
    const size_t cpu_at = kAddressCells * sizeof(uint32_t);
    const size_t size_at = cpu_at + cpu_cells * sizeof(uint32_t);
    const uint64_t size = load_be<uint64_t>(entry.data() + size_at);
    if (size == 0) {
      oddities_.note(Oddity::kRangeEmpty);
      return;
    }
    const Result<uint64_t> cpu = path_.to_cpu(fdt::read_cells(entry, cpu_at, cpu_cells));
    const Result<fdt::Range> range =
        cpu.ok() ? fdt::make_range(cpu.value(), size) : Result<fdt::Range>(cpu.error());
    if (!range.ok() || !fits_space(window, size)) {
      oddities_.note(Oddity::kPcieWindow);
      return;
    }
    window.cpu = range.value();
    oddities_.note_unless(out_.windows.add(window), Oddity::kPcieFull);
  }

  /// I/O and 32-bit memory end with 32 bits, 64-bit memory with 64.
  static bool fits_space(const PcieHost::Window& window, uint64_t size) {
    const Result<uint64_t> last = checked_add<uint64_t>(window.bus, size - 1);
    return last.ok() && (window.space == PcieHost::Space::kMemory64 || last.value() <= UINT32_MAX);
  }

  const fdt::Path& path_;
  fdt::Node node_;
  BoardInterrupts& interrupts_;
  Oddities& oddities_;
  PcieHost out_;
};

} // namespace

bool is_pcie_host(const fdt::Property& compatible) {
  return compatible.lists("pci-host-ecam-generic") || compatible.lists("pci-host-cam-generic");
}

Result<PcieHost> read_pcie_host(const fdt::Walk& walk, BoardInterrupts& interrupts,
                                Oddities& oddities) {
  return Host(walk, interrupts, oddities).read();
}

} // namespace clay
