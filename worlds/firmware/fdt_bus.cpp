#include "worlds/firmware/fdt_bus.h"

#include <algorithm>

namespace kiln::worlds::fdt {

Wide number_in(std::span<const uint8_t> bytes) {
  Wide value = 0;
  for (const uint8_t byte : bytes) {
    value = value << 8 | byte;
  }
  return value;
}

std::optional<std::string_view> text_in(std::span<const uint8_t> bytes) {
  const auto nul = std::find(bytes.begin(), bytes.end(), uint8_t{0});
  if (nul == bytes.end()) {
    return std::nullopt;
  }
  return std::string_view(reinterpret_cast<const char*>(bytes.data()),
                          static_cast<size_t>(nul - bytes.begin()));
}

bool lists(std::span<const uint8_t> bytes, std::string_view text) {
  for (std::optional<std::string_view> one = text_in(bytes); one; one = text_in(bytes)) {
    if (*one == text) {
      return true;
    }
    bytes = bytes.subspan(one->size() + 1);
  }
  return false;
}

std::optional<size_t> Buses::count(const Node& node, Key name, size_t fallback) const {
  const Property* property = tree_.property(node, name);
  if (property == nullptr) {
    return fallback;
  }
  if (property->value.size() != 4 || number_in(property->value) > 4) {
    return std::nullopt;
  }
  return static_cast<size_t>(number_in(property->value));
}

std::optional<Buses::Counts> Buses::counts(const Node& node) const {
  const std::optional<size_t> address = count(node, Key::kAddressCells, 2);
  const std::optional<size_t> size = count(node, Key::kSizeCells, 1);
  if (!address || !size) {
    return std::nullopt;
  }
  return Counts{*address, *size};
}

std::optional<Buses::Counts> Buses::counts_around(const Node& node) const {
  return node.depth == 0 ? Counts{2, 1} : counts(tree_.nodes[node.parent]);
}

std::optional<size_t> Buses::address_bytes_around(const Node& node) const {
  const std::optional<Counts> around = counts_around(node);
  return around ? std::optional(around->address * 4) : std::nullopt;
}

std::optional<std::pair<size_t, size_t>> Buses::cell_bytes(const Node& node) const {
  const std::optional<Counts> own = counts(node);
  return own ? std::optional(std::pair(own->address * 4, own->size * 4)) : std::nullopt;
}

Entry RegEntries::operator[](size_t index) const {
  const std::span<const uint8_t> bytes = value_.subspan(index * stride_, stride_);
  Entry entry;
  entry.base = number_in(bytes.first(split_));
  entry.size = number_in(bytes.subspan(split_));
  entry.base_too_wide = entry.base >= kEndOfAddresses;
  entry.too_wide = entry.base_too_wide || entry.size >= kEndOfAddresses;
  return entry;
}

std::optional<RegEntries> Buses::reg(const Node& node) const {
  const Property* property = tree_.property(node, Key::kReg);
  const std::optional<Counts> cells = counts_around(node);
  if (property == nullptr || !cells || cells->address == 0 ||
      property->value.size() % (4 * (cells->address + cells->size)) != 0) {
    return std::nullopt;
  }
  return RegEntries(property->value, 4 * cells->address, 4 * cells->size);
}

std::optional<Wide> Buses::up(const Node& bus, Wide address, Hidden& why) const {
  const Property* property = tree_.property(bus, Key::kRanges);
  why = Hidden::kNowhere;
  if (property == nullptr) {
    return std::nullopt;
  }
  const std::span<const uint8_t> value = property->value;
  if (value.empty()) {
    return address;
  }
  why = Hidden::kShape;
  const std::optional<Counts> own = counts(bus);
  const std::optional<Counts> around = counts_around(bus);
  if (!own || !around) {
    return std::nullopt;
  }
  const size_t child_size = own->address * 4;
  const size_t parent_size = around->address * 4;
  const size_t stride = child_size + parent_size + own->size * 4;
  if (stride == 0 || value.size() % stride != 0) {
    return std::nullopt;
  }
  // On a PCI bus phys.hi says of which function and how besides the space; 2.2.1.1 of its binding.
  const Property* type = tree_.property(bus, Key::kDeviceType);
  Wide compared = ~Wide{0};
  if (own->address == 3 && type != nullptr && lists(type->value, "pci")) {
    compared = (Wide{3} << 88) | (kEndOfAddresses - 1);
  }
  address &= compared;
  for (size_t at = 0; at < value.size(); at += stride) {
    const Wide from = number_in(value.subspan(at, child_size)) & compared;
    const Wide to = number_in(value.subspan(at + child_size, parent_size));
    const Wide size = number_in(value.subspan(at + child_size + parent_size, own->size * 4));
    if (address >= from && address - from < size) {
      const Wide seen = to + (address - from);
      why = Hidden::kFar;
      return seen >= to ? std::optional(seen) : std::nullopt; // else it wrapped
    }
  }
  why = Hidden::kNowhere;
  return std::nullopt;
}

std::optional<Wide> Buses::climb(const Node& node, Wide address, unsigned* translations,
                                 Hidden* why) const {
  Hidden hidden = Hidden::kFar;
  Hidden& reason = why == nullptr ? hidden : *why;
  for (const Node* bus = &tree_.nodes[node.parent]; bus->depth > 0;
       bus = &tree_.nodes[bus->parent]) {
    const std::optional<Wide> seen = up(*bus, address, reason);
    if (!seen) {
      return std::nullopt;
    }
    if (translations != nullptr && *seen != address) {
      ++*translations;
    }
    address = *seen;
  }
  reason = Hidden::kFar;
  return address < kEndOfAddresses ? std::optional(address) : std::nullopt;
}

std::optional<Range> Buses::cpu_range(const Node& node, size_t index, unsigned* translations,
                                      Hidden* why) const {
  Hidden hidden = Hidden::kFar;
  Hidden& reason = why == nullptr ? hidden : *why;
  const std::optional<RegEntries> entries = reg(node);
  const bool shape = !entries && tree_.property(node, Key::kReg) != nullptr;
  if (!entries || index >= entries->size()) {
    reason = shape ? Hidden::kShape : Hidden::kNowhere;
    return std::nullopt;
  }
  const Entry entry = (*entries)[index];
  reason = Hidden::kFar;
  if (entry.size >= kEndOfAddresses) {
    return std::nullopt;
  }
  const std::optional<Wide> base = climb(node, entry.base, translations, &reason);
  if (!base || *base + entry.size > kEndOfAddresses) {
    return std::nullopt;
  }
  return Range{static_cast<uint64_t>(*base), static_cast<uint64_t>(entry.size)};
}

std::optional<size_t> Buses::child(size_t parent, std::string_view name) const {
  const bool whole = name.find('@') != name.npos;
  for (size_t i = parent + 1;
       i < tree_.nodes.size() && tree_.nodes[i].depth > tree_.nodes[parent].depth; ++i) {
    const std::string_view full = tree_.nodes[i].name;
    const std::string_view base = full.substr(0, full.find('@'));
    if (tree_.nodes[i].parent == parent && (full == name || (!whole && base == name))) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<size_t> Buses::walk(size_t from, std::string_view path) const {
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) {
      const std::optional<size_t> next = child(from, path.substr(0, slash));
      if (!next) {
        return std::nullopt;
      }
      from = *next;
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return from;
}

std::optional<size_t> Buses::find(std::string_view path) const {
  if (path.starts_with('/')) {
    return walk(0, path);
  }
  const std::optional<size_t> aliases = child(0, "aliases");
  const size_t slash = std::min(path.find('/'), path.size());
  // 3.3: an alias has a name.
  const Property* property = aliases && slash != 0
                                 ? tree_.property(tree_.nodes[*aliases], path.substr(0, slash))
                                 : nullptr;
  const std::optional<std::string_view> target =
      property == nullptr ? std::nullopt : text_in(property->value);
  if (!target || !target->starts_with('/')) {
    return std::nullopt;
  }
  const std::optional<size_t> place = walk(0, *target);
  return place ? walk(*place, path.substr(slash)) : std::nullopt;
}

} // namespace kiln::worlds::fdt
