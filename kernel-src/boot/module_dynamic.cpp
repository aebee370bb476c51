#include "kernel-src/boot/module_dynamic.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::elf {
namespace {

/// The entries that are looked at.
enum Slot : uint8_t {
  kStrings,
  kStringsSize,
  kSymbols,
  kSymbolEntry,
  kHash,
  kGnuHash,
  kRela,
  kRelaSize,
  kRelaEntry,
  kPlt,
  kPltSize,
  kPltForm,
  kSlots,
};
constexpr uint64_t kTagOf[kSlots] = {kTagStrings,   kTagStringsSize, kTagSymbols, kTagSymbolEntry,
                                     kTagHash,      kTagGnuHash,     kTagRela,    kTagRelaSize,
                                     kTagRelaEntry, kTagPlt,         kTagPltSize, kTagPltForm};

struct Entry {
  bool present = false;
  uint64_t at = 0; ///< in the file
  uint64_t value = 0;
};

/// What the section says, entry by entry.
class Section {
 public:
  explicit Section(const Layout& layout) : layout_(layout) {}

  Refused read();
  const Entry& operator[](Slot slot) const { return entries_[slot]; }
  bool has(Slot slot) const { return entries_[slot].present; }
  unsigned count_of(Slot a, Slot b, Slot c) const {
    return (has(a) ? 1u : 0) + (has(b) ? 1u : 0) + (has(c) ? 1u : 0);
  }
  Refused missing() const { return {Refusal::kMissing, layout_.dynamic.file_offset}; }
  /// What is loaded at the address that an entry holds; `size` bytes, or all.
  Result<Bytes> content(Slot slot, uint64_t size) const {
    return layout_.content(entries_[slot].value, size);
  }
  Result<Bytes> content_from(Slot slot) const { return layout_.content_from(entries_[slot].value); }

 private:
  Refusal take(const Entry& entry, uint64_t tag);

