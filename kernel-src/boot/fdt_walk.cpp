#include "kernel-src/boot/fdt_walk.h"

namespace clay::fdt {

Walk::Walk(const Tree& tree) : path_(tree) { read_token(path_.source_.structure, 0, token_); }

bool Walk::next() {
  while (token_.kind == TokenKind::kEndNode) {
    --open_;
    read_token(path_.source_.structure, token_.next, token_);
  }
  if (token_.kind != TokenKind::kBeginNode) {
    return false;
  }
  if (open_ != 0) {
    path_.depth_ = open_ - 1;
    path_.enter(Node(path_.source_, token_, bus_around_[open_ - 1]));
  }
  read_properties(token_.next);
  ++open_;
  return true;
}

void Walk::skip_inside() {
  const size_t inside = open_;
  while (token_.kind != TokenKind::kEndNode || open_ != inside) {
    if (token_.kind == TokenKind::kBeginNode) {
      ++open_;
    } else if (token_.kind == TokenKind::kEndNode) {
      --open_;
    }
    read_token(path_.source_.structure, token_.next, token_);
  }
}

void Walk::read_properties(uint32_t at) {
  compatible_ = {};
  phandle_ = {};
  status_ = {};
  device_type_ = {};
  CellCounts counts;
  Properties::Iterator it(path_.source_, at);
  for (; it != Properties::End(); ++it) {
    if (!counts.take(it)) {
      take(it);
    }
  }
  bus_around_[open_] = counts.cells();
  token_ = it.token();
}

void Walk::take(const Properties::Iterator& it) {
  take_first(compatible_, "compatible", it);
  take_first(phandle_, "phandle", it);
  take_first(status_, "status", it);
  take_first(device_type_, "device_type", it);
}

Result<Node> find_phandle(const Tree& tree, uint32_t phandle) {
  if (phandle == 0 || phandle == UINT32_MAX) {
    return Error::kInvalid;
  }
  Walk walk(tree);
  while (walk.next()) {
    const Result<uint32_t> own = walk.phandle().u32();
    if (own.ok() && own.value() == phandle) {
      return walk.path().node();
    }
  }
  return Error::kNoDevice;
}

} // namespace clay::fdt
