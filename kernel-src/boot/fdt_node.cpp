#include "kernel-src/boot/fdt_node.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {
namespace {

/// A cell count: absent, `fallback`; beyond sense, kInvalid.
Result<uint32_t> cell_count(const Node& node, StringView name, uint32_t fallback) {
  const Property property = node.property(name);
  if (!property.exists()) {
    return fallback;
  }
  const uint32_t count = CLAY_TRY(property.u32());
  if (count > kMaxCells) {
    return Error::kInvalid;
  }
  return count;
}

} // namespace

StringView Node::base_name() const { return StringView(name_).split_off('@'); }

Properties Node::properties() const { return {source_, body_}; }

Children Node::children() const { return {source_, body_, cells()}; }

Property Node::property(StringView name) const {
  const Properties all = properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    if (it.is_named(name)) {
      return *it;
    }
  }
  return {};
}

Result<Node> Node::child(StringView name) const {
  const bool whole = name.find('@') != StringView::kNotFound;
  for (const Node child : children()) {
    if (child.name() == name || (!whole && child.base_name() == name)) {
      return child;
    }
  }
  return Error::kNotFound;
}

Cells Node::cells() const {
  Cells cells;
  const Result<uint32_t> address = cell_count(*this, "#address-cells", cells.address);
  const Result<uint32_t> size = cell_count(*this, "#size-cells", cells.size);
  if (!address.ok() || !size.ok()) {
    cells.valid = false;
    return cells;
  }
  cells.address = address.value();
  cells.size = size.value();
  return cells;
}

Result<RegList> Node::reg() const {
  const Property property = this->property("reg");
  if (!property.exists()) {
    return Error::kNotFound;
  }
  return RegList::create(property.value(), parent_cells_);
}

Properties::Iterator::Iterator(const Source& source, size_t at)
    : source_(source), token_(read_token(source.structure, at)) {}

Property Properties::Iterator::operator*() const {
  ByteReader reader(source_.strings.from(token_.name_offset));
  return {reader.c_string().value(), token_.body};
}

bool Properties::Iterator::is_named(StringView name) const {
  const Bytes from = source_.strings.from(token_.name_offset);
  return from.size() > name.size() && from[name.size()] == 0 &&
         StringView(from.first(name.size())) == name;
}

Children::Iterator::Iterator(const Source& source, size_t at, Cells cells)
    : source_(source), cells_(cells) {
  do {
    token_ = read_token(source_.structure, at);
    at = token_.next;
  } while (token_.kind == TokenKind::kProperty);
}

void Children::Iterator::operator++() {
  size_t depth = 0; // below the parent
  do {
    if (token_.kind == TokenKind::kBeginNode) {
      ++depth;
    } else if (token_.kind == TokenKind::kEndNode) {
      --depth;
    }
    token_ = read_token(source_.structure, token_.next);
  } while (depth != 0);
}

} // namespace clay::fdt
