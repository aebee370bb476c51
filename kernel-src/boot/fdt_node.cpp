#include "kernel-src/boot/fdt_node.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {
namespace {

/// A cell count that may be there already, from an earlier property of the same name.
void take_count(const Property& property, uint32_t& count, bool& seen, bool& valid) {
  if (seen) {
    return;
  }
  seen = true;
  const Result<uint32_t> value = property.u32();
  if (value.ok() && value.value() <= kMaxCells) {
    count = value.value();
  } else {
    valid = false;
  }
}

} // namespace

Token Node::token() const {
  Token token;
  read_token(source_.structure, begin_, token);
  return token;
}

StringView Node::base_name() const { return name().split_off('@'); }

Properties Node::properties() const { return {source_, token().next}; }

Children Node::children() const { return {source_, begin_, token().next}; }

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
  bool address_seen = false;
  bool size_seen = false;
  const Properties all = properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    if (it.is_named("#address-cells")) {
      take_count(*it, cells.address, address_seen, cells.valid);
    } else if (it.is_named("#size-cells")) {
      take_count(*it, cells.size, size_seen, cells.valid);
    }
  }
  return cells;
}

Cells Node::parent_cells() const {
  return parent_ == kNoParent ? Cells{} : Node(source_, parent_, kNoParent).cells();
}

Result<RegList> Node::reg() const {
  const Property property = this->property("reg");
  if (!property.exists()) {
    return Error::kNotFound;
  }
  return RegList::create(property.value(), parent_cells());
}

Properties::Iterator::Iterator(const Source& source, uint32_t at) : source_(source) {
  read_token(source_.structure, at, token_);
}

Property Properties::Iterator::operator*() const {
  ByteReader reader(source_.strings.from(token_.name_offset));
  return {reader.c_string().value(), token_.body(source_.structure)};
}

bool Properties::Iterator::is_named(StringView name) const {
  const Result<Bytes> text = source_.strings.slice(token_.name_offset, name.size() + 1);
  return text.ok() && text.value()[name.size()] == 0 &&
         StringView(text.value().first(name.size())) == name;
}

Children::Iterator::Iterator(const Source& source, uint32_t parent, uint32_t at)
    : source_(source), parent_(parent) {
  do {
    read_token(source_.structure, at, token_);
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
    read_token(source_.structure, token_.next, token_);
  } while (depth != 0);
}

} // namespace clay::fdt
