// What is wrong with the tables.

#include <algorithm>
#include <map>

#include "generators/acpi_parts.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr size_t kHeader = 36;
constexpr uint64_t kPage = 4096;

class Liar {
 public:
  Liar(View& fault, AcpiPlacedTables& tables) : fault_(fault), tables_(tables) {}

  void tell(AcpiLie lie) {
    switch (lie) {
    case AcpiLie::kTableLength:
      return lie_about_length(any_table());
    case AcpiLie::kTableSum: {
      AcpiPlaced& table = any_table();
      uint8_t& byte = table.bytes[static_cast<size_t>(fault_.below(table.bytes.size()))];
      byte = static_cast<uint8_t>(byte ^ 1u << fault_.below(8));
      return;
    }
    case AcpiLie::kTableByte: {
      AcpiPlaced& table = any_table();
      if (table.bytes.size() == kHeader) return;
      const uint64_t at = kHeader + fault_.below(table.bytes.size() - kHeader);
      table.bytes[at] = fault_.boolean() ? fault_.u8() : fault_.pick({0, 0xFF, 1});
      return table.seal();
    }
    case AcpiLie::kTableCut: {
      AcpiPlaced& table = any_table();
      table.bytes.resize(
          static_cast<size_t>(table.bytes.size() - fault_.below(table.bytes.size() - kHeader + 1)));
      table.set_length(static_cast<uint32_t>(table.bytes.size()));
      return table.seal();
    }
    case AcpiLie::kEntryLength:
      return lie_about_entry();
    case AcpiLie::kPointer:
      return lie_about_pointer(any_root_table());
    case AcpiLie::kRootTable:
      return lie_about_root_table();
    case AcpiLie::kDsdt:
      return lie_about_dsdt();
    default:
      return;
    }
  }

 private:
  AcpiPlaced& any_table() {
    const size_t which =
        static_cast<size_t>(fault_.below(tables_.named.size() + tables_.unnamed.size()));
    return which < tables_.named.size() ? tables_.named[which]
                                        : tables_.unnamed[which - tables_.named.size()];
  }
  AcpiPlaced* any_with_entries() {
    std::vector<AcpiPlaced*> with;
    for (AcpiPlaced& table : tables_.named) {
      if (!table.lengths.empty()) with.push_back(&table);
    }
    return with.empty() ? nullptr : fault_.pick(with);
  }
  AcpiPlaced& any_root_table() {
    return tables_.unnamed[tables_.xsdt != AcpiPlacedTables::kNone &&
                                   (tables_.rsdt == AcpiPlacedTables::kNone || !fault_.chance(1, 4))
                               ? tables_.xsdt
                               : tables_.rsdt];
  }

  void lie_about_length(AcpiPlaced& table) {
    const auto size = static_cast<uint32_t>(table.bytes.size());
    const uint32_t length = fault_.pick({size + 1, size - 1, 35u, 36u, 0u, 0xFFFFFFFFu, size + 4,
                                         0x100001u, size + 4096, 37u, 8u, 0x100000u});
    table.set_length(length);
    if (length >= 10 && length <= size) {
      if (fault_.boolean()) seal_acpi_table(table.bytes, length);
    } else if (length > size && length - size <= kPage && fault_.boolean()) {
      table.bytes.resize(length, 0x5A);
      table.seal();
    }
  }

  /// Of each kind of entry as often, be there one of it or a hundred.
  AcpiTableDraft::LengthField some_entry(const AcpiPlaced& table) {
    std::map<std::pair<size_t, uint8_t>, std::vector<AcpiTableDraft::LengthField>> kinds;
    for (const AcpiTableDraft::LengthField& field : table.lengths) {
      if (field.at + field.width > table.bytes.size()) continue;
      kinds[{field.width, table.bytes[field.at - field.width]}].push_back(field); // width and type
    }
    auto kind = kinds.begin();
    std::advance(kind, fault_.below(kinds.size()));
    return fault_.pick(kind->second);
  }

