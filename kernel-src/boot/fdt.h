#pragma once
// A device tree: what firmware says of the board. Devicetree Specification v0.4, chapters 2 and 5.
//
//   fdt::Refused why;
//   const fdt::Tree tree = CLAY_TRY(fdt::Tree::open(bytes, why));   // checked whole, once
//   for (const fdt::Node node : tree.root().children()) {
//     const Result<uint32_t> phandle = node.property("phandle").u32();
//   }
//
// A Tree exists only for a blob that passed. It, its nodes and properties point into the blob,
// which must outlive them and not change. No memory is allocated; any context.

#include "kernel-src/boot/fdt_check.h"
#include "kernel-src/boot/fdt_node.h"

namespace clay::fdt {

class Tree {
 public:
  /// Reads the blob at the start of `bytes` (at any alignment). kCorrupt, with the reason in `why`.
  static Result<Tree> open(Bytes bytes, Refused& why);

  Node root() const;
  /// totalsize, in bytes.
  size_t size() const { return blocks_.blob.size(); }
  /// boot_cpuid_phys: `reg` of the CPU that runs.
  uint32_t boot_cpu() const { return blocks_.boot_cpu; }

  /// The memory reservation block (5.3).
  size_t reservations() const { return blocks_.reservations.size() / kReservationBytes; }
  /// Entry `index`, below reservations(). Unlike a Range it may end anywhere.
  Range reservation(size_t index) const;

 private:
  explicit Tree(const Blocks& blocks) : blocks_(blocks) {}
  Blocks blocks_;
};

} // namespace clay::fdt
