#include "kernel-src/boot/fdt_path.h"

#include "kernel-src/lib/checked.h"

namespace clay::fdt {
namespace {

/// The entry of `ranges` at `at`, if `address` lies in it: where the parent bus sees the address.
/// kNotFound when it does not.
Result<uint64_t> through_entry(Bytes ranges, size_t at, Cells own, Cells above, uint64_t address) {
  const size_t parent_at = at + own.address * sizeof(uint32_t);
  const size_t size_at = parent_at + above.address * sizeof(uint32_t);
  const Result<uint64_t> base = read_cells(ranges, at, own.address);
  const Result<uint64_t> size = read_cells(ranges, size_at, own.size);
  if (!base.ok() || address < base.value()) {
    return Error::kNotFound;
  }
  const uint64_t offset = address - base.value();
  // A size of more than 64 bits reaches beyond every address.
  if (size.ok() && offset >= size.value()) {
    return Error::kNotFound;
  }
  return checked_add(CLAY_TRY(read_cells(ranges, parent_at, above.address)), offset);
}

/// An address on `bus` as the bus above sees it: the first entry that holds it counts.
Result<uint64_t> through(const Node& bus, uint64_t address) {
  const Property ranges = bus.property("ranges");
  if (!ranges.exists()) {
    return Error::kNotFound;
  }
  if (ranges.size() == 0) {
    return address; // 2.3.8: empty means the same addresses
  }
  const Cells own = bus.cells();
  const Cells above = bus.parent_cells();
  const size_t entry = (size_t{own.address} + above.address + own.size) * sizeof(uint32_t);
  if (!own.valid || !above.valid || entry == 0 || ranges.size() % entry != 0) {
    return Error::kInvalid;
  }
  for (size_t at = 0; at < ranges.size(); at += entry) {
    const Result<uint64_t> seen = through_entry(ranges.value(), at, own, above, address);
    if (!seen.failed_with(Error::kNotFound)) {
      return seen;
    }
  }
  return Error::kNotFound;
}

} // namespace

Path::Path(const Tree& tree) : source_(tree.root().source_), begin_{} {
  begin_[0] = tree.root().begin_;
}

Result<Path> Path::find(const Tree& tree, StringView path) {
  Path found(tree);
  if (!path.starts_with("/")) {
    const Node aliases = CLAY_TRY(tree.root().child("aliases"));
    const StringView target = CLAY_TRY(aliases.property(path.split_off('/')).string());
    if (!target.starts_with("/")) {
      return Error::kNotFound;
    }
    CLAY_TRY(found.follow(target));
  }
  CLAY_TRY(found.follow(path));
  return found;
}

Result<void> Path::enter(StringView name) {
  const Node child = CLAY_TRY(node().child(name));
  CLAY_ASSERT(depth_ + 1 < kMaxDepth);
  ++depth_;
  begin_[depth_] = child.begin_;
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

Node Path::node_at(size_t level) const {
  return {source_, begin_[level], level == 0 ? Node::kNoParent : begin_[level - 1]};
}

Result<Range> Path::reg(size_t index) const {
  const RegList list = CLAY_TRY(node().reg());
  if (index >= list.count()) {
    return Error::kNotFound;
  }
  Range range = CLAY_TRY(list.at(index));
  for (size_t level = depth_; level > 1; --level) {
    range.base = CLAY_TRY(through(node_at(level - 1), range.base));
  }
  return make_range(range.base, range.size);
}

} // namespace clay::fdt
