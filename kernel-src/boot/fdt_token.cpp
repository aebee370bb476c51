// Hot when a board is read: places and lengths are compared here directly, each before it is used.

#include "kernel-src/boot/fdt_token.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::fdt {
namespace {

constexpr uint32_t kWord = sizeof(uint32_t);

/// Whether a whole word is at `at`; then it is in `out`.
bool read_word(Bytes bytes, uint32_t at, uint32_t& out) {
  if (!range_within<size_t>(at, kWord, bytes.size())) {
    return false;
  }
  out = load_be<uint32_t>(bytes.data() + at);
  return true;
}

/// The body of `size` bytes at `at`, `behind` bytes that belong to it, and padding. All of these
/// numbers have 32 bits: the sum is exact.
bool take_body(Bytes structure, Token& token, uint32_t at, uint32_t size, uint32_t behind) {
  const uint64_t end = uint64_t{at} + size + behind;
  const uint64_t next = (end + (kTokenAlign - 1)) / kTokenAlign * kTokenAlign;
  if (next > structure.size()) {
    return false;
  }
  token.body_at = at;
  token.body_size = size;
  token.next = static_cast<uint32_t>(next);
  return true;
}

/// 5.4.1: the name, its NUL, and bytes up to the next multiple of 4.
Refusal read_node(Bytes structure, Token& token) {
  const uint32_t name_at = token.at + kWord;
  uint32_t end = name_at;
  while (end < structure.size() && structure.data()[end] != 0) {
    ++end;
  }
  return take_body(structure, token, name_at, end - name_at, 1) ? Refusal::kNone
                                                                : Refusal::kNodeName;
}

/// 5.4.1: length and name's offset, the value, and bytes up to the next multiple of 4.
Refusal read_property(Bytes structure, Token& token) {
  uint32_t size = 0;
  const uint32_t size_at = token.at + kWord;
  if (!read_word(structure, size_at, size) ||
      !read_word(structure, size_at + kWord, token.name_offset)) {
    return Refusal::kCut;
  }
  return take_body(structure, token, size_at + 2 * kWord, size, 0) ? Refusal::kNone
                                                                   : Refusal::kPropertyLength;
}

Refusal read_operands(Bytes structure, Token& token) {
  switch (token.kind) {
  case TokenKind::kBeginNode:
    return read_node(structure, token);
  case TokenKind::kProperty:
    return read_property(structure, token);
  case TokenKind::kEndNode:
  case TokenKind::kEnd:
    token.next = token.at + kWord;
    return Refusal::kNone;
  default:
    return Refusal::kToken;
  }
}

} // namespace

void read_token(Bytes structure, uint32_t at, Token& token) {
  uint32_t word = 0;
  bool whole = read_word(structure, at, word);
  while (whole && word == static_cast<uint32_t>(TokenKind::kNop)) {
    at += kWord;
    whole = read_word(structure, at, word);
  }
  token.at = at;
  token.kind = static_cast<TokenKind>(word);
  token.refusal = whole ? read_operands(structure, token) : Refusal::kCut;
  if (token.refusal != Refusal::kNone) {
    token.kind = TokenKind::kBroken;
  }
}

} // namespace clay::fdt
