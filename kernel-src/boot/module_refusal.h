#pragma once
// Why a file is refused as a module. Where a reason is not the System V gABI's or a processor
// supplement's own rule but Clay's, module.h says so.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/enum_text.h"
#include "kernel-src/lib/string_view.h"

namespace clay::elf {

// X(identifier, "what is wrong")
#define CLAY_MODULE_REFUSALS(X)                                                                    \
  X(kNone, "nothing is wrong")                                                                     \
  X(kShort, "it is shorter than a header")                                                         \
  X(kMagic, "it does not begin with the magic number")                                             \
  X(kClass, "it is not a file of the 64-bit class")                                                \
  X(kByteOrder, "its numbers are not little-endian")                                               \
  X(kVersion, "its version of the format is not 1")                                                \
  X(kAbi, "it is made for another operating system")                                               \
  X(kType, "it is not a shared object")                                                            \
  X(kMachine, "it is made for another machine")                                                    \
  X(kHeaderSize, "its header or a program header is shorter than the format's")                    \
  X(kProgramHeaders, "its program headers do not lie in the file, or there are none")              \
  X(kSegmentFile, "a segment's bytes do not lie in the file")                                      \
  X(kSegmentSizes, "a segment has more bytes in the file than in memory")                          \
  X(kSegmentAddress, "a segment reaches past the last address")                                    \
  X(kAlignment, "a segment's alignment is no power of two, or too large")                          \
  X(kCongruence, "a segment's address and its place in the file are aligned differently")          \
  X(kWriteExecute, "a segment is to be written and executed")                                      \
  X(kNoRights, "a segment may not be used at all")                                                 \
  X(kSegmentOrder, "segments are not in order of their addresses")                                 \
  X(kSegmentOverlap, "two segments share a page")                                                  \
  X(kTooManySegments, "there are more segments than there is room for")                            \
  X(kNoSegments, "there is nothing to load")                                                       \
  X(kThreadLocal, "it has thread-local storage")                                                   \
  X(kRelro, "what is read-only after relocation lies in no writable segment, or is named twice")   \
  X(kDynamicPlace, "there is not one dynamic section in the loaded part of the file")              \
  X(kDynamicEnd, "the dynamic section has no last entry")                                          \
  X(kTwice, "an entry of the dynamic section stands twice")                                        \
  X(kMissing, "an entry of the dynamic section is missing")                                        \
  X(kNeeded, "it needs another module")                                                            \
  X(kInitialisers, "it has initialisers, which nobody would run")                                  \
  X(kTextRelocations, "it asks for relocation of what may not be written")                         \
  X(kRelocationForm, "its relocations are of another form than with addends")                      \
  X(kEntrySize, "an entry of a table is shorter than the format's, or a table ends inside one")    \
  X(kStrings, "the string table is not loaded, or does not begin and end with a NUL")              \
  X(kHash, "the hash table is not loaded, or does not say how many symbols there are")             \
  X(kSymbols, "the symbol table is not loaded from the file")                                      \
  X(kRelocations, "a table of relocations is not loaded from the file")                            \
  X(kSymbolName, "a symbol's name lies outside the string table")                                  \
  X(kSymbolNameLong, "a symbol's name is too long")                                                \
  X(kSymbolKind, "a symbol is of a kind or binding that is not supported")                         \
  X(kSymbolPlace, "a symbol lies outside the segments")                                            \
  X(kUnresolved, "the kernel has no symbol of that name")                                          \
  X(kRelocationType, "a relocation is of a type that is not supported")                            \
  X(kRelocationSymbol, "a relocation names a symbol that is not there, or one too many")           \
  X(kRelocationPlace, "a relocation lies outside the segments")                                    \
  X(kRelocationReadOnly, "a relocation changes what may not be written")                           \
  X(kNoDescriptor, "it does not say what it is: there is no descriptor")                           \
  X(kDescriptor, "its descriptor lies outside the segments, or is of another version")             \
  X(kDescriptorName, "its name lies outside the segments, is empty or too long")                   \
  X(kDescriptorEntry, "an entry point lies in nothing that may be executed")                       \
  X(kLoaded, "a module of that name is loaded")                                                    \
  X(kNoSpace, "there is no room for it among the addresses for modules")                           \
  X(kNoMemory, "there is no memory for it")

enum class Refusal : uint8_t {
#define CLAY_MODULE_REFUSAL_ENUM(id, text) id,
  CLAY_MODULE_REFUSALS(CLAY_MODULE_REFUSAL_ENUM)
#undef CLAY_MODULE_REFUSAL_ENUM
};

#define CLAY_MODULE_REFUSAL_COUNT(id, text) +1
inline constexpr size_t kRefusals = 0 CLAY_MODULE_REFUSALS(CLAY_MODULE_REFUSAL_COUNT);
#undef CLAY_MODULE_REFUSAL_COUNT

inline constexpr const char* kRefusalTexts[] = {CLAY_MODULE_REFUSALS(CLAY_TEXT_OF)};

/// In words, for the log. Never null.
inline const char* refusal_text(Refusal refusal) { return text_of(kRefusalTexts, refusal); }

/// A refusal and where.
struct Refused {
  Refusal reason = Refusal::kNone;
  /// Where in the file the program header, the entry of the dynamic section, the symbol or the
  /// relocation stands that is at fault; 0 when none is.
  uint64_t at = 0;
  StringView symbol = {}; ///< kUnresolved: its name, in the file

  /// Whether there is one: `if (const Refused why = check(...)) return why;`
  explicit operator bool() const { return reason != Refusal::kNone; }
};

} // namespace clay::elf
