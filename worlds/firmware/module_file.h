#pragma once
// A second reader of kernel modules, for oracles: shared objects of ELF as the System V gABI
// (chapters 4 and 5), the AMD64 psABI and ELF for the Arm 64-bit Architecture have them, under the
// loader's further rules (kernel-src/boot/module.h, in words).
//
// It says all that is wrong in a file, not the first thing: within a stage (header, program
// headers, dynamic section, tables, symbols and relocations ...) every fault that stands by itself.
// A stage is not begun when one before it has found any. Places are 64 bits wide, sums 128.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kiln::worlds {

enum class ModuleFault : uint8_t {
  kTooShort,
  kNoMagic,
  kNot64Bit,
  kNotLittleEndian,
  kNotVersion1,
  kOtherSystem,
  kNotShared,
  kOtherMachine,
  kSmallHeader,
  kHeadersOutside,
  kOutsideFile,
  kMoreInFile,
  kWraps,
  kBadAlign,
  kNotCongruent,
  kWriteAndExecute,
  kNoAccess,
  kUnsorted,
  kPageShared,
  kTooMany,
  kEmpty,
  kTls,
  kBadRelro,
  kBadDynamic,
  kOpenDynamic,
  kTagTwice,
  kTagMissing,
  kNeedsOther,
  kHasInitialisers,
  kTextRelocations,
  kOtherForm,
  kSmallEntry,
  kBadStrings,
  kBadHash,
  kBadSymbols,
  kBadRelocations,
  kNameOutside,
  kNameTooLong,
  kBadKind,
  kSymbolOutside,
  kUnresolved,
  kUnknownType,
  kNoSuchSymbol,
  kPlaceOutside,
  kPlaceReadOnly,
  kNoDescriptor,
  kBadDescriptor,
  kBadName,
  kBadEntry,
};

struct ModuleRules {
  uint16_t machine;     ///< e_machine: 62 or 183
  size_t most_segments; ///< the loader's limits
  uint64_t most_align;
  size_t longest_name;   ///< of a module
  size_t longest_symbol; ///< a symbol's name
};

/// What the kernel offers.
using ModuleExports = std::map<std::string, uint64_t>;

struct ModuleFile {
  struct Segment {
    uint64_t address;
    uint64_t bytes;
    uint64_t offset;
    uint64_t in_file;
    bool write;
    bool execute;
  };
  struct Symbol {
    std::string name; ///< of one that is too long, a character more than is allowed
    uint64_t value = 0;
    uint64_t size = 0;
    uint16_t section = 0;
    uint8_t binding = 0;
    uint8_t type = 0;
    uint64_t at = 0; ///< in the file
  };
  struct Relocation {
    uint64_t place;
    uint32_t type;
    uint32_t symbol;
    uint64_t addend;
  };
  using Fault = std::pair<ModuleFault, uint64_t>; ///< and where in the file; 0: of all of it

  std::set<Fault> faults;
  std::vector<Segment> segments; ///< by address
  uint64_t align = 4096;
  bool has_relro = false;
  uint64_t relro_address = 0;
  uint64_t relro_bytes = 0;
  std::vector<Symbol> symbols; ///< [0] stands for none
  std::vector<Relocation> relocations;
  size_t program_stride = 0;
  size_t symbol_stride = 0;
  size_t relocation_stride = 0;
  bool by_gnu_hash = false; ///< the number of symbols comes from there
  size_t descriptor = 0;    ///< index of a symbol

  uint64_t first_page() const { return segments.front().address >> 12; }
  uint64_t end_page() const {
    return ((segments.back().address + (segments.back().bytes - 1)) >> 12) + 1;
  }
  /// Whether [address, address + size) lies in a segment; which.
  const Segment* segment_of(uint64_t address, uint64_t size) const;
};

ModuleFile read_module(std::span<const uint8_t> bytes, const ModuleRules& rules,
                       const ModuleExports& exports);

} // namespace kiln::worlds
