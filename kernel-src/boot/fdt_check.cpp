#include "kernel-src/boot/fdt_check.h"

#include "kernel-src/boot/fdt_token.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::fdt {
namespace {

/// A field of a header that is known to be whole.
uint32_t field(Bytes header, HeaderField at) { return load_be<uint32_t>(&header[at]); }

/// A block of the blob: behind the header, at a multiple of `align`, inside.
Result<Bytes> block(Bytes blob, size_t offset, size_t size, size_t align) {
  if (offset < kHeaderBytes || !is_aligned(offset, align)) {
    return Error::kInvalid;
  }
  return blob.slice(offset, size);
}

/// Cuts `from` (the rest of the blob) at the entry of zeros.
Result<Bytes> reservations_in(Bytes from) {
  for (size_t at = 0; range_within(at, kReservationBytes, from.size()); at += kReservationBytes) {
    const uint8_t* entry = &from[at];
    if (load_be<uint64_t>(entry) == 0 && load_be<uint64_t>(entry + 8) == 0) {
      return from.first(at);
    }
  }
  return Error::kTruncated;
}

Refused check_reservations(Blocks& out) {
  const size_t offset = field(out.blob, kReservationOffsetAt);
  const Result<Bytes> first = block(out.blob, offset, 0, kReservationAlign);
  if (!first.ok()) {
    return {Refusal::kReservationPlace, kReservationOffsetAt};
  }
  const Result<Bytes> entries = reservations_in(out.blob.from(offset));
  if (!entries.ok()) {
    return {Refusal::kReservationEnd, offset};
  }
  out.reservations = entries.value();
  return {};
}

/// Up to the last NUL: no name has its end behind it.
Bytes terminated(Bytes strings) {
  size_t size = strings.size();
  while (size != 0 && strings[size - 1] != 0) {
    --size;
  }
  return strings.first(size);
}

Refused check_blocks(Blocks& out) {
  const Result<Bytes> structure = block(out.blob, field(out.blob, kStructOffsetAt),
                                        field(out.blob, kStructSizeAt), kTokenAlign);
  if (!structure.ok()) {
    return {Refusal::kStructPlace, kStructOffsetAt};
  }
  const Result<Bytes> strings =
      block(out.blob, field(out.blob, kStringsOffsetAt), field(out.blob, kStringsSizeAt), 1);
  if (!strings.ok()) {
    return {Refusal::kStringsPlace, kStringsOffsetAt};
  }
  out.structure = structure.value();
  out.strings = terminated(strings.value());
  return check_reservations(out);
}

/// Follows the tokens: how deep it is, and what may come next.
class Structure {
 public:
  explicit Structure(size_t strings) : strings_(strings) {}

  /// Why `token` must not stand here.
  Refusal take(const Token& token) {
    switch (token.kind) {
    case TokenKind::kBeginNode:
      return begin_node(token);
    case TokenKind::kEndNode:
      return end_node();
    case TokenKind::kProperty:
      return property(token);
    case TokenKind::kEnd:
      return end();
    default:
      return token.refusal;
    }
  }

 private:
  Refusal begin_node(const Token& token) {
    if (depth_ == 0 && root_seen_) {
      return Refusal::kSecondRoot;
    }
    if (depth_ == 0 && token.body_size != 0) {
      return Refusal::kRootName;
    }
    if (depth_ == kMaxDepth) {
      return Refusal::kDepth;
    }
    ++depth_;
    root_seen_ = true;
    properties_allowed_ = true;
    return Refusal::kNone;
  }

  Refusal end_node() {
    if (depth_ == 0) {
      return Refusal::kEndNode;
    }
    --depth_;
    properties_allowed_ = false; // the node that goes on now has had a child
    return Refusal::kNone;
  }

  Refusal property(const Token& token) const {
    if (!properties_allowed_) {
      return Refusal::kPropertyPlace;
    }
    return token.name_offset < strings_ ? Refusal::kNone : Refusal::kPropertyName;
  }

  Refusal end() const {
    if (depth_ != 0) {
      return Refusal::kNodeOpen;
    }
    return root_seen_ ? Refusal::kNone : Refusal::kNoRoot;
  }

  size_t strings_; ///< size of the strings block
  size_t depth_ = 0;
  bool root_seen_ = false;
  bool properties_allowed_ = false;
};

} // namespace

Refused check_header(Bytes bytes, Blocks& out) {
  if (bytes.size() < kHeaderBytes) {
    return {Refusal::kShort, bytes.size()};
  }
  if (field(bytes, kMagicAt) != kMagic) {
    return {Refusal::kMagic, kMagicAt};
  }
  const size_t total = field(bytes, kTotalSizeAt);
  if (total < kHeaderBytes || total > bytes.size()) {
    return {Refusal::kTotalSize, kTotalSizeAt};
  }
  if (field(bytes, kVersionAt) < kVersion || field(bytes, kLastCompatibleAt) > kVersion) {
    return {Refusal::kVersion, kVersionAt};
  }
  out.blob = bytes.first(total);
  out.boot_cpu = field(bytes, kBootCpuAt);
  return check_blocks(out);
}

Refused check_structure(const Blocks& blocks) {
  const size_t origin = static_cast<size_t>(blocks.structure.data() - blocks.blob.data());
  Structure structure(blocks.strings.size());
  Token token;
  do {
    read_token(blocks.structure, token.next, token);
    const Refusal refusal = structure.take(token);
    if (refusal != Refusal::kNone) {
      return {refusal, origin + token.at};
    }
  } while (token.kind != TokenKind::kEnd);
  if (token.next != blocks.structure.size()) {
    return {Refusal::kTrailing, origin + token.next};
  }
  return {};
}

} // namespace clay::fdt
