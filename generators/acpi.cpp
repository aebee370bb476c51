#include "generators/acpi.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "generators/acpi_parts.h"

namespace kiln::gen {

AcpiTableDraft start_acpi_table(std::string_view signature, uint8_t revision) {
  AcpiTableDraft draft;
  draft.out.text(signature).le32(0).u8(revision).u8(0);
  draft.out.text("KILN  ").text("CLAY    ").le32(1).text("KILN").le32(1);
  return draft;
}

AcpiEntryDraft::~AcpiEntryDraft() {
  const size_t length = table_.out.size() - begin_;
  if (width_ == 1) {
    table_.out.set_u8(begin_ + at_, static_cast<uint8_t>(length));
  } else {
    table_.out.set_le16(begin_ + at_, static_cast<uint16_t>(length));
  }
  table_.lengths.push_back({begin_ + at_, width_});
}

void seal_acpi_table(std::span<uint8_t> table, size_t bytes) {
  constexpr size_t kSum = 9;
  table[kSum] = 0;
  const auto sum =
      std::accumulate(table.begin(), table.begin() + static_cast<ptrdiff_t>(bytes), 0u);
  table[kSum] = static_cast<uint8_t>(0u - sum);
}

namespace {

using View = sim::Tape::View;

constexpr size_t kHeader = 36;
constexpr size_t kLength = 4;
constexpr uint64_t kPage = 4096;

struct Placed {
  uint64_t at = 0;
  std::vector<uint8_t> bytes;
  std::vector<AcpiTableDraft::LengthField> lengths;

  void set_length(uint32_t length) { store_le(&bytes[kLength], length); }
  void seal() { seal_acpi_table(bytes, bytes.size()); }
};

class Maker {
 public:
  explicit Maker(sim::Tape& tape) : tape_(tape), data_(tape.data()), fault_(tape.fault()) {}

  AcpiFirmware make() {
    // Drawn first: what is to be wrong decides what must be there, and what would blur it.
    out_.lie = static_cast<AcpiLie>(fault_.weighted({8, 3, 2, 3, 2, 4, 3, 3, 2, 1, 5}));
    shape();
    tables();
    place();
    join();
    tell();
    root_pointer();
    for (const std::vector<Placed>* some : {&named_, &unnamed_}) {
      for (const Placed& table : *some) {
        out_.memory.push_back({table.at, table.bytes});
      }
    }
    window();
    return std::move(out_);
  }

 private:
  // --- What there is

  void shape() {
    machine_.arm = data_.chance(1, 6);
    machine_.crowd = static_cast<AcpiCrowd>(data_.weighted(kAcpiCrowds));
    machine_.cpus = static_cast<uint32_t>(data_.between(1, 8));
    if (data_.chance(1, 12)) machine_.cpus = data_.pick({16u, 100u, 64u});
    if (machine_.crowd == AcpiCrowd::kCpus) machine_.cpus = 300;
    if (machine_.crowd == AcpiCrowd::kArm) machine_.arm = true;
  }

  void add(AcpiTableDraft draft) {
    Placed table;
    table.bytes = draft.out.take();
    table.lengths = std::move(draft.lengths);
    table.set_length(static_cast<uint32_t>(table.bytes.size()));
    named_.push_back(std::move(table));
  }

  void tables() {
    add(make_acpi_fadt(tape_, machine_));
    add(make_acpi_madt(tape_, machine_));
    const bool crowded = machine_.crowd != AcpiCrowd::kNothing;
    if (crowded || data_.chance(1, 2)) add(make_acpi_mcfg(tape_, machine_));
    if (!machine_.arm && data_.chance(1, 2)) add(make_acpi_hpet(tape_, 0));
    const uint64_t timers = machine_.crowd == AcpiCrowd::kTimers ? 11
                            : data_.chance(1, 16)                ? data_.between(1, 3)
                                                                 : 0;
    for (uint64_t i = 1; i <= timers; ++i) {
      add(make_acpi_hpet(tape_, static_cast<uint8_t>(i)));
    }
    if (crowded || data_.chance(1, 3)) add(make_acpi_srat(tape_, machine_));
    switch (crowded ? data_.between(1, 2) : data_.weighted({4, 2, 2})) {
    case 1:
      add(make_acpi_dmar(tape_, machine_));
      break;
    case 2:
      add(make_acpi_ivrs(tape_, machine_));
      break;
    default:
      break;
    }
    if (data_.chance(1, 24)) again();
    others();
  }

