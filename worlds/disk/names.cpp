// Words for what a disk's log and reports speak of.

#include "worlds/disk/command.h"
#include "worlds/disk/faults.h"

namespace kiln::worlds {

const char* name_of(DiskOp op) {
  switch (op) {
  case DiskOp::kRead:
    return "read";
  case DiskOp::kWrite:
    return "write";
  case DiskOp::kFlush:
    return "flush";
  case DiskOp::kDiscard:
    return "discard";
  }
  return "?";
}

const char* name_of(DiskAnswer answer) {
  switch (answer) {
  case DiskAnswer::kOk:
    return "done";
  case DiskAnswer::kError:
    return "error";
  case DiskAnswer::kOutOfRange:
    return "refused: out of range";
  case DiskAnswer::kUnsupported:
    return "refused: unsupported";
  case DiskAnswer::kGone:
    return "gone";
  }
  return "?";
}

const char* name_of(FaultKind kind) {
  switch (kind) {
  case FaultKind::kNone:
    return "none";
  case FaultKind::kError:
    return "error, nothing done";
  case FaultKind::kErrorPartly:
    return "error, partly done";
  case FaultKind::kErrorDone:
    return "error, all done";
  case FaultKind::kErrorTorn:
    return "error, sectors at random and a torn one";
  case FaultKind::kUnreadable:
    return "sector unreadable";
  case FaultKind::kShort:
    return "short count";
  case FaultKind::kNever:
    return "never answered";
  case FaultKind::kTwice:
    return "answered twice";
  case FaultKind::kLate:
    return "answered late";
  case FaultKind::kGone:
    return "removed";
  case FaultKind::kLyingFlush:
    return "lie: not flushed";
  case FaultKind::kLyingDurable:
    return "lie: not durable";
  case FaultKind::kDropped:
    return "lie: not written";
  case FaultKind::kMisdirectedWrite:
    return "lie: written elsewhere";
  case FaultKind::kMisdirectedRead:
    return "lie: read from elsewhere";
  case FaultKind::kStaleRead:
    return "lie: old contents";
  case FaultKind::kBitRot:
    return "lie: a bit has changed";
  case FaultKind::kZeroed:
    return "lie: a sector of zeros";
  case FaultKind::kSwapped:
    return "lie: sectors changed places";
  case FaultKind::kGarbageRead:
    return "lie: noise";
  case FaultKind::kCount:
    break;
  }
  return "?";
}

} // namespace kiln::worlds
