#pragma once
// Nodes and their properties, as a tree that was checked lays them out. Everything here points into
// the blob and is as cheap to copy as a few pointers.

#include "kernel-src/boot/fdt_property.h"
#include "kernel-src/boot/fdt_reg.h"
#include "kernel-src/boot/fdt_token.h"

namespace clay::fdt {

class Children;
class Properties;

/// Where tokens and property names are read.
struct Source {
  Bytes structure;
  Bytes strings;
};

class Node {
 public:
  /// With the unit address: "memory@40000000"; empty for the root.
  StringView name() const { return StringView(token().body(source_.structure)); }
  /// The name up to the '@'.
  StringView base_name() const;

  Properties properties() const;
  Children children() const;

  /// The first property of that name, or one that does not exist.
  Property property(StringView name) const;
  /// The first child whose name is `name`; without an '@' in it, whose base name is (2.2.1, 2.2.3).
  /// kNotFound.
  Result<Node> child(StringView name) const;

  /// What this node lays down for its children, and what its parent laid down for it.
  Cells cells() const;
  Cells parent_cells() const;

  /// The entries of `reg`, read with the parent's cells. kNotFound, kInvalid.
  Result<RegList> reg() const;

 private:
  friend class Children;
  friend class Path;
  friend class Tree;
  /// Of the root: it has no parent.
  static constexpr uint32_t kNoParent = UINT32_MAX;
  Node(const Source& source, uint32_t begin, uint32_t parent)
      : source_(source), begin_(begin), parent_(parent) {}
  Token token() const;

  Source source_;
  uint32_t begin_;  ///< of its FDT_BEGIN_NODE
  uint32_t parent_; ///< of its parent's
};

/// One node's properties in order: for (Property property : node.properties()).
class Properties {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const Source& source, uint32_t at);
    Property operator*() const;
    void operator++() { read_token(source_.structure, token_.next, token_); }
    bool operator==(End) const { return token_.kind != TokenKind::kProperty; }
    /// Whether the property's name is `name`; cheaper than reading it.
    bool is_named(StringView name) const;

   private:
    Source source_;
    Token token_;
  };

  Properties(const Source& source, uint32_t at) : source_(source), at_(at) {}
  Iterator begin() const { return {source_, at_}; }
  End end() const { return {}; }

 private:
  Source source_;
  uint32_t at_;
};

/// One node's child nodes in order: for (Node child : node.children()).
class Children {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const Source& source, uint32_t parent, uint32_t at);
    Node operator*() const { return {source_, token_.at, parent_}; }
    /// To the next sibling, over everything in this child.
    void operator++();
    bool operator==(End) const { return token_.kind != TokenKind::kBeginNode; }

   private:
    Source source_;
    uint32_t parent_;
    Token token_;
  };

  /// Of the node that begins at `parent` and whose first token behind the name is at `at`.
  Children(const Source& source, uint32_t parent, uint32_t at)
      : source_(source), parent_(parent), at_(at) {}
  Iterator begin() const { return {source_, parent_, at_}; }
  End end() const { return {}; }

 private:
  Source source_;
  uint32_t parent_;
  uint32_t at_;
};

} // namespace clay::fdt
