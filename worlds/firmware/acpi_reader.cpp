// Root pointer, root table, and the tables that it names (ACPI Specification 6.5, sections 5.2.5 to
// 5.2.8).

#include <algorithm>
#include <numeric>
#include <set>

#include "worlds/firmware/acpi_tables.h"

namespace kiln::worlds::acpi {
namespace {

using Bytes = std::vector<uint8_t>;

bool sums_to_zero(Table bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0u) % 256 == 0;
}

bool starts_with(Table bytes, const char* text) {
  for (; *text != 0; ++text, bytes = bytes.subspan(1)) {
    if (bytes.empty() || bytes.front() != static_cast<uint8_t>(*text)) return false;
  }
  return true;
}

/// Whether the `bytes` from `first` on end below 2^64, counted in 128 bits.
bool ends_in_memory(uint64_t first, uint64_t bytes) {
  return static_cast<unsigned __int128>(first) + bytes <= static_cast<unsigned __int128>(1) << 64;
}

class Reader {
 public:
  Reader(const PhysicalMemory& memory, std::span<const Extent> refused, const Limits& limits)
      : memory_(memory), refused_(refused.begin(), refused.end()), limits_(limits) {}

  Reading read(const Hint& hint) {
    if (!find_root(hint)) {
      out_.verdict = Reading::Verdict::kNoRoot;
      return std::move(out_);
    }
    const std::optional<std::vector<uint64_t>> named = named_tables();
    if (!named) {
      out_.verdict = Reading::Verdict::kNoRootTable;
      return std::move(out_);
    }
    for (const uint64_t at : *named) {
      if (const std::optional<Bytes> table = whole_table(at)) {
        interpret(*table);
        list(*table, at);
      }
    }
    const uint64_t dsdt = out_.fadt ? out_.fadt->dsdt : 0;
    if (dsdt != 0 && std::find(named->begin(), named->end(), dsdt) == named->end()) {
      if (const std::optional<Bytes> table = whole_table(dsdt)) list(*table, dsdt);
    }
    return std::move(out_);
  }

 private:
  // --- Looking at memory

  /// Whether the reader under test was refused a part of this, which it then could not know.
  bool was_refused(const Extent& whole) {
    const auto found = std::find_if(refused_.begin(), refused_.end(),
                                    [&](const Extent& each) { return whole.covers(each); });
    if (found == refused_.end()) return false;
    refused_.erase(found);
    out_.fault(Fault::kUnmapped);
    return true;
  }

  Bytes look(uint64_t first, size_t bytes) {
    out_.looked_at.push_back({first, bytes});
    return memory_.read(first, bytes);
  }

  // --- The root pointer

  bool find_root(const Hint& hint) {
    if (!hint.copy.empty() && is_root(hint.copy, hint.copy.size())) return true;
    if (hint.physical != 0 && is_root_at(hint.physical)) return true;
    if (const std::optional<uint64_t> area = ebda(); area && search(*area, 1024)) return true;
    return search(0xE0000, 0x20000);
  }

  /// `known`: how many of its bytes there are at most.
  bool is_root(Table bytes, size_t known) {
    if (known < 20) {
      out_.fault(Fault::kRootLength);
      return false;
    }
    if (!starts_with(bytes, "RSD PTR ") || !sums_to_zero(bytes.first(20))) {
      out_.fault(Fault::kRootSum);
      return false;
    }
    const uint64_t revision = bytes[15];
    uint64_t xsdt = 0;
    if (revision > 1) {
      const uint64_t length = known < 36 ? 0 : number(bytes, 20, 4);
      if (length < 36 || length > limits_.root_bytes || length > known) {
        out_.fault(Fault::kRootLength);
        return false;
      }
      if (!sums_to_zero(bytes.first(length))) {
        out_.fault(Fault::kRootSum);
        return false;
      }
      xsdt = number(bytes, 24, 8);
    }
    out_.root_revision = revision;
    out_.rsdt = number(bytes, 16, 4);
    out_.xsdt = xsdt;
    return true;
  }

  bool is_root_at(uint64_t at) {
    // What its first bytes say decides how many more may be looked at.
    if (!ends_in_memory(at, 20)) {
      out_.fault(Fault::kRootLength);
      return false;
    }
    Bytes bytes = memory_.read(at, limits_.root_bytes);
    size_t known = 20;
    if (starts_with(bytes, "RSD PTR ") && sums_to_zero(Table(bytes).first(20)) && bytes[15] > 1) {
      known = ends_in_memory(at, 36) ? 36 : 20;
      const uint64_t length = number(bytes, 20, 4);
      if (known == 36 && length > 36 && length <= limits_.root_bytes &&
          ends_in_memory(at, length)) {
        known = length;
      }
    }
    out_.looked_at.push_back({at, known});
    return !was_refused({at, known}) && is_root(bytes, known);
  }

  std::optional<uint64_t> ebda() {
    const Bytes segment = look(0x40E, 2);
    if (was_refused({0x40E, 2})) return std::nullopt;
    const uint64_t area = number(segment, 0, 2) * 16;
    if (area == 0) return std::nullopt;
    if (area < 0x500 || area + 1024 > 0xA0000) {
      out_.fault(Fault::kEbda);
      return std::nullopt;
    }
    return area;
  }

