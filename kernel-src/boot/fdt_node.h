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
  StringView name() const { return name_; }
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
  Cells parent_cells() const { return parent_cells_; }

  /// The entries of `reg`, read with the parent's cells. kNotFound, kInvalid.
  Result<RegList> reg() const;

 private:
  friend class Children;
  friend class Path;
  friend class Tree;
  Node(const Source& source, const Token& begin, Cells parent_cells)
      : source_(source), name_(begin.body), begin_(begin.at), body_(begin.next),
        parent_cells_(parent_cells) {}

  Source source_;
  StringView name_;
  size_t begin_; ///< of its FDT_BEGIN_NODE
  size_t body_;  ///< of the first token behind the name
  Cells parent_cells_;
};

/// One node's properties in order: for (Property property : node.properties()).
class Properties {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const Source& source, size_t at);
    Property operator*() const;
    void operator++() { token_ = read_token(source_.structure, token_.next); }
    bool operator==(End) const { return token_.kind != TokenKind::kProperty; }
    /// Whether the property's name is `name`; cheaper than reading it.
    bool is_named(StringView name) const;

   private:
    Source source_;
    Token token_;
  };

  Properties(const Source& source, size_t at) : source_(source), at_(at) {}
  Iterator begin() const { return {source_, at_}; }
  End end() const { return {}; }

 private:
  Source source_;
  size_t at_;
};

/// One node's child nodes in order: for (Node child : node.children()).
class Children {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const Source& source, size_t at, Cells cells);
    Node operator*() const { return {source_, token_, cells_}; }
    /// To the next sibling, over everything in this child.
    void operator++();
    bool operator==(End) const { return token_.kind != TokenKind::kBeginNode; }

   private:
    Source source_;
    Cells cells_;
    Token token_;
  };

  Children(const Source& source, size_t at, Cells cells)
      : source_(source), at_(at), cells_(cells) {}
  Iterator begin() const { return {source_, at_, cells_}; }
  End end() const { return {}; }

 private:
  Source source_;
  size_t at_;
  Cells cells_;
};

} // namespace clay::fdt
