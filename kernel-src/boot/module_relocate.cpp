#include "kernel-src/boot/module_relocate.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::elf {
namespace {

/// What the word is made of, in the supplements' words: S the symbol, A the addend, B the base.
enum class Formula : uint8_t {
  kUnknown,
  kNothing,
  kSymbol,       ///< S
  kSymbolAddend, ///< S + A
  kBaseAddend,   ///< B + A
};

/// AMD64 supplement 1.0, table 4.9: GLOB_DAT and JUMP_SLOT have no addend.
Formula formula_x86_64(uint32_t type) {
  switch (type) {
  case kX86None:
    return Formula::kNothing;
  case kX86Word:
    return Formula::kSymbolAddend;
  case kX86GlobDat:
  case kX86JumpSlot:
    return Formula::kSymbol;
  case kX86Relative:
    return Formula::kBaseAddend;
  default:
    return Formula::kUnknown;
  }
}

/// ELF for the Arm 64-bit Architecture, 5.7.12: here they have one.
Formula formula_aarch64(uint32_t type) {
  switch (type) {
  case kArmNone:
  case kArmNoneWithdrawn:
    return Formula::kNothing;
  case kArmWord:
  case kArmGlobDat:
  case kArmJumpSlot:
    return Formula::kSymbolAddend;
  case kArmRelative:
    return Formula::kBaseAddend;
  default:
    return Formula::kUnknown;
  }
}

struct Relocation {
  uint64_t place;
  uint64_t addend; ///< two's complement
  uint32_t symbol;
  Formula formula;
};

Relocation read(Machine machine, Bytes entry) {
  const uint32_t type = load_le<uint32_t>(&entry[kTypeInInfoAt]);
  return {load_le<uint64_t>(&entry[kPlaceAt]), load_le<uint64_t>(&entry[kAddendAt]),
          load_le<uint32_t>(&entry[kSymbolInInfoAt]),
          machine == Machine::kX86_64 ? formula_x86_64(type) : formula_aarch64(type)};
}

Refusal check(const Relocation& relocation, const Layout& layout, size_t symbols) {
  if (relocation.formula == Formula::kUnknown) {
    return Refusal::kRelocationType;
  }
  if (relocation.formula == Formula::kNothing) {
    return Refusal::kNone;
  }
  // Symbol 0 may always be named: it is none.
  const bool relative = relocation.formula == Formula::kBaseAddend;
  if (relocation.symbol != 0 && (relative || relocation.symbol >= symbols)) {
    return Refusal::kRelocationSymbol;
  }
  const Segment* const segment = layout.segment_of(relocation.place, kWordBytes);
  if (segment == nullptr) {
    return Refusal::kRelocationPlace;
  }
  return segment->rights.write ? Refusal::kNone : Refusal::kRelocationReadOnly;
}

uint64_t word_of(const Relocation& relocation, const Symbols& symbols, uint64_t bias) {
  const uint64_t addend = relocation.formula == Formula::kSymbol ? 0 : relocation.addend;
  const uint64_t base =
      relocation.formula == Formula::kBaseAddend ? bias : symbols.value(relocation.symbol, bias);
  return wrapping_add(base, addend);
}

} // namespace

Refused check_relocations(Machine machine, const Layout& layout, const Tables& tables) {
  for (const Table& table : tables.relocations) {
    for (size_t i = 0; i < table.size(); ++i) {
      const Refusal refusal = check(read(machine, table[i]), layout, tables.symbols.size());
      if (refusal != Refusal::kNone) {
        return {refusal, layout.place_of(table[i])};
      }
    }
  }
  return {};
}

void relocate(Machine machine, const Tables& tables, const Symbols& symbols, Image& image) {
  for (const Table& table : tables.relocations) {
    for (size_t i = 0; i < table.size(); ++i) {
      const Relocation relocation = read(machine, table[i]);
      if (relocation.formula != Formula::kNothing) {
        uint8_t word[kWordBytes];
        store_le(word, word_of(relocation, symbols, image.bias()));
        image.write(wrapping_add(relocation.place, image.bias()), word);
      }
    }
  }
}

} // namespace clay::elf