  bool search(uint64_t area, uint64_t bytes) {
    for (uint64_t at = area, end = area + bytes; at < end;) {
      const uint64_t page_end = std::min(end, (at / 4096 + 1) * 4096);
      const Extent part{at, page_end - at};
      const Bytes seen = look(part.first, part.bytes);
      const bool gone = std::any_of(refused_.begin(), refused_.end(),
                                    [&](const Extent& each) {
                                      return each.first == part.first && each.bytes == part.bytes;
                                    }) &&
                        was_refused(part);
      for (uint64_t place = 0; !gone && place < part.bytes; place += 16) {
        if (starts_with(Table(seen).subspan(place), "RSD PTR ") && is_root_at(at + place)) {
          return true;
        }
      }
      at = page_end;
    }
    return false;
  }

  // --- Tables

  /// Nothing, and counted, when it is not sound.
  std::optional<Bytes> whole_table(uint64_t at) {
    if (!ends_in_memory(at, 36)) {
      out_.fault(Fault::kTableLong);
      return std::nullopt;
    }
    const Bytes head = look(at, 36);
    const uint64_t length = number(head, 4, 4);
    const bool readable =
        length >= 36 && length <= limits_.table_bytes && ends_in_memory(at, length);
    Bytes whole = readable ? look(at, length) : Bytes();
    if (was_refused({at, readable ? length : 36})) return std::nullopt;
    if (!readable) {
      out_.fault(length < 36 ? Fault::kTableShort : Fault::kTableLong);
      return std::nullopt;
    }
    if (!sums_to_zero(whole)) {
      out_.fault(Fault::kTableSum);
      return std::nullopt;
    }
    return whole;
  }

  std::optional<std::vector<uint64_t>> named_tables() {
    if (out_.xsdt != 0) {
      if (auto named = named_by(out_.xsdt, "XSDT", 8)) return named;
    }
    out_.used_rsdt = true;
    return out_.rsdt == 0 ? std::nullopt : named_by(out_.rsdt, "RSDT", 4);
  }

  std::optional<std::vector<uint64_t>> named_by(uint64_t at, const char* signature, size_t width) {
    const std::optional<Bytes> table = whole_table(at);
    if (!table) return std::nullopt;
    if (!starts_with(*table, signature)) {
      out_.fault(Fault::kRootSignature);
      return std::nullopt;
    }
    const size_t entries = (table->size() - 36) / width;
    if (36 + entries * width != table->size()) out_.fault(Fault::kOpenEnd);
    std::vector<uint64_t> named;
    std::set<uint64_t> known;
    for (size_t i = 0; i < entries; ++i) {
      const uint64_t pointer = number(*table, 36 + i * width, width);
      if (pointer == 0) {
        out_.fault(Fault::kNullPointer);
      } else if (pointer == out_.rsdt || pointer == out_.xsdt) {
        out_.fault(Fault::kRootPointer);
      } else if (known.contains(pointer)) {
        out_.fault(Fault::kPointerTwice);
      } else if (named.size() == limits_.tables) {
        out_.fault(Fault::kTooManyTables);
      } else {
        known.insert(pointer);
        named.push_back(pointer);
      }
    }
    return named;
  }

  void list(Table table, uint64_t at) {
    out_.tables.push_back({{table.begin(), table.begin() + 4}, table[8], table.size(), at});
  }

  /// Whether it is the first of its kind; a later one is counted.
  bool is_first(bool have_one) {
    if (have_one) out_.fault(Fault::kTableAgain);
    return !have_one;
  }

  void interpret(Table table) {
    const std::string signature(table.begin(), table.begin() + 4);
    if (signature == "APIC" && is_first(out_.madt.has_value())) read_madt(table, out_, limits_);
    if (signature == "FACP" && is_first(out_.fadt.has_value())) read_fadt(table, out_);
    if (signature == "MCFG" && is_first(out_.mcfg.has_value())) read_mcfg(table, out_, limits_);
    if (signature == "HPET") read_hpet(table, out_, limits_);
    if (signature == "SRAT" && is_first(out_.srat.has_value())) read_srat(table, out_, limits_);
    if (signature == "DMAR" && is_first(out_.dmar.has_value())) read_dmar(table, out_, limits_);
    if (signature == "IVRS" && is_first(out_.ivrs.has_value())) read_ivrs(table, out_, limits_);
  }

  const PhysicalMemory& memory_;
  std::vector<Extent> refused_;
  const Limits& limits_;
  Reading out_;
};

} // namespace

std::vector<Entry> cut(Table bytes, const Head& head, Reading& out) {
  std::vector<Entry> entries;
  const size_t least = head.length_at + head.length_bytes;
  while (!bytes.empty()) {
    if (bytes.size() < least) {
      out.fault(Fault::kOpenEnd);
      break;
    }
    const uint64_t length = number(bytes, head.length_at, head.length_bytes);
    if (length < least || length > bytes.size()) {
      out.fault(Fault::kEntryLength);
      break;
    }
    entries.push_back({number(bytes, 0, head.type_bytes), bytes.first(length)});
    bytes = bytes.subspan(length);
  }
  return entries;
}

bool has_fixed_part(Table table, size_t bytes, Reading& out) {
  if (table.size() < bytes) out.fault(Fault::kNoFixedPart);
  return table.size() >= bytes;
}

bool has_bytes(const Entry& entry, size_t bytes, Reading& out) {
  if (entry.bytes.size() < bytes) out.fault(Fault::kEntryShort);
  return entry.bytes.size() >= bytes;
}

Reading read(const PhysicalMemory& memory, const Hint& hint, std::span<const Extent> refused,
             const Limits& limits) {
  return Reader(memory, refused, limits).read(hint);
}

} // namespace kiln::worlds::acpi
