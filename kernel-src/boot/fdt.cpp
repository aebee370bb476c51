#include "kernel-src/boot/fdt.h"

#include "kernel-src/lib/endian.h"

namespace clay::fdt {

Result<Tree> Tree::open(Bytes bytes, Refused& why) {
  Blocks blocks;
  why = check_header(bytes, blocks);
  if (why.reason == Refusal::kNone) {
    why = check_structure(blocks);
  }
  if (why.reason != Refusal::kNone) {
    return Error::kCorrupt;
  }
  return Tree(blocks);
}

Node Tree::root() const { return Node::read({blocks_.structure, blocks_.strings}, 0, Cells{}); }

Range Tree::reservation(size_t index) const {
  const Bytes entry = blocks_.reservations.subspan(index * kReservationBytes, kReservationBytes);
  return {load_be<uint64_t>(entry.data()), load_be<uint64_t>(entry.data() + sizeof(uint64_t))};
}

} // namespace clay::fdt
