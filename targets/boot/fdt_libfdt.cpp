#include "targets/boot/fdt_libfdt.h"

#include <cstring>
#include <libfdt.h>

#include "sim/machine.h"
#include "targets/boot/texts.h"
#include "worlds/firmware/fdt_interrupts.h"

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
  const worlds::fdt::Property* want = tree.property(node, worlds::fdt::Key::kReg);
  KILN_CHECK(want == nullptr ? value == nullptr : value == want->value.data(),
             "libfdt finds another reg in '%.*s'", KILN_TEXT(node.name));
}

/// libfdt calls no address cells an error; Clay leaves that to who reads an address.
void check_cells(const void* blob, int offset, const worlds::fdt::Tree& tree, const Node& node) {
  const worlds::fdt::Property* address = tree.property(node, worlds::fdt::Key::kAddressCells);
  const worlds::fdt::Property* size = tree.property(node, worlds::fdt::Key::kSizeCells);
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

/// Both find the same node by the phandle of the root's interrupt parent.
void check_phandle(const void* blob, const worlds::fdt::Tree& tree) {
  const worlds::fdt::Property* parent =
      tree.property(tree.nodes[0], worlds::fdt::Key::kInterruptParent);
  if (parent == nullptr || parent->value.size() != sizeof(uint32_t)) {
    return;
  }
  const uint32_t phandle = static_cast<uint32_t>(worlds::fdt::number_in(parent->value));
  const worlds::fdt::Buses buses(tree);
  const std::optional<size_t> want = worlds::fdt::Interrupts(tree, buses, 0).with_phandle(phandle);
  const int offset = fdt_node_offset_by_phandle(blob, phandle);
  KILN_CHECK((offset >= 0) == want.has_value(), "libfdt %s a node with phandle %u",
             offset >= 0 ? "finds" : "does not find", phandle);
  if (want) {
    check_name(blob, offset, tree.nodes[*want]);
  }
}

/// A <stringlist> that has its end: what libfdt 1.6.1 makes of another depends on the byte behind
/// it (docs/findings.md).
void check_compatible(const void* blob, int offset, const worlds::fdt::Tree& tree,
                      const Node& node) {
  const worlds::fdt::Property* list = tree.property(node, worlds::fdt::Key::kCompatible);
  if (list == nullptr || list->value.empty() || list->value.back() != 0) {
    return;
  }
  for (const char* text : {"simple-bus", "arm,gic-v3", "pci-host-ecam-generic"}) {
    const bool want = worlds::fdt::lists(list->value, text);
    KILN_CHECK((fdt_node_check_compatible(blob, offset, text) == 0) == want,
               "libfdt says that '%.*s' is%s compatible with %s", KILN_TEXT(node.name),
               want ? " not" : "", text);
  }
}

/// Every token of libfdt's walk against the nodes and properties of the tree. Names and values by
/// their places; through libfdt's own look-ups (slow, each checks all again) only for buses, which
/// are the nodes with children, and the last node.
class TokenCheck {
 public:
  TokenCheck(const void* blob, const worlds::fdt::Tree& tree)
      : blob_(blob), structure_(static_cast<const uint8_t*>(blob) + fdt_off_dt_struct(blob)),
        tree_(tree) {}

  void check() {
    uint32_t token = FDT_NOP;
    for (int at = 0; token != FDT_END; at = next_) {
      token = fdt_next_tag(blob_, at, &next_);
      KILN_CHECK(next_ > at, "libfdt does not come past %d", at);
      if (token == FDT_BEGIN_NODE) {
        begin_node(at);
      } else if (token == FDT_PROP) {
        property(at);
      } else if (token == FDT_END_NODE) {
        --depth_;
      }
    }
    KILN_CHECK(node_ == tree_.nodes.size() && property_ == tree_.properties.size(),
               "libfdt finds %zu nodes and %zu properties", node_, property_);
  }

 private:
  void begin_node(int at) {
    KILN_CHECK(node_ < tree_.nodes.size(), "libfdt finds more nodes than %zu", node_);
    const Node& node = tree_.nodes[node_++];
    const bool same_name =
        structure_ + at + FDT_TAGSIZE == reinterpret_cast<const uint8_t*>(node.name.data());
    KILN_CHECK(depth_ == node.depth && same_name && property_ == node.first,
               "libfdt sees '%.*s' in another place", KILN_TEXT(node.name));
    ++depth_;
    if (node_ == tree_.nodes.size() || tree_.nodes[node_].depth > node.depth) {
      check_name(blob_, at, node);
      check_properties(blob_, at, tree_.properties_of(node));
      check_lookup(blob_, at, tree_, node);
      check_cells(blob_, at, tree_, node);
      check_compatible(blob_, at, tree_, node);
    }
  }

  void property(int at) {
    KILN_CHECK(property_ < tree_.properties.size(), "libfdt finds more properties than %zu",
               property_);
    const worlds::fdt::Property& want = tree_.properties[property_++];
    const size_t padded = (want.value.size() + FDT_TAGSIZE - 1) / FDT_TAGSIZE * FDT_TAGSIZE;
    KILN_CHECK(structure_ + at + sizeof(struct fdt_property) == want.value.data() &&
                   static_cast<size_t>(next_ - at) == sizeof(struct fdt_property) + padded,
               "libfdt sees '%.*s' in another place", KILN_TEXT(want.name));
  }

  const void* blob_;
  const uint8_t* structure_;
  const worlds::fdt::Tree& tree_;
  int next_ = 0;
  size_t node_ = 0;
  size_t property_ = 0;
  size_t depth_ = 0;
};

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
  TokenCheck(blob.data(), tree).check();
  check_reservations(blob.data(), tree);
  // libfdt looks up paths from the first word of the structure block, be it an FDT_NOP or not.
  int after_first = 0;
  if (fdt_next_tag(blob.data(), 0, &after_first) == FDT_BEGIN_NODE) {
    // Each goes through the whole tree; one a blob will do.
    switch (tree.nodes.size() % 3) {
    case 0:
      return check_path(blob.data(), tree, "/chosen");
    case 1:
      return check_path(blob.data(), tree, "/soc");
    default:
      return check_phandle(blob.data(), tree);
    }
  }
}

