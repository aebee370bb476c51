#pragma once
// What a Multiboot2 loader hands over: one block of tags (Multiboot2 Specification 2.0, section
// 3.6). Owns all that it says, so that the block may go.
//
// A block whose tags cannot be walked to their end is refused whole. A tag that makes no sense
// costs only itself and is counted as an oddity, for the log.

#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/bounded_text.h"
#include "kernel-src/boot/firmware_map.h"
#include "kernel-src/lib/byte_reader.h"
#include "kernel-src/lib/kind_counts.h"

namespace clay {

// X(identifier, "what was left out and why")
#define CLAY_MULTIBOOT_ODDITIES(X)                                                                 \
  X(kTagShort, "a tag too short for what it must say")                                             \
  X(kTextOpen, "a text without its NUL")                                                           \
  X(kTextCut, "a text cut to its limit")                                                           \
  X(kModuleEnds, "a module whose ends make no sense")                                              \
  X(kModulesFull, "a module beyond the limit")                                                     \
  X(kMapStride, "a memory map whose entries are too short")                                        \
  X(kMapNotFinal, "a UEFI memory map while boot services still run")                               \
  X(kTwice, "a tag that may stand once, again")                                                    \
  X(kUnknownTag, "a tag of a kind that is not known")

enum class MultibootOddity : uint8_t {
#define CLAY_MULTIBOOT_ODDITY_ENUM(id, text) id,
  CLAY_MULTIBOOT_ODDITIES(CLAY_MULTIBOOT_ODDITY_ENUM)
#undef CLAY_MULTIBOOT_ODDITY_ENUM
};
#define CLAY_MULTIBOOT_ODDITY_COUNT(id, text) +1
inline constexpr size_t kMultibootOddities = 0 CLAY_MULTIBOOT_ODDITIES(CLAY_MULTIBOOT_ODDITY_COUNT);
#undef CLAY_MULTIBOOT_ODDITY_COUNT

/// In words, for the log. Never null.
const char* multiboot_oddity_text(MultibootOddity oddity);

class MultibootInfo {
 public:
  static constexpr size_t kCommandLineMax = 1023;
  static constexpr size_t kNameMax = 63;
  static constexpr size_t kModulesMax = 16;
  /// An RSDP of ACPI 2.0 (ACPI Specification 6.5, section 5.2.5.3).
  static constexpr size_t kRsdpMax = 36;

  /// A file that the loader has put into memory: [first, last], both included.
  struct Module {
    uint32_t first;
    uint32_t last;
    BoundedText<kNameMax> name;
  };
  struct Framebuffer {
    uint64_t address = 0; ///< 0: there is none
    uint32_t pitch = 0;   ///< bytes a line
    uint32_t width = 0;
    uint32_t height = 0;
    uint8_t bits = 0; ///< a pixel
    uint8_t type = 0; ///< 0 palette, 1 RGB, 2 text
  };

  /// Reads the block at the start of `bytes` into this object, which is new, and its memory maps
  /// into `map`. kTruncated: no whole block. kCorrupt: tags that do not lead to an end tag.
  Result<void> read(Bytes bytes, MemoryMap& map);

  StringView command_line() const { return command_line_.view(); }
  StringView loader() const { return loader_.view(); }
  Span<const Module> modules() const { return modules_.all(); }
  /// The copy of the root pointer of ACPI, 20 or 36 bytes; empty: none. The newer one if both came.
  Bytes rsdp() const { return Bytes(rsdp_, rsdp_size_); }
  const Framebuffer& framebuffer() const { return framebuffer_; }
  /// Physical address of the UEFI system table; 0: none.
  uint64_t efi_system_table() const { return efi_system_table_; }
  bool boot_services_run() const { return boot_services_run_; }
  const MapReport& map_report() const { return map_report_; }
  size_t oddities(MultibootOddity kind) const { return oddities_.count(kind); }

 private:
  struct Tag {
    uint32_t type;
    ByteReader body;
  };

  static Result<Tag> next_tag(ByteReader& block);
  template <typename Take> static Result<void> for_each_tag(Bytes block, Take take);
  void read_tag(const Tag& tag, MemoryMap& map);
  bool is_first(uint32_t type);
  template <size_t most> void read_text(ByteReader body, BoundedText<most>& out);
  void read_module(ByteReader body);
  void read_memory_map(ByteReader body, MemoryMap& map);
  void read_efi_map(ByteReader body, MemoryMap& map);
  void read_framebuffer(ByteReader body);
  void read_rsdp(ByteReader body, size_t size);
  void read_system_table(ByteReader body, bool wide);
  void note(MultibootOddity kind) { oddities_.note(kind); }

  BoundedText<kCommandLineMax> command_line_;
  BoundedText<kNameMax> loader_;
  BoundedList<Module, kModulesMax> modules_;
  uint8_t rsdp_[kRsdpMax] = {};
  size_t rsdp_size_ = 0;
  Framebuffer framebuffer_;
  uint64_t efi_system_table_ = 0;
  bool has_wide_table_ = false; ///< the 64-bit one counts
  bool boot_services_run_ = false;
  MapReport map_report_;
  uint32_t seen_ = 0; ///< a bit for each kind of tag
  KindCounts<MultibootOddity, kMultibootOddities> oddities_;
};

} // namespace clay
