#pragma once
// The board, as the kernel needs it before anything else runs: memory, what of it is taken, CPUs,
// console, command line, and the devices of board_devices.h. Read from a device tree; owns all that
// it says, so that the tree may go.
//
// What is wrong in the tree costs only the thing that it describes: the entry is left out and
// counted as an oddity, for the log. A board without memory is the one thing that nothing can be
// done with.

#include "kernel-src/boot/board_reader.h"
#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/bounded_text.h"
#include "kernel-src/boot/fdt.h"

namespace clay {

class Board {
 public:
  static constexpr size_t kMemoryRangesMax = 32;
  static constexpr size_t kReservedRangesMax = 32;
  static constexpr size_t kCpusMax = 64;
  static constexpr size_t kBootargsMax = 1023;
  static constexpr size_t kNameMax = 127;

  struct Reserved {
    fdt::Range range;
    bool no_map = false; ///< not even to be mapped (3.5.4)
  };
  /// The console device that /chosen names.
  struct Serial {
    BoundedText<kNameMax> compatible; ///< the first one
    fdt::Range registers;             ///< as a CPU sees them
    OptionalIrq irq;
  };

  /// Reads what `tree` says into this board, which is new. kNotFound: there is no memory.
  Result<void> read(const fdt::Tree& tree);

  StringView model() const { return model_.view(); }
  /// In the order of the tree; may overlap; none is empty.
  Span<const fdt::Range> memory() const { return memory_.all(); }
  /// First the reservation block's, then those of /reserved-memory that have a place.
  Span<const Reserved> reserved() const { return reserved_.all(); }
  /// Physical ids of the CPUs that can run.
  Span<const uint64_t> cpus() const { return cpus_.all(); }
  StringView bootargs() const { return bootargs_.view(); }
  /// Size 0: there is none.
  fdt::Range initrd() const { return initrd_; }
  bool has_serial() const { return has_serial_; }
  const Serial& serial() const { return serial_; }
  const Devices& devices() const { return devices_; }
  size_t oddities(Oddity kind) const { return oddities_.count(kind); }

 private:
  /// Of the sections of which there is one each, should there be more, the first counts.
  struct Seen {
    bool cpus = false;
    bool reserved = false;
    bool chosen = false;
  };
  void read_section(Section section, const fdt::Walk& walk, DeviceReader& devices, Seen& seen);
  void read_memory(const fdt::Node& node);
  void read_reservations(const fdt::Tree& tree);
  void read_reserved_memory(const fdt::Node& node);
  void read_cpus(const fdt::Node& cpus);
  void read_cpu(const fdt::Node& cpu);
  void read_chosen(const fdt::Node& chosen, DeviceReader& devices);
  void read_initrd(const fdt::Node& chosen);
  void read_serial(StringView path, DeviceReader& devices);

  /// A property's text; an open one is counted. Empty when there is none.
  StringView text_of(const fdt::Property& property);
  /// 2.3.4; an open text is counted.
  bool is_usable(const fdt::Property& status);
  /// Calls take(range) for each range of `reg` that makes sense; the others are counted.
  template <typename Take> void for_each_range(const fdt::Node& node, Take take);
  void note(Oddity kind) { oddities_.note(kind); }
  void note_unless(bool fine, Oddity kind) { oddities_.note_unless(fine, kind); }

  BoundedText<kNameMax> model_;
  BoundedList<fdt::Range, kMemoryRangesMax> memory_;
  BoundedList<Reserved, kReservedRangesMax> reserved_;
  BoundedList<uint64_t, kCpusMax> cpus_;
  BoundedText<kBootargsMax> bootargs_;
  fdt::Range initrd_;
  bool has_serial_ = false;
  Serial serial_;
  Devices devices_;
  Oddities oddities_;
};

} // namespace clay
