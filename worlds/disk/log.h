#pragma once
// What a disk was asked for, in order: commands with their answers, who asked, and the marks that a
// target leaves between them ("fsync returns"). Words are made when somebody reads it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "worlds/disk/command.h"
#include "worlds/disk/faults.h"

namespace kiln::worlds {

class DiskLog {
 public:
  enum class Kind : uint8_t { kCommand, kMark, kCut, kPowerOn, kRemoved, kInserted, kReopened };
  struct Entry {
    Kind kind = Kind::kCommand;
    DiskAnswer answer = DiskAnswer::kOk;
    FaultKind fault = FaultKind::kNone;
    DiskCommand command = {};   ///< of a cut: the one in whose middle it was
    bool inside = false;        ///< there is one
    const char* text = nullptr; ///< a command's tag; a mark's words
    uint64_t a = 0;             ///< of a mark; of a cut: versions that were lost
    uint64_t b = 0;             ///< of a cut: versions that were pending
  };

  void add(const Entry& entry) {
    if (on_) entries_.push_back(entry);
  }
  /// `text` is static, with up to two %lu.
  void mark(const char* text, uint64_t a = 0, uint64_t b = 0) {
    add({.kind = Kind::kMark, .text = text, .a = a, .b = b});
  }
  /// Off: nothing is kept from here on. It is on unless said.
  void keep(bool on) { on_ = on; }
  bool kept() const { return on_; }

  const std::vector<Entry>& entries() const { return entries_; }
  std::string text() const;

 private:
  std::vector<Entry> entries_;
  bool on_ = true;
};

} // namespace kiln::worlds