  /// A second table of a kind that stands once.
  void again() {
    switch (data_.below(6)) {
    case 0:
      return add(make_acpi_madt(tape_, machine_));
    case 1:
      return add(make_acpi_fadt(tape_, machine_));
    case 2:
      return add(make_acpi_mcfg(tape_, machine_));
    case 3:
      return add(make_acpi_dmar(tape_, machine_));
    case 4:
      return add(make_acpi_ivrs(tape_, machine_));
    default:
      return add(make_acpi_srat(tape_, machine_));
    }
  }

  void others() {
    uint64_t count = data_.chance(1, 10) ? data_.below(41) : data_.below(4);
    if (machine_.crowd == AcpiCrowd::kTables) count = 66;
    for (; count != 0; --count) {
      sim::Span span(tape_, "table");
      AcpiTableDraft draft =
          start_acpi_table(data_.pick({"SSDT", "BGRT", "FPDT", "TPM2", "WAET", "SLIT", "OEM1"}), 2);
      // Ten bytes of program are the shortest that a compiler makes.
      size_t body = data_.pick({10, 0, 200});
      if (data_.chance(1, 12)) body = static_cast<size_t>(data_.between(1000, 9000));
      std::vector<uint8_t> noise(body);
      data_.noise(noise);
      draft.out.raw(noise);
      add(std::move(draft));
    }
  }

  // --- Where it is