Verdict ask_libfdt(std::span<const uint8_t> blob) {
  // libfdt 1.6.1 lets versions before 16 pass its check of the header, and then reads properties by
  // a null pointer (docs/findings.md). Clay refuses them.
  constexpr uint32_t kOldestRead = 16;
  if (has_header(blob) && fdt_version(blob.data()) < kOldestRead) {
    return Verdict::kRefuses;
  }
  if (has_header(blob) && !comes_back(blob.data())) {
    return Verdict::kNeverComesBack;
  }
  return fdt_check_full(blob.data(), blob.size()) == 0 ? Verdict::kTakes : Verdict::kRefuses;
}

bool is_stricter(std::span<const uint8_t> blob, const clay::fdt::Refused& why) {
  const auto is_aligned = [](uint32_t offset, uint32_t align) { return offset % align == 0; };
  switch (why.reason) {
  // 5.2: a reader of version 17 need not know the older ones; libfdt still reads version 16.
  case Refusal::kVersion:
    return fdt_version(blob.data()) < 17;
  // 5.6: both blocks are aligned; libfdt reads them wherever they are.
  case Refusal::kStructPlace:
    return !is_aligned(fdt_off_dt_struct(blob.data()), 4);
  case Refusal::kReservationPlace:
    return !is_aligned(fdt_off_mem_rsvmap(blob.data()), 8);
  // libfdt 1.6.1 rounds these lengths up to 2^32, which is 0 to it (docs/findings.md).
  case Refusal::kPropertyLength:
    return fdt32_ld(reinterpret_cast<const fdt32_t*>(&blob[why.at + FDT_TAGSIZE])) > UINT32_MAX - 3;
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
