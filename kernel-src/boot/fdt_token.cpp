#include "kernel-src/boot/fdt_token.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {
namespace {

Token broken(Token token, Refusal refusal) {
  token.kind = TokenKind::kBroken;
  token.refusal = refusal;
  return token;
}

/// 5.4.1: the name, its NUL, and bytes up to the next multiple of 4.
Token read_node(ByteReader reader, Token token) {
  const Result<StringView> name = reader.c_string();
  if (!name.ok() || !reader.align(kTokenAlign).ok()) {
    return broken(token, Refusal::kNodeName);
  }
  token.body = name.value().bytes();
  token.next = reader.position();
  return token;
}

/// 5.4.1: length and name's offset, the value, and bytes up to the next multiple of 4.
Token read_property(ByteReader reader, Token token) {
  const Result<uint32_t> length = reader.be32();
  const Result<uint32_t> name_offset = reader.be32();
  if (!length.ok() || !name_offset.ok()) {
    return broken(token, Refusal::kCut);
  }
  const Result<Bytes> value = reader.bytes(length.value());
  if (!value.ok() || !reader.align(kTokenAlign).ok()) {
    return broken(token, Refusal::kPropertyLength);
  }
  token.name_offset = name_offset.value();
  token.body = value.value();
  token.next = reader.position();
  return token;
}

Token read_operands(ByteReader reader, Token token) {
  switch (token.kind) {
  case TokenKind::kBeginNode:
    return read_node(reader, token);
  case TokenKind::kProperty:
    return read_property(reader, token);
  case TokenKind::kEndNode:
  case TokenKind::kEnd:
    token.next = reader.position();
    return token;
  default:
    return broken(token, Refusal::kToken);
  }
}

} // namespace

Token read_token(Bytes structure, size_t at) {
  ByteReader reader(structure);
  Token token;
  token.at = at;
  if (!reader.seek(at).ok()) {
    return broken(token, Refusal::kCut);
  }
  do {
    token.at = reader.position();
    const Result<uint32_t> word = reader.be32();
    if (!word.ok()) {
      return broken(token, Refusal::kCut);
    }
    token.kind = static_cast<TokenKind>(word.value());
  } while (token.kind == TokenKind::kNop);
  return read_operands(reader, token);
}

} // namespace clay::fdt
