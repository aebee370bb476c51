#pragma once
// From the root to one node, with the buses between them: what is needed to see a device's
// registers where the CPU sees them (Devicetree Specification v0.4, 2.2.3, 2.3.8, 3.3).

#include "kernel-src/boot/fdt.h"

namespace clay::fdt {

class Path {
 public:
  /// At the root.
  explicit Path(const Tree& tree);

  /// The node that `path` names: "/soc/serial@10000000", or "alias" or "alias/rest" of /aliases.
  /// kNotFound.
  static Result<Path> find(const Tree& tree, StringView path);

  Node node() const { return at(depth_); }
  /// 0: the root is the node.
  size_t depth() const { return depth_; }
  /// The node `level` below the root on the way; at most depth().
  Node at(size_t level) const;

  /// Entry `index` of the node's `reg`, translated through `ranges` of every bus above it.
  /// kNotFound: no such entry, or a bus that shows it to nobody; kInvalid, kUnsupported, kOverflow:
  /// `reg` or `ranges` make no sense.
  Result<Range> reg(size_t index) const;
  /// An address on the bus that the node is on, as a CPU sees it. Errors as above.
  Result<uint64_t> to_cpu(Wide address) const;

 private:
  friend class Walk;
  struct Level {
    uint32_t begin; ///< the node's FDT_BEGIN_NODE
    Cells bus;      ///< of the bus that it is on
  };
  Result<void> enter(StringView name);
  void enter(const Node& child);
  /// Enters one component after the other; empty ones are skipped.
  Result<void> follow(StringView path);

  Source source_;
  size_t depth_ = 0;
  Level levels_[kMaxDepth]; ///< the root [0] down to the node [depth_]; behind it nothing
};

} // namespace clay::fdt
