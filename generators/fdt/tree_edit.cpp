#include "generators/fdt/tree_edit.h"

#include <algorithm>

namespace kiln::gen::fdt {

Property* draw_property(Tree& tree, View fault, std::initializer_list<std::string_view> names) {
  std::vector<Property*> found;
  for (Property& property : tree.properties) {
    if (std::find(names.begin(), names.end(), property.name.text) != names.end()) {
      found.push_back(&property);
    }
  }
  const uint64_t index = fault.below(found.size());
  return found.empty() ? nullptr : found[index];
}

void set_value(Tree& tree, Property& property, std::span<const uint8_t> value) {
  property.value = {static_cast<uint32_t>(tree.bytes.size()), static_cast<uint32_t>(value.size())};
  tree.bytes.insert(tree.bytes.end(), value.begin(), value.end());
}

void set_text(Tree& tree, Property& property, std::string_view text) {
  set_value(tree, property, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

std::vector<uint8_t> value_of(const Tree& tree, const Property& property) {
  const std::span<const uint8_t> value = tree.bytes_of(property.value);
  return {value.begin(), value.end()};
}

void resize_value(Tree& tree, Property& property, int delta) {
  std::vector<uint8_t> value = value_of(tree, property);
  const ptrdiff_t size = static_cast<ptrdiff_t>(value.size()) + delta;
  value.resize(static_cast<size_t>(std::max<ptrdiff_t>(size, 0)), 1);
  set_value(tree, property, value);
}

int draw_delta(View fault) {
  constexpr int kDeltas[] = {-1, 1, -4, 4, -8, 8, -16, 2, -3, -4096};
  return fault.pick(kDeltas);
}

void append_property(Tree& tree, size_t which, const Property& property) {
  Node& node = tree.nodes[which];
  tree.properties.insert(tree.properties.begin() + node.first + node.count, property);
  ++node.count;
  for (Node& other : std::span(tree.nodes).subspan(which + 1)) {
    ++other.first;
  }
}

Property* find_property(Tree& tree, const Node& node, std::string_view name) {
  for (Property& property : std::span(tree.properties).subspan(node.first, node.count)) {
    if (property.name.text == name) {
      return &property;
    }
  }
  return nullptr;
}

} // namespace kiln::gen::fdt
