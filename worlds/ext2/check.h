#pragma once
// Whether an image is a sound ext2 filesystem, and if not, what is wrong with it, by kind and
// place. Written from the format's description and independent of any kernel's code: an oracle.
//
//   ext2::Checker checker;                        // keeps its memory from image to image
//   const ext2::Verdict& verdict = checker.check(ext2::ImageView(bytes));
//   KILN_CHECK(verdict.sound(), "%s", verdict.words().c_str());
//
// What it calls sound is what `e2fsck -fn` calls clean, but for the differences in
// docs/ext2-checker.md. It is fast when nothing is wrong (a few microseconds for a small image): it
// is asked thousands of times a second, of every state that a cut of the power may leave.
//
// After a cut an image may hold what nothing uses and counts may be off: within_cut().

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "worlds/ext2/image.h"
#include "worlds/ext2/problem.h"

namespace kiln::worlds::ext2 {

/// What the checker counted. Zeros when it could not get so far.
struct Counted {
  uint32_t block_bytes = 0;
  uint32_t blocks = 0; ///< of the filesystem
  uint32_t free_blocks = 0;
  uint32_t inodes = 0;
  uint32_t free_inodes = 0;
  uint32_t directories = 0; ///< the root is one
  uint32_t files = 0;       ///< regular ones
};

class Verdict {
 public:
  /// Problems kept with their place; the rest is only counted.
  static constexpr size_t kMostFound = 32;

  bool sound() const { return total_ == 0; }
  /// Nothing but counts, leaks and the mark of an unclean unmount: what a cut may leave, if
  /// `also` is allowed too (a directory with two names, say, in the middle of a rename).
  bool within_cut(const ProblemSet& also = {}) const;
  bool has(Problem problem) const { return kinds_.has(problem); }
  /// One block with two owners: what must never be, and spreads when it is written to.
  bool double_use() const;

  const ProblemSet& kinds() const { return kinds_; }
  std::span<const Found> found() const { return {found_, kept_}; }
  uint64_t total() const { return total_; }
  const Counted& counted() const { return counted_; }
  /// All that was found, a line each; "sound" when there is nothing.
  std::string words() const;

 private:
  friend class Checker;
  friend struct CheckerState;
  void clear() { kinds_ = {}, kept_ = 0, total_ = 0, counted_ = {}; }
  void add(const Found& found);

  ProblemSet kinds_;
  size_t kept_ = 0;
  uint64_t total_ = 0;
  Counted counted_;
  Found found_[kMostFound];
};

class Checker {
 public:
  /// `now`: seconds since 1970, for what must not lie in the future; 0: there is no clock.
  explicit Checker(uint32_t now = 0);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// Valid until the next check.
  const Verdict& check(const ImageView& image);

 private:
  std::unique_ptr<struct CheckerState> state_;
};

/// The same with memory of its own.
Verdict check(const ImageView& image);

/// Shows somebody every image that is judged from here on, whoever asks; null: nobody. For
/// scripts/check_ext2_checker.py, which asks another judge about the images that oracles see.
using Witness = void (*)(const ImageView& image, const Verdict& verdict);
void set_witness(Witness witness);

} // namespace kiln::worlds::ext2
