#pragma once
// ELF files of the 64-bit class, as far as a module loader needs them: System V Application Binary
// Interface (gABI), edition 4.1 and its later drafts, chapters 4 and 5. All numbers are
// little-endian. Where a number is another document's, its line says so.

#include <stddef.h>
#include <stdint.h>

namespace clay::elf {

/// Chapter 4, "Machine Information"; the numbers are the processor supplements'.
enum class Machine : uint16_t {
  kX86_64 = 62,
  kAArch64 = 183,
};

// --- Chapter 4, "ELF Header"

inline constexpr size_t kHeaderBytes = 64;
inline constexpr uint8_t kMagic[] = {0x7F, 'E', 'L', 'F'};
inline constexpr uint8_t kClass64 = 2;
inline constexpr uint8_t kLittleEndian = 1;
inline constexpr uint8_t kCurrentVersion = 1;
inline constexpr uint8_t kAbiSystemV = 0;
inline constexpr uint8_t kAbiGnu = 3; ///< extensions of symbols only
inline constexpr uint16_t kSharedObject = 3;
/// e_phnum that says that the number stands elsewhere.
inline constexpr uint16_t kCountElsewhere = 0xFFFF;

enum HeaderField : size_t {
  kClassAt = 4,
  kByteOrderAt = 5,
  kIdentVersionAt = 6,
  kAbiAt = 7,
  kTypeAt = 16,
  kMachineAt = 18,
  kVersionAt = 20,
  kProgramOffsetAt = 32,
  kHeaderSizeAt = 52,
  kProgramSizeAt = 54,
  kProgramCountAt = 56,
};

// --- Chapter 5, "Program Header"

inline constexpr size_t kProgramBytes = 56;

enum ProgramField : size_t {
  kProgramTypeAt = 0,
  kProgramFlagsAt = 4,
  kFileOffsetAt = 8,
  kAddressAt = 16,
  kFileSizeAt = 32,
  kMemorySizeAt = 40,
  kAlignAt = 48,
};

enum ProgramType : uint32_t {
  kLoad = 1,
  kDynamic = 2,
  kThreadLocalStorage = 7,
  kGnuRelro = 0x6474'E552, ///< Linux Standard Base 5.0, core, 12.1
};

enum ProgramFlag : uint32_t { kExecute = 1, kWrite = 2, kRead = 4 };

// --- Chapter 5, "Dynamic Section"

inline constexpr size_t kDynamicBytes = 16; ///< tag, value

enum Tag : uint64_t {
  kTagEnd = 0,
  kTagNeeded = 1,
  kTagPltSize = 2,
  kTagHash = 4,
  kTagStrings = 5,
  kTagSymbols = 6,
  kTagRela = 7,
  kTagRelaSize = 8,
  kTagRelaEntry = 9,
  kTagStringsSize = 10,
  kTagSymbolEntry = 11,
  kTagInit = 12,
  kTagFini = 13,
  kTagRel = 17,
  kTagPltForm = 20,
  kTagTextRelocations = 22,
  kTagPlt = 23,
  kTagInitArray = 25,
  kTagFiniArray = 26,
  kTagFlags = 30,
  kTagPreinitArray = 32,
  kTagRelr = 36,
  kTagGnuHash = 0x6FFF'FEF5, ///< the GNU tools' own
};
/// Of kTagFlags.
inline constexpr uint64_t kFlagTextRelocations = 4;

// --- Chapter 4, "Symbol Table"

inline constexpr size_t kSymbolBytes = 24;

enum SymbolField : size_t {
  kNameAt = 0,
  kInfoAt = 4, ///< binding in the high half, type in the low one
  kSectionAt = 6,
  kValueAt = 8,
  kSizeAt = 16,
};

enum SymbolBinding : uint8_t { kLocal = 0, kGlobal = 1, kWeak = 2, kGnuUnique = 10 };
enum SymbolType : uint8_t {
  kNoType = 0,
  kObject = 1,
  kFunction = 2,
  kSection = 3,
  kFile = 4,
  kThreadLocalObject = 6,
};
enum SectionIndex : uint16_t {
  kUndefined = 0,
  kReserved = 0xFF00, ///< from here on they have a meaning of their own
  kAbsolute = 0xFFF1,
};

// --- Chapter 5, "Hash Table", and the GNU tools' own

inline constexpr size_t kHashHeaderBytes = 8;     ///< buckets, symbols
inline constexpr size_t kGnuHashHeaderBytes = 16; ///< buckets, first symbol, filter words, shift
inline constexpr size_t kGnuFilterWordBytes = 8;
inline constexpr size_t kHashWordBytes = 4;

// --- Chapter 4, "Relocation"

inline constexpr size_t kRelocationBytes = 24;

enum RelocationField : size_t {
  kPlaceAt = 0,
  kTypeInInfoAt = 8,    ///< the low half of r_info
  kSymbolInInfoAt = 12, ///< the high half
  kAddendAt = 16,
};

/// System V ABI, AMD64 Architecture Processor Supplement 1.0, table 4.9.
enum RelocationX86_64 : uint32_t {
  kX86None = 0,
  kX86Word = 1,
  kX86GlobDat = 6,
  kX86JumpSlot = 7,
  kX86Relative = 8,
};
/// ELF for the Arm 64-bit Architecture 2024Q3, 5.7.3.1, 5.7.5 and 5.7.12.
enum RelocationAArch64 : uint32_t {
  kArmNone = 0,
  kArmNoneWithdrawn = 256,
  kArmWord = 257,
  kArmGlobDat = 1025,
  kArmJumpSlot = 1026,
  kArmRelative = 1027,
};
/// What all of them change.
inline constexpr size_t kWordBytes = 8;

} // namespace clay::elf