  const Layout& layout_;
  Entry entries_[kSlots];
};

/// Of an entry that no module may have.
Refusal objection(uint64_t tag, uint64_t value) {
  switch (tag) {
  case kTagNeeded:
    return Refusal::kNeeded;
  case kTagInit:
  case kTagFini:
  case kTagInitArray:
  case kTagFiniArray:
  case kTagPreinitArray:
    return Refusal::kInitialisers;
  case kTagRel:
  case kTagRelr:
    return Refusal::kRelocationForm;
  case kTagTextRelocations:
    return Refusal::kTextRelocations;
  case kTagFlags:
    return (value & kFlagTextRelocations) != 0 ? Refusal::kTextRelocations : Refusal::kNone;
  default:
    return Refusal::kNone;
  }
}

Refusal Section::take(const Entry& entry, uint64_t tag) {
  for (size_t slot = 0; slot < kSlots; ++slot) {
    if (tag == kTagOf[slot]) {
      const bool twice = entries_[slot].present;
      entries_[slot] = entry;
      return twice ? Refusal::kTwice : Refusal::kNone;
    }
  }
  return objection(tag, entry.value);
}

Refused Section::read() {
  const ProgramPart& part = layout_.dynamic;
  const Result<Bytes> bytes = layout_.content(part.address, part.file_bytes);
  // By its address and by its place in the file it is the same.
  if (!bytes.ok() || layout_.place_of(bytes.value()) != part.file_offset) {
    return {Refusal::kDynamicPlace, part.at};
  }
  const Table table{bytes.value(), kDynamicBytes};
  for (size_t i = 0; i < table.size(); ++i) {
    const Bytes entry = table[i];
    const uint64_t tag = load_le<uint64_t>(entry.data());
    if (tag == kTagEnd) {
      return {};
    }
    const Entry found{true, layout_.place_of(entry), load_le<uint64_t>(&entry[8])};
    const Refusal refusal = take(found, tag);
    if (refusal != Refusal::kNone) {
      return {refusal, found.at};
    }
  }
  return {Refusal::kDynamicEnd, part.file_offset};
}

// --- The tables

Refused read_strings(const Section& section, Bytes& out) {
  const Result<Bytes> strings = section.content(kStrings, section[kStringsSize].value);
  if (!strings.ok() || strings.value().empty() || strings.value().front() != 0 ||
      strings.value().back() != 0) {
    return {Refusal::kStrings, section[kStrings].at};
  }
  out = strings.value();
  return {};
}

uint32_t word_at(Bytes words, size_t index) {
  return load_le<uint32_t>(&words[index * kHashWordBytes]);
}

/// A table says how many chains it has: one a symbol.
Result<uint64_t> symbols_by_hash(Bytes table) {
  const uint64_t buckets = word_at(CLAY_TRY(table.slice(0, kHashHeaderBytes)), 0);
  const uint64_t symbols = word_at(table, 1);
  static_cast<void>(
      CLAY_TRY(table.slice(0, kHashHeaderBytes + (buckets + symbols) * kHashWordBytes)));
  return symbols;
}

/// Here the last symbol is the one that ends the last chain.
Result<uint64_t> symbols_by_gnu_hash(Bytes table) {
  const Bytes header = CLAY_TRY(table.slice(0, kGnuHashHeaderBytes));
  const uint64_t buckets = word_at(header, 0);
  const uint64_t first = word_at(header, 1);
  const uint64_t filter = word_at(header, 2) * uint64_t{kGnuFilterWordBytes};
  const Bytes heads = CLAY_TRY(table.slice(kGnuHashHeaderBytes + filter, buckets * kHashWordBytes));
  uint64_t last = 0;
  for (size_t i = 0; i < buckets; ++i) {
    const uint64_t head = word_at(heads, i);
    last = head > last ? head : last;
  }
  if (last == 0) { // no chain; those before the first one that could be in one are there
    return first;
  }
  if (last < first) {
    return Error::kCorrupt;
  }
  const Bytes chains = table.from(kGnuHashHeaderBytes + filter + heads.size());
  for (;; ++last) {
    const uint64_t at = (last - first) * kHashWordBytes;
    const Bytes word = CLAY_TRY(chains.slice(at, kHashWordBytes));
    if ((word_at(word, 0) & 1) != 0) {
      return last + 1;
    }
  }
}

Refused count_symbols(const Section& section, uint64_t& count) {
  const Slot slot = section.has(kHash) ? kHash : kGnuHash;
  const Result<Bytes> table = section.content_from(slot);
  if (!table.ok()) {
    return {Refusal::kHash, section[slot].at};
  }
  const Result<uint64_t> symbols =
      slot == kHash ? symbols_by_hash(table.value()) : symbols_by_gnu_hash(table.value());
  if (!symbols.ok()) {
    return {Refusal::kHash, section[slot].at};
  }
  count = symbols.value();
  return {};
}

Refused read_symbols(const Section& section, Table& out) {
  const uint64_t stride = section[kSymbolEntry].value;
  if (stride < kSymbolBytes) {
    return {Refusal::kEntrySize, section[kSymbolEntry].at};
  }
  uint64_t count = 0;
  if (const Refused why = count_symbols(section, count)) {
    return why;
  }
  const Result<uint64_t> size = checked_mul(count, stride);
  const Result<Bytes> symbols =
      size.ok() ? section.content(kSymbols, size.value()) : Error::kOverflow;
  if (!symbols.ok()) {
    return {Refusal::kSymbols, section[kSymbols].at};
  }
  out = {symbols.value(), static_cast<size_t>(stride)};
  return {};
}

Refused read_relocations(const Section& section, Slot place, Slot size, uint64_t stride,
                         Table& out) {
  if (section[size].value % stride != 0) {
    return {Refusal::kEntrySize, section[size].at};
  }
  const Result<Bytes> entries = section.content(place, section[size].value);
  if (!entries.ok()) {
    return {Refusal::kRelocations, section[place].at};
  }
  out = {entries.value(), static_cast<size_t>(stride)};
  return {};
}

/// Both tables have entries of one size, which the first one says if there is one.
Refused read_both_relocations(const Section& section, Tables& out) {
  const unsigned of_first = section.count_of(kRela, kRelaSize, kRelaEntry);
  const unsigned of_second = section.count_of(kPlt, kPltSize, kPltForm);
  if (of_first % 3 != 0 || of_second % 3 != 0) {
    return section.missing();
  }
  const uint64_t stride = of_first == 0 ? kRelocationBytes : section[kRelaEntry].value;
  if (stride < kRelocationBytes) {
    return {Refusal::kEntrySize, section[kRelaEntry].at};
  }
  if (of_first != 0) {
    if (const Refused why =
            read_relocations(section, kRela, kRelaSize, stride, out.relocations[0])) {
      return why;
    }
  }
  if (of_second == 0) {
    return {};
  }
  if (section[kPltForm].value != kTagRela) {
    return {Refusal::kRelocationForm, section[kPltForm].at};
  }
  return read_relocations(section, kPlt, kPltSize, stride, out.relocations[1]);
}

} // namespace

Refused read_tables(const Layout& layout, Tables& out) {
  Section section(layout);
  if (const Refused why = section.read()) {
    return why;
  }
  const bool has_hash = section.has(kHash) || section.has(kGnuHash);
  if (!has_hash || !section.has(kStrings) || !section.has(kStringsSize) || !section.has(kSymbols) ||
      !section.has(kSymbolEntry)) {
    return section.missing();
  }
  if (const Refused why = read_strings(section, out.strings)) {
    return why;
  }
  if (const Refused why = read_symbols(section, out.symbols)) {
    return why;
  }
  return read_both_relocations(section, out);
}

} // namespace clay::elf
