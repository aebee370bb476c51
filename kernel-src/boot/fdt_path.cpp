#include "kernel-src/boot/fdt_path.h"

#include "kernel-src/lib/checked.h"

namespace clay::fdt {
namespace {

/// PCI bus binding, 2.2.1.1: of a three-cell address, the space and the 64 bits in it. What is left
/// out says of which function a register is, and how the space may be used.
constexpr Wide kPciAddress = Wide{0x0300'0000} << 64 | UINT64_MAX;

/// `ranges` of one bus, whole entries.
class Ranges {
 public:
  /// kInvalid.
  static Result<Ranges> create(const Node& bus, Bytes value) {
    const Cells own = bus.cells();
    const Cells& above = bus.parent_cells();
    const size_t entry = (size_t{own.address} + above.address + own.size) * sizeof(uint32_t);
    if (!own.valid || !above.valid || entry == 0 || value.size() % entry != 0) {
      return Error::kInvalid;
    }
    const bool pci = own.address == 3 && bus.property("device_type").lists("pci");
    return Ranges(value, own, above, pci ? kPciAddress : ~Wide{0});
  }

  /// The first entry that holds the address counts. kNotFound, kOverflow.
  Result<Wide> up(Wide address) const {
    const uint32_t entry = own_.address + above_.address + own_.size;
    for (size_t at = 0; at < value_.size(); at += entry * sizeof(uint32_t)) {
      const Wide base = read_cells(value_, at, own_.address) & mask_;
      const size_t above_at = at + own_.address * sizeof(uint32_t);
      const size_t size_at = above_at + above_.address * sizeof(uint32_t);
      const Wide wanted = address & mask_;
      if (wanted < base || wanted - base >= read_cells(value_, size_at, own_.size)) {
        continue;
      }
      Wide seen = read_cells(value_, above_at, above_.address);
      if (__builtin_add_overflow(seen, wanted - base, &seen)) {
        return Error::kOverflow;
      }
      return seen;
    }
    return Error::kNotFound;
  }

 private:
  Ranges(Bytes value, Cells own, Cells above, Wide mask)
      : value_(value), own_(own), above_(above), mask_(mask) {}
  Bytes value_;
  Cells own_;
  Cells above_;
  Wide mask_; ///< of an address: what is compared
};

/// An address on `bus` as the bus above sees it.
Result<Wide> through(const Node& bus, Wide address) {
  const Property ranges = bus.property("ranges");
  if (!ranges.exists()) {
    return Error::kNotFound;
  }
  if (ranges.size() == 0) {
    return address; // 2.3.8: empty means the same addresses
  }
  return CLAY_TRY(Ranges::create(bus, ranges.value())).up(address);
}

} // namespace

Path::Path(const Tree& tree) : source_(tree.root().source_) {
  levels_[0] = {tree.root().begin_.at, tree.root().bus_};
}

Result<Path> Path::find(const Tree& tree, StringView path) {
  Path found(tree);
  if (!path.starts_with("/")) {
    const Node aliases = CLAY_TRY(tree.root().child("aliases"));
    const StringView alias = path.split_off('/');
    if (alias.empty()) {
      return Error::kNotFound;
    }
    const StringView target = aliases.property(alias).string().value_or({});
    if (!target.starts_with("/")) {
      return Error::kNotFound;
    }
    CLAY_TRY(found.follow(target));
  }
  CLAY_TRY(found.follow(path));
  return found;
}

void Path::enter(const Node& child) {
  CLAY_ASSERT(depth_ + 1 < kMaxDepth);
  ++depth_;
  levels_[depth_] = {child.begin_.at, child.bus_};
}

Result<void> Path::enter(StringView name) {
  enter(CLAY_TRY(node().child(name)));
  return {};
}

Result<void> Path::follow(StringView path) {
  while (!path.empty()) {
    const StringView name = path.split_off('/');
    if (!name.empty()) {
      CLAY_TRY(enter(name));
    }
  }
  return {};
}

Node Path::at(size_t level) const {
  CLAY_ASSERT(level <= depth_);
  return Node::read(source_, levels_[level].begin, levels_[level].bus);
}

Result<uint64_t> Path::to_cpu(Wide address) const {
  for (size_t level = depth_; level > 1; --level) {
    address = CLAY_TRY(through(at(level - 1), address));
  }
  return narrow(address);
}

Result<Range> Path::reg(size_t index) const {
  const RegList list = CLAY_TRY(node().reg());
  if (index >= list.count()) {
    return Error::kNotFound;
  }
  const uint64_t size = CLAY_TRY(list.size_at(index));
  return make_range(CLAY_TRY(to_cpu(list.address_at(index))), size);
}

} // namespace clay::fdt
