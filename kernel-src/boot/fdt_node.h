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
  StringView name() const { return StringView(begin_.body(source_.structure)); }
  /// The name up to the '@'.
  StringView base_name() const;

  Properties properties() const;
  Children children() const;

  /// The first property of that name, which is not empty, or one that does not exist.
  Property property(StringView name) const;
  /// The first child whose name is `name`; without an '@' in it, whose base name is (2.2.1, 2.2.3).
  /// kNotFound.
  Result<Node> child(StringView name) const;

  /// What this node lays down for its children, and what its parent laid down for it.
  Cells cells() const;
  const Cells& parent_cells() const { return bus_; }

  /// The entries of `reg`, read with the parent's cells. kNotFound, kInvalid.
  Result<RegList> reg() const;

  /// Where it begins in the structure block: what tells the nodes of one tree apart.
  uint32_t place() const { return begin_.at; }

 private:
  friend class Children;
  friend class Path;
  friend class Tree;
  friend class Walk;
  Node(const Source& source, const Token& begin, const Cells& bus)
      : source_(source), begin_(begin), bus_(bus) {}
  /// Of the FDT_BEGIN_NODE at `at`.
  static Node read(const Source& source, uint32_t at, const Cells& bus);

  Source source_;
  Token begin_; ///< its FDT_BEGIN_NODE
  Cells bus_;   ///< its parent's; the root is on a bus of the defaults
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
    /// Whether the property's name is `name`, which is not empty; cheaper than reading it. Hot.
    bool is_named(StringView name) const {
      return name_start()[0] == name.data()[0] && is_named_in_full(name);
    }
    Bytes value() const { return token_.body(source_.structure); }
    /// The property; behind the last one, the token that stands there.
    const Token& token() const { return token_; }

   private:
    /// From any place in the strings block there is a NUL to come.
    const char* name_start() const {
      return reinterpret_cast<const char*>(source_.strings.data() + token_.name_offset);
    }
    bool is_named_in_full(StringView name) const;

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

/// The property at `it`, if its name is `name` and it is the first of that name. Hot.
inline void take_first(Property& property, StringView name, const Properties::Iterator& it) {
  if (it.is_named(name) && !property.exists()) {
    property = Property(name, it.value());
  }
}

/// #address-cells and #size-cells, picked out of a node's properties as they pass by.
class CellCounts {
 public:
  /// Whether it was one of the two.
  bool take(const Properties::Iterator& property);
  const Cells& cells() const { return cells_; }

 private:
  void take(Bytes value, uint8_t& count, bool& seen);
  Cells cells_;
  bool address_seen_ = false;
  bool size_seen_ = false;
};

/// One node's child nodes in order: for (Node child : node.children()).
class Children {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const Source& source, uint32_t at);
    Node operator*() const { return {source_, token_, counts_.cells()}; }
    /// To the next sibling, over everything in this child.
    void operator++();
    bool operator==(End) const { return token_.kind != TokenKind::kBeginNode; }

   private:
    Source source_;
    CellCounts counts_; ///< the parent's
    Token token_;
  };

  /// Of the node whose first token behind the name is at `at`.
  Children(const Source& source, uint32_t at) : source_(source), at_(at) {}
  Iterator begin() const { return {source_, at_}; }
  End end() const { return {}; }

 private:
  Source source_;
  uint32_t at_;
};

} // namespace clay::fdt
