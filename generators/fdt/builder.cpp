#include "generators/fdt/builder.h"

namespace kiln::gen::fdt {

Builder::Builder() {
  tree_.nodes.reserve(64);
  tree_.properties.reserve(384);
  tree_.bytes.reserve(8192);
  open_.reserve(32);
  open_.push_back({0, {}}); // above the root
}

void Builder::append(std::string_view text) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(text.data());
  tree_.bytes.insert(tree_.bytes.end(), bytes, bytes + text.size());
}

void Builder::append_cells(uint64_t value, uint32_t cells) {
  const uint32_t at = here();
  tree_.bytes.resize(at + cells * 4);
  for (uint32_t i = cells * 4; i-- > 0 && value != 0; value >>= 8) {
    tree_.bytes[at + i] = static_cast<uint8_t>(value);
  }
}

void Builder::property_since(Name name, uint32_t from) {
  tree_.properties.push_back({name, {from, here() - from}});
  ++tree_.nodes[open_.back().node].count;
}

void Builder::open_since(uint32_t name_at) {
  const uint32_t index = static_cast<uint32_t>(tree_.nodes.size());
  const uint32_t first = static_cast<uint32_t>(tree_.properties.size());
  tree_.nodes.push_back({{name_at, here() - name_at}, first, 0, depth()});
  open_.push_back({index, {}});
}

void Builder::open(std::string_view name) {
  const uint32_t at = here();
  append(name);
  open_since(at);
}

void Builder::open_at(std::string_view name, uint64_t unit_address) {
  const uint32_t at = here();
  append(name);
  char text[17]; // an @ and 16 digits
  char* digit = text + sizeof(text);
  do {
    *--digit = "0123456789abcdef"[unit_address & 15];
    unit_address >>= 4;
  } while (unit_address != 0);
  *--digit = '@';
  append({digit, static_cast<size_t>(text + sizeof(text) - digit)});
  open_since(at);
}

void Builder::close() { open_.pop_back(); }

void Builder::string(Name name, std::string_view value) {
  const uint32_t at = here();
  append(value);
  tree_.bytes.push_back(0);
  property_since(name, at);
}

void Builder::cells(Name name, std::initializer_list<uint32_t> values) {
  const uint32_t at = here();
  for (uint32_t value : values) {
    append_cells(value, 1);
  }
  property_since(name, at);
}

void Builder::raw(Name name, std::span<const uint8_t> value) {
  const uint32_t at = here();
  tree_.bytes.insert(tree_.bytes.end(), value.begin(), value.end());
  property_since(name, at);
}

void Builder::reg(std::span<const Range> ranges) {
  const uint32_t at = here();
  const Cells cells = parent_cells();
  for (const Range& range : ranges) {
    append_cells(range.base, cells.address);
    append_cells(range.size, cells.size);
  }
  property_since("reg", at);
}

void Builder::reg(std::initializer_list<Range> ranges) {
  reg(std::span(ranges.begin(), ranges.size()));
}

void Builder::lay_down(Cells cells, bool omit_defaults) {
  open_.back().cells = cells;
  if (!omit_defaults || cells.address != Cells{}.address) {
    u32("#address-cells", cells.address);
  }
  if (!omit_defaults || cells.size != Cells{}.size) {
    u32("#size-cells", cells.size);
  }
}

} // namespace kiln::gen::fdt
