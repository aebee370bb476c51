#include "targets/boot/fdt_libfdt.h"

#include <cstring>
#include <libfdt.h>

#include "sim/machine.h"
#include "targets/boot/fdt_text.h"
#include "worlds/firmware/fdt_bus.h"

namespace kiln::targets {
namespace {

using clay::fdt::Refusal;
using worlds::fdt::Node;

void check_name(const void* blob, int offset, const Node& node) {
  int length = 0;
  const char* name = fdt_get_name(blob, offset, &length);
  KILN_CHECK(name == node.name.data() && static_cast<size_t>(length) == node.name.size(),
             "libfdt does not name a node '%.*s'", KILN_TEXT(node.name));
}

void check_properties(const void* blob, int offset, std::span<const worlds::fdt::Property> want) {
  size_t index = 0;
  int at = 0;
  fdt_for_each_property_offset(at, blob, offset) {
    const char* name = nullptr;
    int length = 0;
    const void* value = fdt_getprop_by_offset(blob, at, &name, &length);
    KILN_CHECK(index < want.size() && value != nullptr && name == want[index].name.data() &&
                   value == want[index].value.data() &&
                   static_cast<size_t>(length) == want[index].value.size(),
               "libfdt reads a property '%s' otherwise", name == nullptr ? "?" : name);
    ++index;
  }
  KILN_CHECK(index == want.size(), "libfdt finds %zu properties, not %zu", index, want.size());
}

/// By name libfdt, too, finds the first of that name.
void check_lookup(const void* blob, int offset, const worlds::fdt::Tree& tree, const Node& node) {
  int length = 0;
  const void* value = fdt_getprop(blob, offset, "reg", &length);
  const worlds::fdt::Property* want = tree.property(node, "reg");
  KILN_CHECK(want == nullptr ? value == nullptr : value == want->value.data(),
             "libfdt finds another reg in '%.*s'", KILN_TEXT(node.name));
}

/// libfdt calls no address cells an error; Clay leaves that to who reads an address.
void check_cells(const void* blob, int offset, const worlds::fdt::Tree& tree, const Node& node) {
  const worlds::fdt::Property* address = tree.property(node, "#address-cells");
  const worlds::fdt::Property* size = tree.property(node, "#size-cells");
  const auto count = [](const worlds::fdt::Property* property, int fallback) {
    if (property == nullptr) {
      return fallback;
    }
    const worlds::fdt::Wide value = worlds::fdt::number_in(property->value);
    return property->value.size() != 4 || value > 4 ? -FDT_ERR_BADNCELLS : static_cast<int>(value);
  };
  const int addresses = count(address, 2);
  const int got = fdt_address_cells(blob, offset);
  KILN_CHECK(got == (addresses == 0 ? -FDT_ERR_BADNCELLS : addresses),
             "libfdt counts %d address cells, not %d", got, addresses);
  const int sizes = fdt_size_cells(blob, offset);
  KILN_CHECK(sizes == count(size, 1), "libfdt counts %d size cells, not %d", sizes, count(size, 1));
}

void check_reservations(const void* blob, const worlds::fdt::Tree& tree) {
  // libfdt ends the list at the first entry of size 0; the specification wants the address 0 too.
  size_t want = 0;
  while (want < tree.reservations.size() && tree.reservations[want].size != 0) {
    ++want;
  }
  KILN_CHECK(fdt_num_mem_rsv(blob) == static_cast<int>(want), "libfdt counts %d reservations",
             fdt_num_mem_rsv(blob));
  for (size_t i = 0; i < want; ++i) {
    uint64_t address = 0;
    uint64_t size = 0;
    const int failed = fdt_get_mem_rsv(blob, static_cast<int>(i), &address, &size);
    KILN_CHECK(failed == 0 && address == tree.reservations[i].address &&
                   size == tree.reservations[i].size,
               "libfdt reads reservation %zu otherwise", i);
  }
}

/// Both find a node by its name without the unit address, and the same one.
void check_path(const void* blob, const worlds::fdt::Tree& tree, const char* path) {
  const std::optional<size_t> want = worlds::fdt::Buses(tree).find(path);
  const int offset = fdt_path_offset(blob, path);
  KILN_CHECK((offset >= 0) == want.has_value(), "libfdt %s '%s'",
             offset >= 0 ? "finds" : "does not find", path);
  if (want) {
    check_name(blob, offset, tree.nodes[*want]);
  }
}

/// What fdt_check_full looks at before it walks.
bool has_header(std::span<const uint8_t> blob) {
  return blob.size() >= sizeof(fdt_header) && fdt_check_header(blob.data()) == 0 &&
         fdt_totalsize(blob.data()) <= blob.size();
}

/// libfdt 1.6.1 adds a property's length to an int without a check: a length near 2^32 leads its
/// walk back to where it was, and fdt_check_full never ends (docs/findings.md).
bool comes_back(const void* blob) {
  int next = 0;
  for (int at = 0; fdt_next_tag(blob, at, &next) != FDT_END; at = next) {
    if (next <= at) {
      return next < 0;
    }
  }
  return true;
}

} // namespace

void check_with_libfdt(std::span<const uint8_t> blob, const worlds::fdt::Tree& tree) {
  const int verdict = fdt_check_full(blob.data(), blob.size());
  // 5.4.1: FDT_NOP is ignored wherever it stands. libfdt wants FDT_END right behind the root node.
  KILN_CHECK(verdict == (tree.nop_behind_root ? -FDT_ERR_BADSTRUCTURE : 0),
             "libfdt refuses a blob that Clay takes: %s", fdt_strerror(verdict));
  const void* fdt = blob.data();
  int depth = -1;
  int offset = fdt_next_node(fdt, -1, &depth);
  // libfdt looks up paths from the first word of the structure block, be it an FDT_NOP or not.
  if (offset == 0) {
    check_path(fdt, tree, "/chosen");
    check_path(fdt, tree, "/soc");
  }
  for (const Node& node : tree.nodes) {
    KILN_CHECK(offset >= 0 && depth == static_cast<int>(node.depth),
               "libfdt sees '%.*s' at another depth", KILN_TEXT(node.name));
    check_name(fdt, offset, node);
    check_properties(fdt, offset, tree.properties_of(node));
    // Where it matters most, for time: buses, which are the nodes with children, and the last node.
    const size_t next = static_cast<size_t>(&node - tree.nodes.data()) + 1;
    if (next == tree.nodes.size() || tree.nodes[next].depth > node.depth) {
      check_lookup(fdt, offset, tree, node);
      check_cells(fdt, offset, tree, node);
    }
    offset = fdt_next_node(fdt, offset, &depth);
  }
  KILN_CHECK(offset < 0 || depth < 0, "libfdt finds more nodes than %zu", tree.nodes.size());
  check_reservations(fdt, tree);
}

Verdict ask_libfdt(std::span<const uint8_t> blob) {
  if (has_header(blob) && !comes_back(blob.data())) {
    return Verdict::kNeverComesBack;
  }
  return fdt_check_full(blob.data(), blob.size()) == 0 ? Verdict::kTakes : Verdict::kRefuses;
}

bool is_stricter(std::span<const uint8_t> blob, Refusal reason) {
  const auto is_aligned = [](uint32_t offset, uint32_t align) { return offset % align == 0; };
  switch (reason) {
  // 5.2: a reader of version 17 need not know the older ones; libfdt still reads version 16.
  case Refusal::kVersion:
    return fdt_version(blob.data()) < 17;
  // 5.6: both blocks are aligned; libfdt reads them wherever they are.
  case Refusal::kStructPlace:
    return !is_aligned(fdt_off_dt_struct(blob.data()), 4);
  case Refusal::kReservationPlace:
    return !is_aligned(fdt_off_mem_rsvmap(blob.data()), 8);
  // 5.3.2: the last entry has address and size 0; libfdt is content with size 0.
  case Refusal::kReservationEnd:
  // 5.4.2: exactly one root node; libfdt takes an empty structure block.
  case Refusal::kNoRoot:
  // 5.4.2: properties come before child nodes; libfdt takes them and then does not find them.
  case Refusal::kPropertyPlace:
  // 5.4.1: FDT_END is the last token and ends the block; libfdt does not look behind it.
  case Refusal::kTrailing:
  // Clay's own: who walks a tree wants to know how much room the way back takes.
  case Refusal::kDepth:
    return true;
  default:
    return false;
  }
}

} // namespace kiln::targets
