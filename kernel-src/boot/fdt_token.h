#pragma once
// The structure block, token by token. Each token is checked against the block's end; balance and
// order are not looked at here (fdt_check.h).

#include "kernel-src/boot/fdt_format.h"
#include "kernel-src/boot/fdt_refusal.h"
#include "kernel-src/lib/span.h"

namespace clay::fdt {

struct Token {
  TokenKind kind = TokenKind::kBroken; ///< never kNop
  Refusal refusal = Refusal::kNone;    ///< why it is kBroken
  size_t at = 0;                       ///< where it begins, from the block's start
  size_t next = 0;                     ///< where the next one begins; above `at`
  uint32_t name_offset = 0;            ///< kProperty: of its name in the strings block, unchecked
  Bytes body;                          ///< kBeginNode: the name; kProperty: the value
};

/// The first token at or after `at` that is no kNop.
Token read_token(Bytes structure, size_t at);

} // namespace clay::fdt