  void place() {
    next_ = data_.pick({uint64_t{0x7FFE0000}, uint64_t{0xBFFE0000}, uint64_t{0xE4000},
                        uint64_t{0x8'7FFF0000}, uint64_t{0xFFFFE800}});
    if (next_ < 0x100000 && machine_.crowd != AcpiCrowd::kNothing) next_ = 0x7FFE0000;
    tight_ = data_.chance(1, 3); // table behind table, without a byte between them
    if (!data_.chance(1, 16)) {
      unnamed_.push_back(definition_block());
    }
    for (Placed& table : unnamed_) {
      table.at = take(table.bytes.size());
    }
    for (Placed& table : named_) {
      table.at = take(table.bytes.size());
      all_low_ &= table.at + table.bytes.size() <= uint64_t{1} << 32;
    }
    if (out_.lie != AcpiLie::kWindow && data_.chance(1, 24)) nest();
    if (data_.chance(1, 6)) shuffle();
  }

  Placed definition_block() {
    AcpiTableDraft draft = start_acpi_table("DSDT", 2);
    std::vector<uint8_t> program(data_.pick({size_t{64}, size_t{1}, size_t{6000}}));
    data_.noise(program);
    draft.out.raw(program);
    Placed table;
    table.bytes = draft.out.take();
    table.set_length(static_cast<uint32_t>(table.bytes.size()));
    table.seal();
    return table;
  }

  uint64_t take(size_t bytes) {
    uint64_t at = next_;
    if (!tight_) {
      at = (at + 15) / 16 * 16;
      if (data_.chance(1, 6)) at += kPage;
      if (data_.chance(1, 8)) { // the header, or what is behind it, on two pages
        const uint64_t before = data_.pick({uint64_t{36}, uint64_t{20}, uint64_t{1}, uint64_t{44}});
        at = (at + before + kPage - 1) / kPage * kPage - before;
      }
    }
    if (out_.lie == AcpiLie::kWindow && bytes > kHeader && !data_.chance(1, 4)) {
      // The page that is refused may be one of many, with half of the table on another.
      const uint64_t before = kHeader + 1 + data_.below(bytes - kHeader);
      at = (at + before + kPage - 1) / kPage * kPage - before;
    }
    next_ = at + bytes;
    return at;
  }

  /// A sound table inside another.
  void nest() {
    Placed& outer = named_.back();
    const std::vector<uint8_t> inner = definition_block().bytes;
    const size_t into = outer.bytes.size();
    outer.bytes.insert(outer.bytes.end(), inner.begin(), inner.end());
    outer.set_length(static_cast<uint32_t>(outer.bytes.size()));
    outer.at = take(outer.bytes.size());
    inside_ = outer.at + into;
    all_low_ &= next_ <= uint64_t{1} << 32;
  }

  void shuffle() {
    for (size_t i = named_.size(); i > 1; --i) {
      std::swap(named_[i - 1], named_[static_cast<size_t>(data_.below(i))]);
    }
  }

  // --- Who names whom

  void join() {
    for (Placed& table : named_) {
      if (std::equal(table.bytes.begin(), table.bytes.begin() + 4, "FACP")) name_in_fadt(table);
      table.seal();
    }
    const bool wide = !all_low_ || !data_.chance(1, 4);
    const bool narrow = all_low_ && (!wide || !data_.chance(1, 4));
    std::vector<uint64_t> pointers;
    pointers.reserve(named_.size() + 2);
    for (const Placed& table : named_) {
      pointers.push_back(table.at);
    }
    if (inside_ != 0) pointers.push_back(inside_);
    if (data_.chance(1, 24)) {
      pointers.push_back(data_.pick({uint64_t{0}, pointers.front()}));
    }
    if (narrow) rsdt_ = root_table("RSDT", 4, pointers);
    if (wide) xsdt_ = root_table("XSDT", 8, pointers);
  }

  void name_in_fadt(Placed& fadt) {
    const uint64_t dsdt = unnamed_.empty() ? 0 : unnamed_.front().at;
    const uint64_t facs = data_.chance(1, 4) ? 0 : 0x7FFDF000;
    const bool low = dsdt <= UINT32_MAX;
    const uint64_t which = low ? data_.pick({3, 1, 2}) : 2;
    set(fadt, AcpiFadtPlaces::kFacs, 4, facs);
    set(fadt, AcpiFadtPlaces::kDsdt, 4, (which & 1) != 0 ? dsdt : 0);
    set(fadt, AcpiFadtPlaces::kWideFacs, 8, data_.chance(1, 4) ? facs + 0x40 : 0);
    set(fadt, AcpiFadtPlaces::kWideDsdt, 8, (which & 2) != 0 ? dsdt : 0);
  }

  /// As far as the table has the field.
  static void set(Placed& table, size_t at, size_t width, uint64_t value) {
    for (size_t i = 0; i < width && at + i < table.bytes.size(); ++i) {
      table.bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
    }
  }

  /// Its index in unnamed_.
  size_t root_table(std::string_view signature, size_t width, const std::vector<uint64_t>& tables) {
    AcpiTableDraft draft = start_acpi_table(signature, 1);
    for (const uint64_t table : tables) {
      if (width == 4) {
        draft.out.le32(static_cast<uint32_t>(table));
      } else {
        draft.out.le64(table);
      }
    }
    Placed table;
    table.bytes = draft.out.take();
    table.set_length(static_cast<uint32_t>(table.bytes.size()));
    table.seal();
    if (width == 4 && next_ + 8192 > UINT32_MAX) next_ = 0x7F000000;
    table.at = take(table.bytes.size());
    unnamed_.push_back(std::move(table));
    return unnamed_.size() - 1;
  }

  // --- What is wrong

  Placed& any_table() {
    const size_t which = static_cast<size_t>(fault_.below(named_.size() + unnamed_.size()));
    return which < named_.size() ? named_[which] : unnamed_[which - named_.size()];
  }
  Placed* any_with_entries() {
    std::vector<Placed*> with;
    for (Placed& table : named_) {
      if (!table.lengths.empty()) with.push_back(&table);
    }
    return with.empty() ? nullptr : fault_.pick(with);
  }
  Placed& any_root_table() {
    return unnamed_[xsdt_ != kNone && (rsdt_ == kNone || !fault_.chance(1, 4)) ? xsdt_ : rsdt_];
  }

  void tell() {
    switch (out_.lie) {
    case AcpiLie::kTableLength:
      return lie_about_length(any_table());
    case AcpiLie::kTableSum: {
      Placed& table = any_table();
      uint8_t& byte = table.bytes[static_cast<size_t>(fault_.below(table.bytes.size()))];
      byte = static_cast<uint8_t>(byte ^ 1u << fault_.below(8));
      return;
    }
    case AcpiLie::kTableByte: {
      Placed& table = any_table();
      if (table.bytes.size() == kHeader) return;
      const uint64_t at = kHeader + fault_.below(table.bytes.size() - kHeader);
      table.bytes[at] = fault_.boolean() ? fault_.u8() : fault_.pick({0, 0xFF, 1});
      return table.seal();
    }
    case AcpiLie::kTableCut: {
      Placed& table = any_table();
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

  void lie_about_length(Placed& table) {
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

  void lie_about_entry() {
    Placed* table = any_with_entries();
    if (table == nullptr) return;
    const AcpiTableDraft::LengthField field = fault_.pick(table->lengths);
    if (field.at + field.width > table->bytes.size()) return;
    uint8_t* at = &table->bytes[field.at];
    const uint32_t now = field.width == 1 ? *at : load_le<uint16_t>(at);
    const auto rest = static_cast<uint32_t>(table->bytes.size() - field.at + 1);
    const uint32_t length =
        fault_.pick({0u, 1u, 2u, 3u, now - 1, now + 1, 0xFFFFu, rest, rest + 1, rest - 1, 4u, 6u});
    if (field.width == 1) {
      *at = static_cast<uint8_t>(length);
    } else {
      store_le(at, static_cast<uint16_t>(length));
    }
    table->seal();
  }

  void lie_about_pointer(Placed& table) {
    const size_t width = table.bytes[0] == 'X' ? 8 : 4;
    const size_t entries = (table.bytes.size() - kHeader) / width;
    if (entries == 0) return;
    const size_t at = kHeader + width * static_cast<size_t>(fault_.below(entries));
    uint64_t first = 0;
    for (size_t i = width; i-- > 0;) {
      first = first << 8 | table.bytes[kHeader + i];
    }
    switch (fault_.below(9)) {
    case 0:
      set(table, at, width, 0);
      break;
    case 1:
      set(table, at, width, first); // again
      break;
    case 2:
      set(table, at, width, table.at); // itself
      break;
    case 3:
      set(table, at, width, fault_.pick({uint64_t{0x12345678}, uint64_t{0xFFFFF000}}));
      break;
    case 4: // around the end of what a CPU can address, and of 64 bits
      set(table, at, width,
          fault_.pick({uint64_t{0xFFFFFFFFFFFFF000}, uint64_t{1} << 52, (uint64_t{1} << 52) - 20,
                       UINT64_MAX, UINT64_MAX - 35, UINT64_MAX - 34}));
      break;
    case 5:
      set(table, at, width, first + fault_.pick({1, 4, 36}));
      break;
    case 6: // an entry that is not whole
      table.bytes.resize(table.bytes.size() + static_cast<size_t>(fault_.between(1, width - 1)), 0);
      table.set_length(static_cast<uint32_t>(table.bytes.size()));
      break;
    case 7:
      set(table, at, width, unnamed_.front().at);
      break;
    default: // the other root table
      set(table, at, width, unnamed_.back().at);
      break;
    }
    table.seal();
  }

  void lie_about_root_table() {
    Placed& table = any_root_table();
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
      no_root_table_ = true;
      return;
    }
  }

  void lie_about_dsdt() {
    for (Placed& table : named_) {
      if (!std::equal(table.bytes.begin(), table.bytes.begin() + 4, "FACP")) continue;
      const uint64_t where =
          fault_.pick({table.at, uint64_t{0x1000}, UINT64_MAX, UINT64_MAX - 35, uint64_t{1} << 51});
      set(table, AcpiFadtPlaces::kWideDsdt, 8, where);
      set(table, AcpiFadtPlaces::kDsdt, 4, where & UINT32_MAX);
      table.seal();
    }
  }

  // --- The root pointer

  std::vector<uint8_t> root_bytes() {
    ByteBuilder rsdp;
    const bool wide = xsdt_ != kNone || data_.chance(1, 4);
    const uint64_t rsdt = rsdt_ == kNone || no_root_table_ ? 0 : unnamed_[rsdt_].at;
    const uint64_t xsdt = xsdt_ == kNone || no_root_table_ ? 0 : unnamed_[xsdt_].at;
    rsdp.text("RSD PTR ").u8(0).text("KILN  ").u8(wide ? 2 : data_.pick({0, 1}));
    rsdp.le32(static_cast<uint32_t>(rsdt));
    seal_root(rsdp, 8, 20);
    if (wide) {
      rsdp.le32(36).le64(xsdt).u8(0).fill(0, 3);
      if (data_.chance(1, 24)) { // of a revision yet to come
        rsdp.fill(0x77, 12);
        rsdp.set_le32(20, 48);
      }
      seal_root(rsdp, 32, rsdp.size());
    }
    return rsdp.take();
  }

  static void seal_root(ByteBuilder& rsdp, size_t at, size_t bytes) {
    rsdp.set_u8(at, 0);
    const auto all = rsdp.bytes().first(bytes);
    rsdp.set_u8(at, static_cast<uint8_t>(0u - std::accumulate(all.begin(), all.end(), 0u)));
  }

  void lie_about_root(std::vector<uint8_t>& rsdp) {
    switch (fault_.below(7)) {
    case 0:
      rsdp[static_cast<size_t>(fault_.below(20))] ^= 0x10;
      return;
    case 1:
      rsdp.back() ^= 1; // of revision 2: the second checksum's
      return;
    case 2:
      rsdp[15] = rsdp[15] == 2 ? 0 : 2; // and the checksum with it
      rsdp[8] = static_cast<uint8_t>(rsdp[8] + (rsdp[15] == 2 ? 254 : 2));
      return;
    case 3:
      if (rsdp.size() > 20) {
        ByteBuilder again;
        again.raw(rsdp).fill(0, fault_.boolean() ? 0 : 40);
        const uint32_t length = fault_.pick({35u, 20u, 0u, 64u, 65u, 0xFFFFFFFFu, 37u});
        again.set_le32(20, length);
        seal_root(again, 32, std::clamp<size_t>(length, 36, std::min<size_t>(again.size(), 70)));
        rsdp = again.take();
      }
      return;
    case 4:
      rsdp.resize(static_cast<size_t>(fault_.below(rsdp.size())));
      return;
    case 5:
      pointer_off_ = fault_.pick({8u, 1u, 16u});
      return;
    default:
      hide_ = true;
      return;
    }
  }

  void put(uint64_t at, const std::vector<uint8_t>& bytes) {
    if (!bytes.empty()) out_.memory.push_back({at, bytes});
  }

  void root_pointer() {
    std::vector<uint8_t> rsdp = root_bytes();
    const std::vector<uint8_t> sound = rsdp;
    if (out_.lie == AcpiLie::kRootPointer) lie_about_root(rsdp);
    out_.root = static_cast<AcpiFirmware::Root>(data_.weighted({10, 3, 1, 2}));
    if (hide_) out_.root = AcpiFirmware::Root::kNowhere;
    if (data_.chance(1, 4)) decoys(sound);
    const uint64_t segment =
        data_.pick({uint64_t{0x9FC0}, uint64_t{0x9EFD}, uint64_t{0x50}, uint64_t{0x9000}});
    uint64_t ebda =
        data_.chance(1, 4)
            ? data_.pick({uint64_t{0}, uint64_t{0x4F}, uint64_t{0x9FC1}, uint64_t{0xF000}})
            : segment;
    switch (out_.root) {
    case AcpiFirmware::Root::kTag:
      out_.tag = rsdp;
      break;
    case AcpiFirmware::Root::kPointer:
      out_.pointer = data_.pick(
          {uint64_t{0x7FBFA014}, uint64_t{0x7FBFAFF0}, uint64_t{0xF6A20}, uint64_t{0x5'00000FFC}});
      put(out_.pointer, rsdp);
      out_.pointer += pointer_off_;
      break;
    case AcpiFirmware::Root::kEbda:
      ebda = segment;
      put((segment << 4) + data_.pick({0u, 0x10u, 1008u, 1024u}) + pointer_off_, rsdp);
      break;
    case AcpiFirmware::Root::kBios:
      put(data_.pick({uint64_t{0xF6A20}, uint64_t{0xE0000}, uint64_t{0xFFFF0}, uint64_t{0xFFFC0},
                      uint64_t{0xE0FF0}}) +
              pointer_off_,
          rsdp);
      break;
    case AcpiFirmware::Root::kNowhere:
      break;
    }
    put(0x40E, {static_cast<uint8_t>(ebda & 0xFF), static_cast<uint8_t>(ebda >> 8)});
    if (out_.root != AcpiFirmware::Root::kTag && data_.chance(1, 6)) broken_hint(rsdp);
    if (out_.root == AcpiFirmware::Root::kTag && data_.chance(1, 6)) out_.pointer = 0x1234;
  }

  /// A loader's word that is no good, beside a root pointer that is.
  void broken_hint(std::vector<uint8_t> rsdp) {
    if (rsdp.size() < 20) return;
    rsdp[9] ^= 2;
    if (out_.pointer == 0 && data_.boolean()) {
      out_.pointer = data_.pick({uint64_t{0x7F7F7000}, UINT64_MAX - 8});
      return;
    }
    out_.tag = rsdp;
  }

  /// What must not be taken for the root pointer.
  void decoys(std::vector<uint8_t> rsdp) {
    const uint64_t odd = data_.pick({uint64_t{0xE5008}, uint64_t{0x9FC08}});
    put(odd, rsdp); // sound, but not on 16 bytes
    rsdp[10] ^= 1;
    put(data_.pick({uint64_t{0xE4FF0}, uint64_t{0xF0000}, uint64_t{0x9FC40}}), rsdp);
    rsdp[10] ^= 1;
    rsdp[7] = 'X';
    put(0xE8000, rsdp);
  }

  // --- The window

  void window() {
    out_.slots = data_.pick({size_t{8}, size_t{1}, size_t{2}});
    if (out_.lie != AcpiLie::kWindow) return;
    if (fault_.chance(1, 16)) {
      out_.slots = 0;
    } else {
      out_.refused_request = fault_.chance(1, 4) ? fault_.below(200) : fault_.below(40);
    }
  }

  static constexpr size_t kNone = SIZE_MAX;

  sim::Tape& tape_;
  View data_;
  View fault_;
  AcpiFirmware out_;
  AcpiMachine machine_;
  std::vector<Placed> named_;   ///< by a root table
  std::vector<Placed> unnamed_; ///< DSDT, root tables
  size_t rsdt_ = kNone;         ///< in unnamed_
  size_t xsdt_ = kNone;
  uint64_t next_ = 0;
  uint64_t inside_ = 0; ///< a table inside another; 0: none
  uint64_t pointer_off_ = 0;
  bool tight_ = false;
  bool all_low_ = true; ///< below 4 GiB
  bool no_root_table_ = false;
  bool hide_ = false;
};

} // namespace

AcpiFirmware make_acpi(sim::Tape& tape) { return Maker(tape).make(); }

} // namespace kiln::gen
