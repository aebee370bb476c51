#pragma once
// A walk along a path.
//
//   Walk walk(mounts);
//   CLAY_TRY(walk.begin(from, path));
//   CLAY_TRY(walk.to_last());                          // walk.directory(), walk.last()
//   Place place = CLAY_TRY(walk.arrive(true));
//
// A path is components between slashes; more slashes are as one. It begins at the root if it begins
// with a slash, and else at a directory. "." is the directory at hand, ".." the one above it, where
// it really lies; of the root of all, the root. A slash behind the last component: it must be a
// directory.
//
// Symlinks are followed wherever something comes behind them, and at the end if the caller wants
// it; kMostLinks in all (kTooMany). An absolute target begins at the root of all.
//
// Errors: kNotFound, also for the empty path; kNotDirectory when something that is no directory has
// something behind it; kNameTooLong when a component has more than kNameBytes or the path, with the
// targets in it, more than kPathBytes; kInvalid when a component has a NUL; kNoMemory. What comes
// first on the way comes first.
//
// Time and stack are bounded by kPathBytes and kMostLinks; nothing calls itself.

#include <stdint.h>

#include "kernel-src/fs/mount.h"

namespace clay {

inline constexpr size_t kNameBytes = 255;
inline constexpr size_t kPathBytes = 4096;

class Walk {
 public:
  static constexpr unsigned kMostLinks = 8;

  explicit Walk(MountTable& mounts) : mounts_(mounts) {}
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  // Task context, nothing held that forbids waiting. `path` stays as long as the walk.

  /// `from`: where a relative path begins.
  Result<> begin(const Place& from, StringView path);
  Result<> begin(StringView path) { return begin(mounts_.root(), path); }
  /// Up to the directory in which the last component lies.
  Result<> to_last();
  /// After to_last(): the directory, and the component, which may be ".", "..", or empty for a path
  /// of slashes alone.
  const Place& directory() const { return at_; }
  StringView last() const { return last_; }
  /// Whether the last component is a name, and not one of those.
  bool last_is_name() const;
  /// Whether slashes stand behind the last component.
  bool slash_behind() const { return !rest_.empty(); }
  // --- After to_last()

  /// What the last component leads to. `follow`: also if it is a symlink; with a slash behind it is
  /// followed anyway.
  Result<Place> arrive(bool follow);
  /// The last component is no name: where it leads.
  Result<Place> arrive_without_name();
  /// The last component is this symlink: on to the last component of its target.
  Result<> follow_last(Ref<Node> link);
  /// The last component is this node, and not a symlink to be followed.
  Result<Place> land(Ref<Node> node);

 private:
  struct Text {
    char bytes[kPathBytes];
  };

  Result<> step(StringView name);
  Result<StringView> next_component();
  Result<> follow(Ref<Node> link);
  Result<> put_in_front(Ref<Node> link);

  MountTable& mounts_;
  Place at_;        ///< a directory
  StringView rest_; ///< what is still to come; begins with a slash, except at the beginning
  StringView last_;
  Box<Text> text_; ///< where rest_ lies once a symlink has been followed, at its end
  unsigned links_ = 0;
};

} // namespace clay
