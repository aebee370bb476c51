#pragma once
// Every node of a tree, each before those in it, with the way to it:
//
//   fdt::Walk walk(tree);
//   while (walk.next()) {
//     if (walk.compatible().lists("virtio,mmio")) ... walk.path().reg(0) ...
//   }
//
// One pass over the tokens, however deep the tree is.

#include "kernel-src/boot/fdt_path.h"

namespace clay::fdt {

class Walk {
 public:
  explicit Walk(const Tree& tree);

  /// To the root first, then to the node that comes next; false behind the last one.
  bool next();
  /// The nodes in this one will be left out.
  void skip_inside();

  /// The way to the node. Valid until next().
  const Path& path() const { return path_; }
  size_t depth() const { return path_.depth(); }

  // --- Properties by which a node is known; found in passing

  const Property& compatible() const { return compatible_; } ///< 2.3.1
  const Property& phandle() const { return phandle_; }       ///< 2.3.3
  const Property& status() const { return status_; }         ///< 2.3.4
  const Property& device_type() const { return device_type_; }

 private:
  void read_properties(uint32_t at);
  void take(const Properties::Iterator& property);

  Path path_;
  Token token_;                 ///< that comes next
  size_t open_ = 0;             ///< nodes around it
  Cells bus_around_[kMaxDepth]; ///< what each of them lays down
  Property compatible_;
  Property phandle_;
  Property status_;
  Property device_type_;
};

/// The first node with that phandle. kInvalid: 0 and 2^32 - 1 are none; kNoDevice: nobody has it.
Result<Node> find_phandle(const Tree& tree, uint32_t phandle);

} // namespace clay::fdt
