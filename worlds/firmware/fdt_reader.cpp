#include "worlds/firmware/fdt_reader.h"

#include <cstring>
#include <optional>

namespace kiln::worlds::fdt {
namespace {

constexpr uint32_t kBeginNode = 1;
constexpr uint32_t kEndNode = 2;
constexpr uint32_t kProp = 3;
constexpr uint32_t kNop = 4;
constexpr uint32_t kEnd = 9;

/// By length: no name is compared with more than two.
std::optional<Key> key_of(std::string_view name) {
  const auto is = [name](Key key, std::string_view text) {
    return name == text ? std::optional(key) : std::nullopt;
  };
  switch (name.size()) {
  case 3:
    return is(Key::kReg, "reg");
  case 6:
    return name[0] == 's' ? is(Key::kStatus, "status") : is(Key::kRanges, "ranges");
  case 7:
    return is(Key::kPhandle, "phandle");
  case 10:
    return is(Key::kCompatible, "compatible");
  case 11:
    return name[0] == '#' ? is(Key::kSizeCells, "#size-cells")
                          : is(Key::kDeviceType, "device_type");
  case 14:
    return is(Key::kAddressCells, "#address-cells");
  case 16:
    return name[0] == '#' ? is(Key::kInterruptCells, "#interrupt-cells")
                          : is(Key::kInterruptParent, "interrupt-parent");
  default:
    return std::nullopt;
  }
}

class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, size_t deepest) : bytes_(bytes), deepest_(deepest) {
    tree_.nodes.reserve(80);
    tree_.properties.reserve(400);
  }

  Tree read() {
    if (header() && reserved() && structure()) {
      tree_.fault = nullptr;
    }
    return std::move(tree_);
  }

 private:
  /// `at`: where it is wrong.
  bool wrong(const char* why, uint64_t at) {
    if (tree_.fault == nullptr) {
      tree_.fault = why;
      tree_.fault_at = at;
    }
    return false;
  }

