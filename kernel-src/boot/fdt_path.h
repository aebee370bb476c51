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

  Node node() const { return node_at(depth_); }

  /// Entry `index` of the node's `reg`, translated through `ranges` of every bus above it.
  /// kNotFound: no such entry, or a bus that shows it to nobody; kInvalid, kUnsupported, kOverflow:
  /// `reg` or `ranges` make no sense.
  Result<Range> reg(size_t index) const;

 private:
  Result<void> enter(StringView name);
  /// Enters one component after the other; empty ones are skipped.
  Result<void> follow(StringView path);
  Node node_at(size_t level) const;

  Source source_;
  size_t depth_ = 0;
  uint32_t begin_[kMaxDepth]; ///< the FDT_BEGIN_NODE of the root [0] down to the node [depth_]
};

} // namespace clay::fdt