  void lie_about_entry() {
    AcpiPlaced* table = any_with_entries();
    if (table == nullptr) return;
    const AcpiTableDraft::LengthField field = some_entry(*table);
    uint8_t* at = &table->bytes[field.at];
    const uint32_t now = field.width == 1 ? *at : load_le<uint16_t>(at);
    const auto rest = static_cast<uint32_t>(table->bytes.size() - field.at + 1);
    const uint32_t length = fault_.pick({now - 1, 0u, 1u, 2u, 3u, now - 1, now + 1, now - 1,
                                         0xFFFFu, rest, rest + 1, rest - 1, 4u, 6u});
    if (field.width == 1) {
      *at = static_cast<uint8_t>(length);
    } else {
      store_le(at, static_cast<uint16_t>(length));
    }
    table->seal();
  }

  void lie_about_pointer(AcpiPlaced& table) {
    const size_t width = table.bytes[0] == 'X' ? 8 : 4;
    const size_t entries = (table.bytes.size() - kHeader) / width;
    if (entries == 0) return;
    const size_t at = kHeader + width * static_cast<size_t>(fault_.below(entries));
    const size_t which = kHeader + width * static_cast<size_t>(fault_.below(entries));
    uint64_t other = 0;
    for (size_t i = width; i-- > 0;) {
      other = other << 8 | table.bytes[which + i];
    }
    switch (fault_.below(9)) {
    case 0:
      table.set(at, width, 0);
      break;
    case 1:
      table.set(at, width, other); // again
      break;
    case 2:
      table.set(at, width, table.at); // itself
      break;
    case 3:
      table.set(at, width, fault_.pick({uint64_t{0x12345678}, uint64_t{0xFFFFF000}}));
      break;
    case 4: // around the end of what a CPU can address, and of 64 bits
      if (fault_.boolean()) {
        table.set(at, width, table_at_the_end());
        break;
      }
      table.set(
          at, width,
          fault_.pick({uint64_t{0xFFFFFFFFFFFFF000}, uint64_t{1} << 52, (uint64_t{1} << 52) - 20,
                       UINT64_MAX, UINT64_MAX - 35, UINT64_MAX - 34}));
      break;
    case 5:
      table.set(at, width, other + fault_.pick({1, 4, 36}));
      break;
    case 6: // an entry that is not whole
      table.bytes.resize(table.bytes.size() + static_cast<size_t>(fault_.between(1, width - 1)), 0);
      table.set_length(static_cast<uint32_t>(table.bytes.size()));
      break;
    case 7:
      table.set(at, width, tables_.unnamed.front().at);
      break;
    default: // the other root table
      table.set(at, width, tables_.unnamed.back().at);
      break;
    }
    table.seal();
  }

  /// A table whose last byte is the last that there can be; or it says that one more follows.
  uint64_t table_at_the_end() {
    AcpiTableDraft draft = start_acpi_table("SSDT", 2);
    draft.out.fill(0, fault_.pick({size_t{28}, size_t{0}, size_t{5000}}));
    AcpiPlaced table;
    table.bytes = draft.out.take();
    table.at = 0 - uint64_t{table.bytes.size()};
    table.set_length(static_cast<uint32_t>(table.bytes.size() + fault_.below(2)));
    table.seal();
    tables_.named.push_back(std::move(table));
    return tables_.named.back().at;
  }

  void lie_about_root_table() {
    AcpiPlaced& table = any_root_table();
    switch (fault_.below(4)) {
    case 0:
      table.bytes[0] = table.bytes[0] == 'X' ? 'R' : 'X'; // each calls itself the other
      return table.seal();
    case 1:
      table.bytes[3] = 't';
      return table.seal();
    case 2:
      table.bytes[kHeader - 1] ^= 1;
      return;
    default:
      tables_.unreachable = true;
      return;
    }
  }

  void lie_about_dsdt() {
    for (AcpiPlaced& table : tables_.named) {
      if (!std::equal(table.bytes.begin(), table.bytes.begin() + 4, "FACP")) continue;
      const uint64_t where =
          fault_.pick({table.at, uint64_t{0x1000}, UINT64_MAX, UINT64_MAX - 35, uint64_t{1} << 51});
      table.set(AcpiFadtPlaces::kWideDsdt, 8, where);
      table.set(AcpiFadtPlaces::kDsdt, 4, where & UINT32_MAX);
      table.seal();
    }
  }

  View& fault_;
  AcpiPlacedTables& tables_;
};

} // namespace

void lie_about_acpi_tables(AcpiLie lie, sim::Tape::View& fault, AcpiPlacedTables& tables) {
  Liar(fault, tables).tell(lie);
}

} // namespace kiln::gen
