#pragma once
// The board, as the kernel needs it before anything else runs: memory, what of it is taken, CPUs,
// console, command line. Read from a device tree; owns all that it says, so that the tree may go.
//
// What is wrong in the tree costs only the thing that it describes: the entry is left out and
// counted as an oddity, for the log. A board without memory is the one thing that nothing can be
// done with.

#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/bounded_text.h"
#include "kernel-src/boot/fdt.h"

namespace clay {

// X(identifier, "what was left out and why")
#define CLAY_BOARD_ODDITIES(X)                                                                     \
  X(kRegShape, "a node's reg is missing or does not fit its parent's cells")                       \
  X(kRangeBeyond, "a range whose numbers or end do not fit 64 bits")                               \
  X(kRangeEmpty, "a range of no bytes")                                                            \
  X(kTextOpen, "a text without its NUL")                                                           \
  X(kMemoryFull, "a memory range beyond the limit")                                                \
  X(kReservedFull, "a reserved range beyond the limit")                                            \
  X(kCpusFull, "a CPU beyond the limit")                                                           \
  X(kBootargsCut, "a command line cut to its limit")                                               \
  X(kInitrd, "an initial RAM disk whose ends make no sense")                                       \
  X(kSerialPath, "a stdout-path that leads to no node")                                            \
  X(kSerialAddress, "a console device without an address that a CPU can reach")

enum class Oddity : uint8_t {
#define CLAY_BOARD_ODDITY_ENUM(id, text) id,
  CLAY_BOARD_ODDITIES(CLAY_BOARD_ODDITY_ENUM)
#undef CLAY_BOARD_ODDITY_ENUM
};
#define CLAY_BOARD_ODDITY_COUNT(id, text) +1
inline constexpr size_t kOddities = 0 CLAY_BOARD_ODDITIES(CLAY_BOARD_ODDITY_COUNT);
#undef CLAY_BOARD_ODDITY_COUNT

/// In words, for the log. Never null.
const char* oddity_text(Oddity oddity);

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
  size_t oddities(Oddity kind) const { return oddities_[static_cast<size_t>(kind)]; }

 private:
  void read_memory(const fdt::Node& node);
  void read_reservations(const fdt::Tree& tree);
  void read_reserved_memory(const fdt::Node& node);
  void read_cpus(const fdt::Node& cpus);
  void read_cpu(const fdt::Node& cpu);
  void read_chosen(const fdt::Tree& tree, const fdt::Node& chosen);
  void read_initrd(const fdt::Node& chosen);
  void read_serial(const fdt::Tree& tree, StringView path);

  /// A property's text; an open one is counted. Empty when there is none.
  StringView text_of(const fdt::Property& property);
  bool is_available(const fdt::Node& node);
  /// Calls take(range) for each range of `reg` that makes sense; the others are counted.
  template <typename Take> void for_each_range(const fdt::Node& node, Take take);
  void note(Oddity kind) { ++oddities_[static_cast<size_t>(kind)]; }
  void note_unless(bool fine, Oddity kind) {
    if (!fine) {
      note(kind);
    }
  }

  BoundedText<kNameMax> model_;
  BoundedList<fdt::Range, kMemoryRangesMax> memory_;
  BoundedList<Reserved, kReservedRangesMax> reserved_;
  BoundedList<uint64_t, kCpusMax> cpus_;
  BoundedText<kBootargsMax> bootargs_;
  fdt::Range initrd_;
  bool has_serial_ = false;
  Serial serial_;
  uint32_t oddities_[kOddities] = {};
};

} // namespace clay
