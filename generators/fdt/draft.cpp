#include "generators/fdt/draft.h"

#include <algorithm>
#include <cstring>

#include "generators/byte_builder.h"
#include "sim/prng.h"

namespace kiln::gen::fdt {
namespace {

constexpr size_t align4(size_t n) { return (n + 3) & ~size_t{3}; }

/// The strings block: each name once.
class Strings {
 public:
  Strings(std::vector<uint8_t>& out, bool suffixes) : out_(out), suffixes_(suffixes) {
    out_.reserve(1024);
  }

  uint32_t place(const Name& name) {
    uint32_t slot = name.hash % kSlots;
    while (known_[slot].used) {
      if (known_[slot].hash == name.hash && holds(known_[slot].at, name.text)) {
        return known_[slot].at;
      }
      slot = (slot + 1) % kSlots;
    }
    known_[slot] = {true, name.hash, suffixes_ ? shared(name.text) : added(name.text)};
    return known_[slot].at;
  }

 private:
  /// More than there are different names in the generator.
  static constexpr uint32_t kSlots = 256;
  struct Known {
    bool used = false;
    uint32_t hash = 0;
    uint32_t at = 0;
  };

  bool holds(uint32_t at, std::string_view text) const {
    return out_.size() - at > text.size() && std::memcmp(&out_[at], text.data(), text.size()) == 0;
  }
  uint32_t added(std::string_view text) {
    const uint32_t at = static_cast<uint32_t>(out_.size());
    out_.insert(out_.end(), text.begin(), text.end());
    out_.push_back(0);
    return at;
  }
  /// The end of a longer name will do.
  uint32_t shared(std::string_view text) {
    const std::string_view all(reinterpret_cast<const char*>(out_.data()), out_.size());
    for (size_t at = all.find(text); at != all.npos; at = all.find(text, at + 1)) {
      if (all[at + text.size()] == '\0') {
        return static_cast<uint32_t>(at);
      }
    }
    return added(text);
  }

  std::vector<uint8_t>& out_;
  bool suffixes_;
  Known known_[kSlots];
};

/// The structure block, token by token.
class Structure {
 public:
  Structure(const Tree& tree, Draft& draft, bool suffixes, uint32_t nops, bool marks)
      : tree_(tree), draft_(draft), strings_(draft.strings, suffixes), nops_(nops), marks_(marks),
        prng_(nops) {
    // A token, its operands, NOPs and padding: at most.
    const size_t most_besides = 16 + (nops == 0 ? 0 : 4 * kMostNops);
    size_t most = tree.bytes.size() + most_besides;
    most += (2 * tree.nodes.size() + tree.properties.size()) * most_besides;
    draft.structure.resize(most + shared_bytes());
  }

  void write() {
    uint32_t open = 0;
    for (const Node& node : tree_.nodes) {
      for (; open > node.depth; --open) {
        token(TokenKind::kEndNode);
      }
      write_node(node);
      ++open;
    }
    for (; open > 0; --open) {
      token(TokenKind::kEndNode);
    }
    token(TokenKind::kEnd);
    draft_.structure.resize(at_);
  }

 private:
  /// Values may be used by several properties, and more than once.
  size_t shared_bytes() const {
    size_t sum = 0;
    for (const Property& property : tree_.properties) {
      sum += property.value.size;
    }
    return sum;
  }

  void word(uint32_t value) {
    store_be(&draft_.structure[at_], value);
    at_ += 4;
  }
  void padded(std::span<const uint8_t> bytes, size_t size) {
    std::copy(bytes.begin(), bytes.end(), draft_.structure.begin() + static_cast<ptrdiff_t>(at_));
    at_ += align4(size);
  }
  void token(TokenKind kind) {
    for (size_t i = 0; nops_ != 0 && i < kMostNops && prng_.below(8) == 0; ++i) {
      word(static_cast<uint32_t>(TokenKind::kNop));
    }
    if (marks_) {
      draft_.marks.push_back({kind, static_cast<uint32_t>(at_)});
    }
    word(static_cast<uint32_t>(kind));
  }
  void write_node(const Node& node) {
    token(TokenKind::kBeginNode);
    padded(tree_.bytes_of(node.name), node.name.size + 1);
    for (const Property& property : tree_.properties_of(node)) {
      token(TokenKind::kProperty);
      word(property.value.size);
      word(strings_.place(property.name));
      padded(tree_.bytes_of(property.value), property.value.size);
    }
  }

  const Tree& tree_;
  Draft& draft_;
  Strings strings_;
  static constexpr size_t kMostNops = 3; ///< in a row
  uint32_t nops_;
  bool marks_;
  sim::Prng prng_;
  size_t at_ = 0;
};

} // namespace

Draft draft_of(const Tree& tree, bool suffixes, uint32_t nops, bool marks) {
  Draft draft;
  ByteBuilder reservations;
  for (const Reservation& entry : tree.reservations) {
    reservations.be64(entry.address).be64(entry.size);
  }
  draft.reservations = reservations.be64(0).be64(0).take();
  Structure(tree, draft, suffixes, nops, marks).write();
  return draft;
}

} // namespace kiln::gen::fdt
