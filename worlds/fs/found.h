#pragma once
// A tree as somebody found it: a kernel through its own calls, or a reader of the image. What the
// model (model.h) and the history (history.h) are held against.
//
//   FsFound found;
//   found.nodes.push_back(root);
//   for (uint32_t at = 0; at < found.nodes.size(); ++at) ... its entries, each node once ...

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generators/fs.h"
#include "worlds/fs/model.h"

namespace kiln::worlds {

struct FsFoundEntry {
  gen::FsName name;
  uint32_t node; ///< in FsFound::nodes
};

/// Bytes of a file that were read: they lie in FsFound::bytes.
struct FsFoundPiece {
  uint64_t place; ///< in the file
  uint32_t at;    ///< in FsFound::bytes
  uint32_t length;
};

struct FsFoundNode {
  uint64_t number = 0; ///< its inode
  FsKind kind = FsKind::kFile;
  uint16_t permissions = 0;
  uint32_t links = 0;
  uint64_t bytes = 0;
  // --- Its part of FsFound::entries and FsFound::pieces; a symlink's target is one piece
  uint32_t first_entry = 0;
  uint32_t entries = 0;
  uint32_t first_piece = 0;
  uint32_t pieces = 0;
};

struct FsFound {
  std::vector<FsFoundNode> nodes; ///< the root first; a node with several names once
  std::vector<FsFoundEntry> entries;
  std::vector<FsFoundPiece> pieces; ///< what lies in none has not been looked at
  std::vector<uint8_t> bytes;

  std::span<const FsFoundEntry> entries_of(const FsFoundNode& node) const {
    return std::span(entries).subspan(node.first_entry, node.entries);
  }
  std::span<const FsFoundPiece> pieces_of(const FsFoundNode& node) const {
    return std::span(pieces).subspan(node.first_piece, node.pieces);
  }
  std::span<const uint8_t> bytes_of(const FsFoundPiece& piece) const {
    return std::span(bytes).subspan(piece.at, piece.length);
  }
  /// The node with this number, if it has been found already.
  std::optional<uint32_t> find(uint64_t number) const;
  /// A path that leads to it: for reports.
  std::string path_text(uint32_t node) const;
  /// The tree, a line a node: for reports.
  std::string text() const;
};

/// Where two trees differ, in a sentence; empty: nowhere. Directories may list in other orders.
std::string fs_difference(const FsFound& a, const FsFound& b);

} // namespace kiln::worlds
