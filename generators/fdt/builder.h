#pragma once
// Builds a Tree node by node:
//
//   builder.open("soc");
//   builder.lay_down({1, 1});                 // #address-cells and #size-cells of its children
//   builder.open_at("serial", 0x10000000);    // "serial@10000000"
//   builder.reg({{0x10000000, 0x100}});       // in the cells of "soc"
//   builder.close();
//   builder.close();
//
// A node's properties come before its children.

#include <initializer_list>

#include "generators/fdt/tree.h"

namespace kiln::gen::fdt {

/// Cells of an address and of a size; at most 4 each.
struct Cells {
  uint32_t address = 2;
  uint32_t size = 1;
};

struct Range {
  uint64_t base = 0;
  uint64_t size = 0;
};

class Builder {
 public:
  Builder();

  void open(std::string_view name);
  void open_at(std::string_view name, uint64_t unit_address);
  void close();

  // --- Properties of the node opened last

  /// Texts with their NULs: a literal may hold several ("arm,pl011\0arm,primecell").
  template <size_t n> void text(Name name, const char (&literal)[n]) {
    raw(name, std::span(reinterpret_cast<const uint8_t*>(literal), n));
  }
  /// One text; its NUL is added.
  void string(Name name, std::string_view value);
  void cells(Name name, std::initializer_list<uint32_t> values);
  void u32(Name name, uint32_t value) { cells(name, {value}); }
  void flag(Name name) { raw(name, {}); }
  void raw(Name name, std::span<const uint8_t> value);
  /// Addresses and sizes in the parent's cells, which they must fit.
  void reg(std::initializer_list<Range> ranges);
  void reg(std::span<const Range> ranges);
  /// A value out of parts: numbers of several widths, characters, as often as wanted between.
  uint32_t begin_value() const { return here(); }
  void number(uint64_t value, uint32_t cells) { append_cells(value, cells); }
  void characters(std::string_view text) { append(text); }
  void end_value(Name name, uint32_t begin) { property_since(name, begin); }
  /// #address-cells and #size-cells. `omit`: the defaults, 2 and 1, are not written down.
  void lay_down(Cells cells, bool omit_defaults = false);

  /// What the node opened last lays down for its children, and what holds for that node itself.
  Cells cells_here() const { return open_.back().cells; }
  Cells cells_around() const { return parent_cells(); }
  uint32_t depth() const { return static_cast<uint32_t>(open_.size()) - 1; }
  void reserve(uint64_t address, uint64_t size) { tree_.reservations.push_back({address, size}); }

  /// The tree, once every node is closed.
  Tree take() { return std::move(tree_); }

 private:
  struct Open {
    uint32_t node;
    Cells cells;
  };
  Cells parent_cells() const { return open_[open_.size() - 2].cells; }
  void append(std::string_view text);
  void append_cells(uint64_t value, uint32_t cells);
  /// A property whose value is what has been appended since `from`.
  void property_since(Name name, uint32_t from);
  uint32_t here() const { return static_cast<uint32_t>(tree_.bytes.size()); }
  void open_since(uint32_t name_at);

  Tree tree_;
  std::vector<Open> open_;
};

} // namespace kiln::gen::fdt
