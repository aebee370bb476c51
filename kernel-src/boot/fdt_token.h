#pragma once
// The structure block, token by token. Each token is checked against the block's end; balance and
// order are not looked at here (fdt_check.h).

#include "kernel-src/boot/fdt_format.h"
#include "kernel-src/boot/fdt_refusal.h"
#include "kernel-src/lib/span.h"

namespace clay::fdt {

/// Places are in bytes from the structure block's start.
struct Token {
  TokenKind kind = TokenKind::kBroken; ///< never kNop
  Refusal refusal = Refusal::kNone;    ///< why it is kBroken
  uint32_t at = 0;                     ///< where it begins
  uint32_t next = 0;                   ///< where the next one begins; above `at`
  uint32_t name_offset = 0;            ///< kProperty: of its name in the strings block, unchecked
  uint32_t body_at = 0;                ///< kBeginNode: of the name; kProperty: of the value
  uint32_t body_size = 0;

  /// What lies in `structure`, from which the token was read.
  Bytes body(Bytes structure) const { return structure.subspan(body_at, body_size); }
};

/// The first token at or after `at` that is no kNop, put into `token`. `structure` is below 4 GiB.
void read_token(Bytes structure, uint32_t at, Token& token);

} // namespace clay::fdt
