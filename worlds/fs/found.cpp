#include "worlds/fs/found.h"

#include <algorithm>
#include <cstring>

namespace kiln::worlds {

std::optional<uint32_t> FsFound::find(uint64_t number) const {
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].number == number) return i;
  }
  return {};
}

std::string FsFound::path_text(uint32_t node) const {
  if (node == 0) return "/";
  for (uint32_t at = 0; at < nodes.size(); ++at) {
    for (const FsFoundEntry& entry : entries_of(nodes[at])) {
      if (entry.node != node || at == node) continue;
      return (at == 0 ? "" : path_text(at)) + gen::fs_path_text(gen::FsPath{}.child(entry.name));
    }
  }
  return "(a node without a name)";
}

std::string FsFound::text() const {
  static constexpr const char* kKinds[] = {"file", "directory", "symlink"};
  std::string out;
  for (uint32_t at = 0; at < nodes.size(); ++at) {
    const FsFoundNode& node = nodes[at];
    out += path_text(at) + ": " + kKinds[static_cast<size_t>(node.kind)] + ", inode " +
           std::to_string(node.number) + ", " + std::to_string(node.links) + " links, " +
           std::to_string(node.bytes) + " bytes\n";
  }
  return out;
}

namespace {

/// Compares two trees from the root down, node by node.
class Comparison {
 public:
  Comparison(const FsFound& a, const FsFound& b) : a_(a), b_(b), twin_(a.nodes.size(), kNone) {}

  std::string difference() {
    if (a_.nodes.size() != b_.nodes.size()) {
      return std::to_string(a_.nodes.size()) + " nodes and " + std::to_string(b_.nodes.size());
    }
    twin_[0] = 0;
    std::vector<uint32_t> todo = {0};
    for (size_t i = 0; i < todo.size(); ++i) {
      const uint32_t at = todo[i];
      std::string wrong = of_node(a_.nodes[at], b_.nodes[twin_[at]]);
      if (wrong.empty()) wrong = of_entries(at, todo);
      if (!wrong.empty()) return a_.path_text(at) + ": " + wrong;
    }
    return {};
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  static std::string both(const char* what, uint64_t a, uint64_t b) {
    return a == b ? std::string()
                  : std::string(what) + " " + std::to_string(a) + " and " + std::to_string(b);
  }

  std::string of_node(const FsFoundNode& a, const FsFoundNode& b) const {
    if (a.kind != b.kind) return "two kinds";
    for (std::string wrong :
         {both("numbers", a.number, b.number), both("links", a.links, b.links),
          both("permissions", a.permissions, b.permissions), both("sizes", a.bytes, b.bytes),
          both("entries", a.entries, b.entries), both("pieces", a.pieces, b.pieces)}) {
      if (!wrong.empty()) return wrong;
    }
    for (uint32_t i = 0; i < a.pieces; ++i) {
      const FsFoundPiece& piece = a_.pieces[a.first_piece + i];
      const FsFoundPiece& other = b_.pieces[b.first_piece + i];
      const auto bytes = a_.bytes_of(piece);
      const auto others = b_.bytes_of(other);
      if (piece.place != other.place || bytes.size() != others.size()) return "other parts read";
      const auto wrong = std::mismatch(bytes.begin(), bytes.end(), others.begin()).first;
      if (wrong != bytes.end()) {
        return "contents differ at " +
               std::to_string(piece.place + static_cast<uint64_t>(wrong - bytes.begin()));
      }
    }
    return {};
  }

  std::string of_entries(uint32_t at, std::vector<uint32_t>& todo) {
    for (const FsFoundEntry& entry : a_.entries_of(a_.nodes[at])) {
      const auto theirs = b_.entries_of(b_.nodes[twin_[at]]);
      const auto same = std::find_if(theirs.begin(), theirs.end(), [&](const FsFoundEntry& other) {
        return other.name == entry.name;
      });
      const std::string name = gen::fs_path_text(gen::FsPath{}.child(entry.name));
      if (same == theirs.end()) return name + " is in one only";
      if (twin_[entry.node] == kNone) {
        twin_[entry.node] = same->node;
        todo.push_back(entry.node);
      }
      if (twin_[entry.node] != same->node) return name + " leads to two nodes";
    }
    return {};
  }

  const FsFound& a_;
  const FsFound& b_;
  std::vector<uint32_t> twin_; ///< of a's nodes: b's
};

} // namespace

std::string fs_difference(const FsFound& a, const FsFound& b) {
  return Comparison(a, b).difference();
}

} // namespace kiln::worlds
