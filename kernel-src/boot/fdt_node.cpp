#include "kernel-src/boot/fdt_node.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {

Node Node::read(const Source& source, uint32_t at, const Cells& bus) {
  Token token;
  read_token(source.structure, at, token);
  return {source, token, bus};
}

StringView Node::base_name() const { return name().split_off('@'); }

Properties Node::properties() const { return {source_, begin_.next}; }

Children Node::children() const { return {source_, begin_.next}; }

Property Node::property(StringView name) const {
  const Properties all = properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    if (it.is_named(name)) {
      return {name, it.value()};
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
  CellCounts counts;
  const Properties all = properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    counts.take(it);
  }
  return counts.cells();
}

Result<RegList> Node::reg() const {
  const Property property = this->property("reg");
  if (!property.exists()) {
    return Error::kNotFound;
  }
  return RegList::create(property.value(), bus_);
}

Properties::Iterator::Iterator(const Source& source, uint32_t at) : source_(source) {
  read_token(source_.structure, at, token_);
}

Property Properties::Iterator::operator*() const {
  ByteReader reader(source_.strings.from(token_.name_offset));
  return {reader.c_string().value(), value()};
}

bool Properties::Iterator::is_named_in_full(StringView name) const {
  const char* const text = name_start();
  size_t i = 0;
  while (i < name.size() && text[i] == name.data()[i]) { // at the latest its NUL differs
    ++i;
  }
  return i == name.size() && text[i] == '\0';
}

bool CellCounts::take(const Properties::Iterator& property) {
  if (property.is_named("#address-cells")) {
    take(property.value(), cells_.address, address_seen_);
    return true;
  }
  if (property.is_named("#size-cells")) {
    take(property.value(), cells_.size, size_seen_);
    return true;
  }
  return false;
}

/// Of several properties of one name the first counts.
void CellCounts::take(Bytes value, uint8_t& count, bool& seen) {
  if (seen) {
    return;
  }
  seen = true;
  const Result<uint32_t> number = Property({}, value).u32();
  if (number.ok() && number.value() <= kMaxCells) {
    count = static_cast<uint8_t>(number.value());
  } else {
    cells_.valid = false;
  }
}

Children::Iterator::Iterator(const Source& source, uint32_t at) : source_(source) {
  Properties::Iterator it(source, at);
  for (; it != Properties::End(); ++it) {
    counts_.take(it);
  }
  token_ = it.token();
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
