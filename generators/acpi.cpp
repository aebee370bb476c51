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

void AcpiPlaced::set(size_t place, size_t width, uint64_t value) {
  for (size_t i = 0; i < width && place + i < bytes.size(); ++i) {
    bytes[place + i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

namespace {

using View = sim::Tape::View;

constexpr size_t kHeader = 36;
constexpr uint64_t kPage = 4096;

using Placed = AcpiPlaced;

class Maker {
 public:
  explicit Maker(sim::Tape& tape) : tape_(tape), data_(tape.data()), fault_(tape.fault()) {}

  AcpiFirmware make() {
    // Drawn first: what is to be wrong decides what must be there, and what would blur it.
    out_.lie = static_cast<AcpiLie>(fault_.weighted({8, 3, 2, 3, 2, 4, 3, 3, 2, 1, 5}));
    if (out_.lie == AcpiLie::kWindow) tear_ = fault_.u32();
    if (data_.chance(1, 4)) out_.last_address = UINT64_MAX;
    shape();
    tables();
    place();
    join();
    lie_about_acpi_tables(out_.lie, fault_, tables_);
    put_acpi_root_pointer(tape_, tables_, out_);
    for (const std::vector<Placed>* some : {&tables_.named, &tables_.unnamed}) {
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
    tables_.named.push_back(std::move(table));
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
    const bool torn = out_.lie == AcpiLie::kWindow; // these are read in two passes
    switch (crowded || torn ? data_.between(1, 2) : data_.weighted({4, 2, 2})) {
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
      tables_.unnamed.push_back(definition_block());
    }
    for (Placed& table : tables_.unnamed) {
      table.at = take(table);
    }
    for (Placed& table : tables_.named) {
      table.at = take(table);
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

  /// Where the second page of a table begins, from its first byte: mostly inside of an entry.
  uint64_t tear_of(const Placed& table) const {
    if (table.lengths.empty() || tear_ % 4 == 0) {
      return kHeader + 1 + tear_ / 4 % (table.bytes.size() - kHeader);
    }
    const AcpiTableDraft::LengthField& field = table.lengths[tear_ / 4 % table.lengths.size()];
    const uint8_t* const at = &table.bytes[field.at];
    const size_t length = field.width == 1 ? *at : load_le<uint16_t>(at);
    return field.at + tear_ / 4096 % (length + 1);
  }

  uint64_t take(const Placed& table) {
    uint64_t at = next_;
    if (!tight_) {
      at = (at + 15) / 16 * 16;
      if (data_.chance(1, 6)) at += kPage;
      if (data_.chance(1, 8)) { // the header, or what is behind it, on two pages
        const uint64_t before = data_.pick({uint64_t{36}, uint64_t{20}, uint64_t{1}, uint64_t{44}});
        at = (at + before + kPage - 1) / kPage * kPage - before;
      }
    }
    if (out_.lie == AcpiLie::kWindow && table.bytes.size() > kHeader) {
      // The page that is refused may be one of many, with half of the table on another.
      const uint64_t before = tear_of(table);
      at = (at + before + kPage - 1) / kPage * kPage - before;
    }
    next_ = at + table.bytes.size();
    return at;
  }

  /// A sound table inside another.
  void nest() {
    Placed& outer = tables_.named.back();
    const std::vector<uint8_t> inner = definition_block().bytes;
    const size_t into = outer.bytes.size();
    outer.bytes.insert(outer.bytes.end(), inner.begin(), inner.end());
    outer.set_length(static_cast<uint32_t>(outer.bytes.size()));
    outer.at = take(outer);
    inside_ = outer.at + into;
    all_low_ &= next_ <= uint64_t{1} << 32;
  }

  void shuffle() {
    for (size_t i = tables_.named.size(); i > 1; --i) {
      std::swap(tables_.named[i - 1], tables_.named[static_cast<size_t>(data_.below(i))]);
    }
  }

  // --- Who names whom

  void join() {
    for (Placed& table : tables_.named) {
      if (std::equal(table.bytes.begin(), table.bytes.begin() + 4, "FACP")) name_in_fadt(table);
      table.seal();
    }
    const bool wide = !all_low_ || !data_.chance(1, 4);
    const bool narrow = all_low_ && (!wide || !data_.chance(1, 4));
    std::vector<uint64_t> pointers;
    pointers.reserve(tables_.named.size() + 2);
    for (const Placed& table : tables_.named) {
      pointers.push_back(table.at);
    }
    if (inside_ != 0) pointers.push_back(inside_);
    if (data_.chance(1, out_.lie == AcpiLie::kWindow ? 2 : 24)) { // none, or one of them again
      const uint64_t odd = data_.boolean() ? data_.pick(pointers) : 0;
      const auto before = static_cast<ptrdiff_t>(data_.below(pointers.size() + 1));
      pointers.insert(pointers.begin() + before, odd);
    }
    if (narrow) tables_.rsdt = root_table("RSDT", 4, pointers);
    if (wide) tables_.xsdt = root_table("XSDT", 8, pointers);
  }

  void name_in_fadt(Placed& fadt) {
    const uint64_t dsdt = tables_.unnamed.empty() ? 0 : tables_.unnamed.front().at;
    const uint64_t facs = data_.chance(1, 4) ? 0 : 0x7FFDF000;
    const bool low = dsdt <= UINT32_MAX;
    const uint64_t which = low ? data_.pick({3, 1, 2}) : 2;
    fadt.set(AcpiFadtPlaces::kFacs, 4, facs);
    fadt.set(AcpiFadtPlaces::kDsdt, 4, (which & 1) != 0 ? dsdt : 0);
    fadt.set(AcpiFadtPlaces::kWideFacs, 8, data_.chance(1, 4) ? facs + 0x40 : 0);
    fadt.set(AcpiFadtPlaces::kWideDsdt, 8, (which & 2) != 0 ? dsdt : 0);
  }

  /// Its index in tables_.unnamed.
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
    table.at = take(table);
    tables_.unnamed.push_back(std::move(table));
    return tables_.unnamed.size() - 1;
  }

  // --- The window

  void window() {
    out_.slots = data_.pick({size_t{8}, size_t{1}, size_t{2}});
    if (out_.lie != AcpiLie::kWindow) return;
    if (fault_.chance(1, 16)) {
      out_.slots = 0;
    } else if (fault_.chance(2, 3)) { // one of those for a table's end
      const bool any = fault_.chance(1, 3);
      std::vector<const Placed*> some; // with entries most of the time
      for (const Placed& table : tables_.named) {
        if (any || !table.lengths.empty()) some.push_back(&table);
      }
      for (const Placed& table : tables_.unnamed) {
        if (any) some.push_back(&table);
      }
      if (some.empty()) return;
      const Placed& table = *fault_.pick(some);
      out_.refused_page = (table.at + table.bytes.size() - 1) / kPage * kPage;
      out_.refused_request = fault_.pick({1, 1, 2, 0, 3}); // 0: while it is summed up
    } else {
      out_.refused_request = fault_.chance(1, 4) ? fault_.below(200) : fault_.below(40);
    }
  }

  sim::Tape& tape_;
  View data_;
  View fault_;
  AcpiFirmware out_;
  AcpiMachine machine_;
  AcpiPlacedTables tables_;
  uint64_t next_ = 0;
  uint64_t inside_ = 0; ///< a table inside another; 0: none
  uint64_t tear_ = 0;   ///< where tables are torn when requests are refused
  bool tight_ = false;
  bool all_low_ = true; ///< below 4 GiB
};

} // namespace

AcpiFirmware make_acpi(sim::Tape& tape) { return Maker(tape).make(); }

} // namespace kiln::gen
