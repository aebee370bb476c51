// Clay's tree against the tree of the reader that was written from the specification.

#include "targets/boot/fdt_compare.h"

#include <cstring>

#include "sim/machine.h"
#include "targets/boot/texts.h"
#include "worlds/firmware/fdt_bus.h"

namespace kiln::targets {
namespace {

using clay::Result;
using clay::fdt::Node;

class TreeCheck {
 public:
  explicit TreeCheck(const worlds::fdt::Tree& want) : want_(want), buses_(want) {}

  /// The node that comes next in the other tree, and everything in it.
  void check(const Node& got) {
    KILN_CHECK(next_ < want_.nodes.size(), "there is a node '%.*s' too many",
               KILN_TEXT(got.name()));
    const worlds::fdt::Node& want = want_.nodes[next_++];
    KILN_CHECK(is(got.name(), want.name), "a node is named '%.*s', not '%.*s'",
               KILN_TEXT(got.name()), KILN_TEXT(want.name));
    check_properties(got, want);
    check_cells(got, want);
    check_reg(got, want);
    const size_t index = next_ - 1;
    for (const Node child : got.children()) {
      KILN_CHECK(next_ < want_.nodes.size() && want_.nodes[next_].parent == index,
                 "'%.*s' is no child of '%.*s'", KILN_TEXT(child.name()), KILN_TEXT(got.name()));
      check(child);
    }
  }

  void check_end() const {
    KILN_CHECK(next_ == want_.nodes.size(), "%zu of %zu nodes were read", next_,
               want_.nodes.size());
  }

 private:
  void check_properties(const Node& got, const worlds::fdt::Node& want) {
    size_t index = want.first;
    for (const clay::fdt::Property property : got.properties()) {
      KILN_CHECK(index < want.first + want.count, "'%.*s' has a property '%.*s' too many",
                 KILN_TEXT(got.name()), KILN_TEXT(property.name()));
      const worlds::fdt::Property& other = want_.properties[index++];
      KILN_CHECK(is(property.name(), other.name), "a property is named '%.*s', not '%.*s'",
                 KILN_TEXT(property.name()), KILN_TEXT(other.name));
      KILN_CHECK(property.value().data() == other.value.data() &&
                     property.size() == other.value.size(),
                 "'%.*s' has a value of %zu bytes, not %zu, or in another place",
                 KILN_TEXT(other.name), property.size(), other.value.size());
    }
    KILN_CHECK(index == want.first + want.count, "'%.*s' has %zu properties too few",
               KILN_TEXT(got.name()), want.first + want.count - index);
  }

  /// In bytes.
  void check_cells(const Node& got, const worlds::fdt::Node& want) {
    const std::optional<std::pair<size_t, size_t>> bytes = buses_.cell_bytes(want);
    const clay::fdt::Cells cells = got.cells();
    KILN_CHECK(cells.valid == bytes.has_value(), "the cells of '%.*s' make %s sense",
               KILN_TEXT(got.name()), cells.valid ? "" : "no");
    KILN_CHECK(!bytes || (cells.address * 4u == bytes->first && cells.size * 4u == bytes->second),
               "'%.*s' has %u and %u cells", KILN_TEXT(got.name()), cells.address, cells.size);
  }

  void check_reg(const Node& got, const worlds::fdt::Node& want) {
    if (want_.property(want, worlds::fdt::Key::kReg) == nullptr) {
      KILN_CHECK(got.reg().failed_with(clay::Error::kNotFound), "'%.*s' has a reg",
                 KILN_TEXT(got.name()));
      return;
    }
    const std::optional<worlds::fdt::RegEntries> entries = buses_.reg(want);
    const Result<clay::fdt::RegList> reg = got.reg();
    KILN_CHECK(reg.ok() == entries.has_value(), "reg of '%.*s' is %s", KILN_TEXT(got.name()),
               reg.ok() ? "taken" : "refused");
    if (!entries.has_value()) {
      return;
    }
    KILN_CHECK(reg.value().count() == entries->size(), "reg of '%.*s' has %zu entries, not %zu",
               KILN_TEXT(got.name()), reg.value().count(), entries->size());
    for (size_t i = 0; i < entries->size(); ++i) {
      check_entry(reg.value().at(i), (*entries)[i]);
    }
  }

  static void check_entry(const Result<clay::fdt::Range>& got, const worlds::fdt::Entry& want) {
    const bool fits = !want.too_wide && want.base + want.size <= worlds::fdt::kEndOfAddresses;
    KILN_CHECK(got.ok() == fits, "a range is %s", got.ok() ? "taken" : "refused");
    if (fits) {
      KILN_CHECK(got.value().base == static_cast<uint64_t>(want.base) &&
                     got.value().size == static_cast<uint64_t>(want.size),
                 "a range is read as 0x%llx + 0x%llx", KILN_U64(got.value().base),
                 KILN_U64(got.value().size));
    }
  }

  const worlds::fdt::Tree& want_;
  worlds::fdt::Buses buses_;
  size_t next_ = 0;
};

} // namespace

void check_tree(const clay::fdt::Tree& got, const worlds::fdt::Tree& want) {
  KILN_CHECK(got.size() == want.total_size, "totalsize is read as %zu, not %u", got.size(),
             want.total_size);
  KILN_CHECK(got.boot_cpu() == want.boot_cpu, "the boot CPU is read as %u, not %u", got.boot_cpu(),
             want.boot_cpu);
  KILN_CHECK(got.reservations() == want.reservations.size(), "%zu reservations are read, not %zu",
             got.reservations(), want.reservations.size());
  for (size_t i = 0; i < want.reservations.size(); ++i) {
    const clay::fdt::Range range = got.reservation(i);
    KILN_CHECK(range.base == want.reservations[i].address &&
                   range.size == want.reservations[i].size,
               "reservation %zu is read as 0x%llx + 0x%llx", i, KILN_U64(range.base),
               KILN_U64(range.size));
  }
  TreeCheck check(want);
  check.check(got.root());
  check.check_end();
}

} // namespace kiln::targets