  /// The number at a place that is known to be inside.
  uint64_t number(uint64_t at, unsigned size) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, size);
    return __builtin_bswap64(value) >> (64 - 8 * size);
  }
  uint32_t u32(uint64_t at) const { return static_cast<uint32_t>(number(at, 4)); }

  // --- 5.2

  bool header() {
    if (bytes_.size() < 40 || u32(0) != 0xD00DFEED) {
      return wrong("no header", bytes_.size() < 40 ? bytes_.size() : 0);
    }
    tree_.total_size = u32(4);
    tree_.boot_cpu = u32(28);
    if (tree_.total_size < 40 || tree_.total_size > bytes_.size()) {
      return wrong("totalsize", 4);
    }
    bytes_ = bytes_.first(tree_.total_size);
    if (u32(20) < 17 || u32(24) > 17) {
      return wrong("version", 20);
    }
    at_ = u32(8);
    end_ = at_ + u32(36);
    strings_ = u32(12);
    strings_end_ = strings_ + u32(32);
    if (at_ < 40 || end_ > bytes_.size() || at_ % 4 != 0) {
      return wrong("place of the structure block", 8);
    }
    return strings_ >= 40 && strings_end_ <= bytes_.size()
               ? true
               : wrong("place of the strings block", 12);
  }

  // --- 5.3

  bool reserved() {
    const uint64_t first = u32(16);
    if (first < 40 || first % 8 != 0 || first > bytes_.size()) {
      return wrong("place of the reservation block", 16);
    }
    for (uint64_t at = first; at + 16 <= bytes_.size(); at += 16) {
      const Reservation entry{number(at, 8), number(at + 8, 8)};
      if ((entry.address | entry.size) == 0) {
        return true;
      }
      tree_.reservations.push_back(entry);
    }
    return wrong("reservations without an end", first);
  }

  // --- 5.4.2: (NOP)* node (NOP)* END, where
  //     node = BEGIN_NODE name (NOP | property)* (node)* (NOP)* END_NODE

  bool structure() {
    if (next() != kBeginNode) {
      return wrong("no root node", token_at_);
    }
    if (!node(0, 1)) {
      return false;
    }
    tree_.nop_behind_root = at_ + 4 <= end_ && u32(at_) == kNop;
    if (next() != kEnd) {
      return wrong("no FDT_END behind the root node", token_at_);
    }
    return at_ == end_ ? true : wrong("something behind FDT_END", at_);
  }

  /// The next token that is not NOP, taken; 0 when there is none.
  uint32_t next() {
    while (at_ + 4 <= end_) {
      const uint32_t token = u32(at_);
      token_at_ = at_;
      at_ += 4;
      if (token != kNop) {
        return token;
      }
    }
    token_at_ = at_;
    return 0;
  }

  /// To the next multiple of 4, if that is inside. The structure block itself begins at one.
  bool pad() {
    at_ = (at_ + 3) / 4 * 4;
    return at_ <= end_;
  }

  /// Bytes from `at` up to a NUL before `end`; false when there is none.
  bool text(uint64_t at, uint64_t end, std::string_view& out) const {
    if (at >= end) {
      return false;
    }
    const char* from = reinterpret_cast<const char*>(bytes_.data()) + at;
    const void* nul = std::memchr(from, 0, end - at);
    if (nul == nullptr) {
      return false;
    }
    out = {from, static_cast<size_t>(static_cast<const char*>(nul) - from)};
    return true;
  }

  bool node(size_t parent, size_t depth) {
    Node node;
    node.parent = parent;
    node.depth = depth - 1;
    node.first = tree_.properties.size();
    const uint64_t begin = token_at_;
    if (depth > deepest_) {
      return wrong("too deep", begin);
    }
    if (!text(at_, end_, node.name)) {
      return wrong("a node's name", begin);
    }
    if (depth == 1 && !node.name.empty()) {
      return wrong("a name for the root", begin);
    }
    at_ += node.name.size() + 1;
    const size_t index = tree_.nodes.size();
    tree_.nodes.push_back(node);
    if (!pad()) {
      return wrong("the padding of a name", begin);
    }
    uint32_t token = next();
    for (; token == kProp; token = next()) {
      if (!property()) {
        return wrong("a property", token_at_);
      }
      note_key(tree_.nodes[index], tree_.properties.size() - 1);
    }
    tree_.nodes[index].count = tree_.properties.size() - node.first;
    for (; token == kBeginNode; token = next()) {
      if (!this->node(index, depth + 1)) {
        return false;
      }
    }
    return token == kEndNode ? true : wrong("no FDT_END_NODE where it must be", token_at_);
  }

  void note_key(Node& node, size_t property) const {
    const std::optional<Key> key = key_of(tree_.properties[property].name);
    if (key && node.known[static_cast<size_t>(*key)] == 0) {
      node.known[static_cast<size_t>(*key)] = static_cast<uint32_t>(property) + 1;
    }
  }

  bool property() {
    if (at_ + 8 > end_) {
      return false;
    }
    const uint64_t size = u32(at_);
    const uint64_t name = strings_ + u32(at_ + 4);
    at_ += 8;
    Property property;
    if (at_ + size > end_ || !text(name, strings_end_, property.name)) {
      return false;
    }
    property.value = bytes_.subspan(at_, size);
    tree_.properties.push_back(property);
    at_ += size;
    return pad();
  }

  std::span<const uint8_t> bytes_;
  size_t deepest_;
  uint64_t at_ = 0;
  uint64_t end_ = 0;
  uint64_t token_at_ = 0; ///< of the token taken last, or where there is none
  uint64_t strings_ = 0;
  uint64_t strings_end_ = 0;
  Tree tree_;
};

} // namespace

const Property* Tree::property(const Node& node, std::string_view name) const {
  for (const Property& property : properties_of(node)) {
    if (property.name == name) {
      return &property;
    }
  }
  return nullptr;
}

Tree read_tree(std::span<const uint8_t> bytes, size_t deepest) {
  return Reader(bytes, deepest).read();
}

} // namespace kiln::worlds::fdt
