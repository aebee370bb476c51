#include "worlds/firmware/fdt_board.h"

#include <optional>
#include <utility>

#include "worlds/firmware/fdt_device_reader.h"

namespace kiln::worlds::fdt {
namespace {

class Boards {
 public:
  Boards(const Tree& tree, size_t most_maps)
      : tree_(tree), bus_(tree), devices_(tree, bus_, most_maps) {}

  Board read() {
    reservations();
    board_.model = text(tree_.nodes[0], "model");
    for (size_t i = 1; i < tree_.nodes.size();) {
      i = tree_.nodes[i].depth == 1 && section(tree_.nodes[i]) ? behind(i) : maybe_device(i);
    }
    devices_.read(candidates_);
    if (console_) {
      serial(*console_);
    }
    board_.devices = std::move(devices_.devices());
    return std::move(board_);
  }

 private:
  /// Whether it describes no device but what chapter 3 says; that is read then. Of each kind but
  /// memory the first counts.
  bool section(const Node& node) {
    if (node.name == "cpus") {
      if (first(cpus_, node)) {
        each_child(node, &Boards::cpu);
      }
    } else if (node.name == "reserved-memory") {
      if (first(reserved_, node)) {
        each_child(node, &Boards::region);
      }
    } else if (node.name == "chosen") {
      if (first(chosen_, node)) {
        chose(node);
      }
    } else if (node.name != "aliases") {
      const bool memory = text(node, Key::kDeviceType) == "memory";
      if (memory && available(node)) {
        for (const Range& range : ranges(node)) {
          board_.memory.push_back(range);
        }
      }
      return memory;
    }
    return true;
  }

  /// Index of the node that follows everything in this one.
  size_t behind(size_t index) const {
    const size_t depth = tree_.nodes[index].depth;
    do {
      ++index;
    } while (index < tree_.nodes.size() && tree_.nodes[index].depth > depth);
    return index;
  }

  /// What is in a node that is not available is not either. The node to go on with.
  size_t maybe_device(size_t index) {
    if (!available(tree_.nodes[index])) {
      return behind(index);
    }
    candidates_.push_back(index);
    return index + 1;
  }

  static bool first(const Node*& seen, const Node& node) {
    return std::exchange(seen, seen == nullptr ? &node : seen) == nullptr;
  }

  size_t index_of(const Node& node) const {
    return static_cast<size_t>(&node - tree_.nodes.data());
  }

  void each_child(const Node& parent, void (Boards::*visit)(const Node&)) {
    for (size_t i = index_of(parent) + 1;
         i < tree_.nodes.size() && tree_.nodes[i].depth > parent.depth; ++i) {
      if (tree_.nodes[i].parent == index_of(parent)) {
        (this->*visit)(tree_.nodes[i]);
      }
    }
  }

  /// 2.2.4: up to the NUL. An open text counts as none.
  template <typename Name> std::string_view text(const Node& node, Name name) {
    const Property* property = tree_.property(node, name);
    if (property == nullptr) {
      return {};
    }
    const std::optional<std::string_view> found = text_in(property->value);
    board_.text_open += found ? 0 : 1;
    return found.value_or(std::string_view());
  }

  bool available(const Node& node) {
    if (tree_.property(node, Key::kStatus) == nullptr) {
      return true;
    }
    const std::string_view status = text(node, Key::kStatus);
    return status == "okay" || status == "ok";
  }

  /// Those entries of reg that can be used.
  std::vector<Range> ranges(const Node& node) {
    std::vector<Range> usable;
    const std::optional<RegEntries> entries = bus_.reg(node);
    if (!entries) {
      ++board_.reg_shape;
      return usable;
    }
    for (size_t i = 0; i < entries->size(); ++i) {
      const Entry entry = (*entries)[i];
      if (entry.too_wide || entry.base + entry.size > kEndOfAddresses) {
        ++board_.range_beyond;
      } else if (entry.size == 0) {
        ++board_.range_empty;
      } else {
        usable.push_back({static_cast<uint64_t>(entry.base), static_cast<uint64_t>(entry.size)});
      }
    }
    return usable;
  }

  void reservations() {
    for (const Reservation& entry : tree_.reservations) {
      if (Wide{entry.address} + entry.size > kEndOfAddresses) {
        ++board_.range_beyond;
      } else if (entry.size == 0) {
        ++board_.range_empty;
      } else {
        board_.reserved.push_back({{entry.address, entry.size}, false});
      }
    }
  }

  void region(const Node& node) {
    if (tree_.property(node, Key::kReg) == nullptr || !available(node)) {
      return;
    }
    const bool no_map = tree_.property(node, "no-map") != nullptr;
    for (const Range& range : ranges(node)) {
      board_.reserved.push_back({range, no_map});
    }
  }

  void cpu(const Node& node) {
    const bool typed = tree_.property(node, Key::kDeviceType) != nullptr;
    const bool is_cpu = typed ? text(node, Key::kDeviceType) == "cpu"
                              : node.name.substr(0, node.name.find('@')) == "cpu";
    if (!is_cpu || !available(node)) {
      return;
    }
    const std::optional<RegEntries> entries = bus_.reg(node);
    if (!entries || entries->size() == 0) {
      ++board_.reg_shape;
    } else if ((*entries)[0].base_too_wide) {
      ++board_.range_beyond;
    } else {
      board_.cpus.push_back(static_cast<uint64_t>((*entries)[0].base));
    }
  }

  void chose(const Node& node) {
    board_.bootargs = text(node, "bootargs");
    initrd(tree_.property(node, "linux,initrd-start"), tree_.property(node, "linux,initrd-end"));
    const bool legacy = tree_.property(node, "stdout-path") == nullptr;
    const std::string_view console = text(node, legacy ? "linux,stdout-path" : "stdout-path");
    if (!console.empty()) {
      console_ = console.substr(0, console.find(':'));
    }
  }

  void initrd(const Property* start, const Property* end) {
    if (start == nullptr && end == nullptr) {
      return;
    }
    const auto is_number = [](const Property* property) {
      return property != nullptr && (property->value.size() == 4 || property->value.size() == 8);
    };
    if (!is_number(start) || !is_number(end)) {
      ++board_.initrd_odd;
      return;
    }
    const uint64_t from = static_cast<uint64_t>(number_in(start->value));
    const uint64_t to = static_cast<uint64_t>(number_in(end->value));
    if (to <= from) {
      ++board_.initrd_odd;
      return;
    }
    board_.initrd = {from, to - from};
  }

  void serial(std::string_view path) {
    const std::optional<size_t> place = bus_.find(path);
    if (!place) {
      ++board_.serial_path;
      return;
    }
    const Node& node = tree_.nodes[*place];
    unsigned translations = 0;
    const std::optional<Range> registers = bus_.cpu_range(node, 0, &translations);
    if (!registers) {
      ++board_.serial_address;
      return;
    }
    board_.has_serial = true;
    board_.serial = *registers;
    board_.serial_translated = translations != 0;
    board_.serial_compatible = text(node, Key::kCompatible);
    board_.serial_irq = devices_.irq(*place, 0);
  }

  const Tree& tree_;
  Buses bus_;
  DeviceReader devices_;
  const Node* cpus_ = nullptr;
  const Node* reserved_ = nullptr;
  const Node* chosen_ = nullptr;
  std::vector<size_t> candidates_; ///< nodes that may be devices
  std::optional<std::string_view> console_;
  Board board_;
};

} // namespace

Board read_board(const Tree& tree, size_t most_maps) { return Boards(tree, most_maps).read(); }

} // namespace kiln::worlds::fdt
