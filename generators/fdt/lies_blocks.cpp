// Lies in the blocks of a blob: tokens, lengths, offsets, names.

#include <algorithm>

#include "generators/fdt/lies.h"

namespace kiln::gen::fdt {
namespace {

using View = sim::Tape::View;
using Words = std::initializer_list<uint32_t>;

constexpr uint32_t kBegin = static_cast<uint32_t>(TokenKind::kBeginNode);
constexpr uint32_t kEndNode = static_cast<uint32_t>(TokenKind::kEndNode);
constexpr uint32_t kProp = static_cast<uint32_t>(TokenKind::kProperty);
constexpr uint32_t kNop = static_cast<uint32_t>(TokenKind::kNop);
constexpr uint32_t kEnd = static_cast<uint32_t>(TokenKind::kEnd);

/// One of the tokens of a kind; null when there is none (left).
const Mark* draw_mark(const Draft& draft, View fault, TokenKind kind) {
  std::vector<const Mark*> found;
  for (const Mark& mark : draft.marks) {
    if (mark.kind == kind) {
      found.push_back(&mark);
    }
  }
  const uint64_t index = fault.below(found.size());
  return found.empty() ? nullptr : found[index];
}

/// Any token; there is always the last one.
const Mark& draw_mark(const Draft& draft, View fault) {
  return draft.marks[fault.below(draft.marks.size())];
}

/// Adds bytes at `at`; the marks from there on move along.
void splice(Draft& draft, uint32_t at, std::span<const uint8_t> bytes) {
  draft.structure.insert(draft.structure.begin() + at, bytes.begin(), bytes.end());
  for (Mark& mark : draft.marks) {
    mark.at += mark.at >= at ? static_cast<uint32_t>(bytes.size()) : 0;
  }
}

void insert(Draft& draft, uint32_t at, Words words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  size_t to = 0;
  for (uint32_t word : words) {
    write32(bytes, to, word);
    to += 4;
  }
  splice(draft, at, bytes);
}

void erase_token(Draft& draft, const Mark& mark) {
  const uint32_t at = mark.at;
  draft.structure.erase(draft.structure.begin() + at, draft.structure.begin() + at + 4);
  draft.marks.erase(draft.marks.begin() + (&mark - draft.marks.data()));
  for (Mark& other : draft.marks) {
    other.at -= other.at > at ? 4 : 0;
  }
}

uint32_t end_of(const Draft& draft) { return static_cast<uint32_t>(draft.structure.size()); }

void lie_missing_end_node(Draft& draft, View fault) {
  if (const Mark* mark = draw_mark(draft, fault, TokenKind::kEndNode)) {
    erase_token(draft, *mark);
  }
}

void lie_token_word(Draft& draft, View fault) {
  constexpr uint32_t kWords[] = {0,    5,    8,       10,         kBegin, kEndNode,   kProp,
                                 kNop, kEnd, 1 << 24, 0xFFFFFFFF, 0x100,  0x80000001, 0x10001};
  write32(draft.structure, draw_mark(draft, fault).at, fault.pick(kWords));
}

/// A value's length: what is left, one off, or what makes a sum wrap or stand still.
void lie_property_length(Draft& draft, View fault) {
  const Mark* mark = draw_mark(draft, fault, TokenKind::kProperty);
  if (mark == nullptr) {
    return;
  }
  const uint32_t own = read32(draft.structure, mark->at + 4);
  const uint32_t value_at = mark->at + 12;
  const uint32_t left = end_of(draft) - value_at;
  const uint32_t bases[] = {own,
                            left,
                            UINT32_MAX,
                            0x7FFFFFFF,
                            0x80000000,
                            0 - value_at,
                            0 - 12u,
                            0x80000000 - value_at,
                            0,
                            left - 4,
                            0x80000000 - mark->at,
                            0 - mark->at};
  constexpr uint32_t kDeltas[] = {1, 0 - 1u, 0, 4, 0 - 4u, 3, 0 - 3u, 8};
  const uint32_t base = fault.pick(bases);
  write32(draft.structure, mark->at + 4, base + fault.pick(kDeltas));
}

void lie_name_offset(Draft& draft, View fault) {
  const Mark* mark = draw_mark(draft, fault, TokenKind::kProperty);
  if (mark == nullptr) {
    return;
  }
  const uint32_t size = static_cast<uint32_t>(draft.strings.size());
  const uint32_t offsets[] = {size,     size - 1, size + 1, UINT32_MAX, 0x7FFFFFFF, 0x80000000,
                              size - 2, 0 - size, size + 4, size / 2,   0 - 1000u,  0 - 4u};
  write32(draft.structure, mark->at + 8, fault.pick(offsets));
}

/// The name runs on: over its NUL and padding, or to the end of the block.
void lie_open_node_name(Draft& draft, View fault) {
  const Mark* mark = draw_mark(draft, fault, TokenKind::kBeginNode);
  if (mark == nullptr) {
    return;
  }
  const bool to_the_end = fault.boolean();
  size_t at = mark->at + 4;
  while (at < draft.structure.size() && draft.structure[at] != 0) {
    ++at;
  }
  const size_t end = to_the_end ? draft.structure.size() : std::min(at + 4, draft.structure.size());
  std::fill(draft.structure.begin() + static_cast<ptrdiff_t>(at),
            draft.structure.begin() + static_cast<ptrdiff_t>(end), uint8_t{'n'});
}

void lie_open_string(Draft& draft, View fault) {
  if (draft.strings.empty()) {
    return;
  }
  if (fault.boolean()) {
    draft.strings.pop_back();
  } else {
    draft.strings.back() = 's';
  }
}

/// Nothing at all, or only characters.
void lie_no_strings(Draft& draft, View fault) {
  if (fault.boolean()) {
    draft.strings.resize(fault.boolean() ? 1 : 0);
  }
  std::fill(draft.strings.begin(), draft.strings.end(), uint8_t{'s'});
}

/// Nodes inside a node, as its last child, until one is that deep.
void lie_deep(Draft& draft, View fault) {
  const Mark* mark = draw_mark(draft, fault, TokenKind::kEndNode);
  if (mark == nullptr) {
    return;
  }
  const uint32_t at = mark->at;
  uint32_t open = 0;
  for (const Mark& before : draft.marks) {
    if (before.at < at) {
      open += before.kind == TokenKind::kBeginNode ? 1 : 0;
      open -= before.kind == TokenKind::kEndNode ? 1 : 0;
    }
  }
  constexpr uint32_t kDepths[] = {32, 33, 31, 34, 30, 64, 65, 63, 40, 128};
  const uint32_t wanted = fault.pick(kDepths);
  const uint32_t more = wanted > open ? wanted - open : 0;
  const uint32_t closed = fault.chance(1, 8) ? 0 : more;
  std::vector<uint8_t> nodes(more * 8 + closed * 4);
  for (uint32_t i = 0; i < more; ++i) {
    write32(nodes, i * 8, kBegin);
    write32(nodes, i * 8 + 4, 0x64000000); // "d"
  }
  for (uint32_t i = 0; i < closed; ++i) {
    write32(nodes, more * 8 + i * 4, kEndNode);
  }
  splice(draft, at, nodes);
}

/// A property that would mean something, were it in its place.
void insert_property(Draft& draft, uint32_t at, View fault) {
  const uint64_t kind = fault.below(3);
  const Mark* like = draw_mark(draft, fault, TokenKind::kProperty);
  const uint32_t name = like == nullptr ? 0 : read32(draft.structure, like->at + 8);
  switch (kind) {
  case 0:
    return insert(draft, at, {kProp, 4, name, 1});
  case 1:
    return insert(draft, at, {kProp, 0, name});
  default:
    return insert(draft, at, {kProp, 16, name, 0, 0x1000, 0, 0x1000});
  }
}

/// In front of an FDT_END_NODE that follows another one.
void lie_late_property(Draft& draft, View fault) {
  std::vector<uint32_t> places;
  for (size_t i = 1; i < draft.marks.size(); ++i) {
    if (draft.marks[i - 1].kind == TokenKind::kEndNode && draft.marks[i].kind != TokenKind::kEnd) {
      places.push_back(draft.marks[i].at);
    }
  }
  const uint64_t index = fault.below(places.size());
  if (!places.empty()) {
    insert_property(draft, places[index], fault);
  }
}

void lie_behind_end(Draft& draft, View fault) {
  const uint32_t at = end_of(draft);
  switch (fault.below(4)) {
  case 0:
    return insert(draft, at, {kEnd});
  case 1:
    return insert(draft, at, {kNop, kNop});
  case 2:
    draft.structure.push_back(0);
    return;
  default:
    return insert(draft, at, {kBegin, 0, kEndNode, kEnd});
  }
}

void lie_root_name(Draft& draft) {
  if (draft.marks[0].kind == TokenKind::kBeginNode) {
    insert(draft, draft.marks[0].at + 4, {0x726F6F74});
  }
}

void lie_open_reservations(Draft& draft, View fault) {
  const uint64_t rest = fault.below(16);
  const size_t whole = draft.reservations.size();
  draft.reservations.resize(whole - std::min<size_t>(whole, 16) + rest); // it may be told twice
  if (fault.boolean()) {
    draft.reservations.resize((draft.reservations.size() + 15) / 16 * 16, 0x11);
  }
}

void lie_no_end(Draft& draft) {
  if (draft.marks.back().kind == TokenKind::kEnd) {
    erase_token(draft, draft.marks.back());
    draft.marks.push_back({TokenKind::kEnd, end_of(draft) - 4});
  }
}

} // namespace

void lie_in_blocks(Draft& draft, Lie lie, View fault) {
  switch (lie) {
  case Lie::kExtraEndNode:
    return insert(draft, draw_mark(draft, fault).at, {kEndNode});
  case Lie::kMissingEndNode:
    return lie_missing_end_node(draft, fault);
  case Lie::kTokenWord:
    return lie_token_word(draft, fault);
  case Lie::kPropertyLength:
    return lie_property_length(draft, fault);
  case Lie::kNameOffset:
    return lie_name_offset(draft, fault);
  case Lie::kOpenNodeName:
    return lie_open_node_name(draft, fault);
  case Lie::kOpenString:
    return lie_open_string(draft, fault);
  case Lie::kNoStrings:
    return lie_no_strings(draft, fault);
  case Lie::kDeep:
    return lie_deep(draft, fault);
  case Lie::kEarlyEnd:
    return insert(draft, draw_mark(draft, fault).at, {kEnd});
  case Lie::kNoEnd:
    return lie_no_end(draft);
  case Lie::kBehindEnd:
    return lie_behind_end(draft, fault);
  case Lie::kLateProperty:
    return lie_late_property(draft, fault);
  case Lie::kOutsideProperty:
    return insert_property(draft, fault.boolean() ? 0 : draft.marks.back().at, fault);
  case Lie::kSecondRoot:
    return insert(draft, draft.marks.back().at, {kBegin, 0, kEndNode});
  case Lie::kRootName:
    return lie_root_name(draft);
  default:
    return lie_open_reservations(draft, fault);
  }
}

} // namespace kiln::gen::fdt
