// A VFS over filesystems that fail (odd_fs.h): what they answer reaches whoever asked, and nothing
// else does.

#include <optional>

#include "sim/probe.h"
#include "targets/fs/odd_fs.h"
#include "targets/fs/vfs.h"

namespace kiln::fs {
namespace {

using clay::Error;
using clay::Vfs;
using worlds::FsError;

const sim::Probe kNoRoot{kVfsTarget, "a filesystem has no root"};
const sim::Probe kTwoFail{kVfsTarget, "two mounts cannot be synced"};
const sim::Probe kBadEnd{kVfsTarget, "a filesystem says something of its unmounting"};

/// A call, and what must come of it; nothing: success.
struct Case {
  const char* text;
  std::optional<FsError> right;
  std::optional<FsError> (*call)(Vfs& vfs);
};

template <uint32_t flags> std::optional<FsError> open(Vfs& vfs, const char* path) {
  return failure_of(vfs.open(path, flags));
}

const Case kCases[] = {
    {"stat of a file", {}, [](Vfs& vfs) { return failure_of(vfs.stat("/d/a")); }},
    {"opening a file", {}, [](Vfs& vfs) { return open<clay::kOpenRead>(vfs, "/d/a"); }},
    {"fsync", FsError::kIo,
     [](Vfs& vfs) {
       const auto file = vfs.open("/d/a", clay::kOpenRead);
       return file.ok() ? failure_of(file.value()->sync()) : FsError::kOther;
     }},
    {"opening a file to empty it", FsError::kIo,
     [](Vfs& vfs) { return open < clay::kOpenWrite | clay::kOpenTruncate > (vfs, "/d/a"); }},
    {"opening what is of another kind", FsError::kUnsupported,
     [](Vfs& vfs) { return open<clay::kOpenRead>(vfs, "/d/b"); }},
    {"opening what is of another kind for writing", FsError::kUnsupported,
     [](Vfs& vfs) { return open < clay::kOpenWrite | clay::kOpenCreate > (vfs, "/d/b"); }},
    {"opening what is of another kind as a directory", FsError::kNotDirectory,
     [](Vfs& vfs) { return open < clay::kOpenRead | clay::kOpenDirectory > (vfs, "/d/b"); }},
    {"a way over what is of another kind", FsError::kNotDirectory,
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/b/x")); }},
    {"a symlink that cannot be read", FsError::kIo,
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/c")); }},
    {"a way over a symlink that cannot be read", FsError::kIo,
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/c/x")); }},
    {"a symlink that cannot be read, itself",
     {},
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/c", false)); }},
    {"a symlink to nothing", FsError::kNotFound,
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/d")); }},
    {"a way over a symlink to nothing", FsError::kNotFound,
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/d/x")); }},
    {"a name that cannot be looked up", FsError::kIo,
     [](Vfs& vfs) { return failure_of(vfs.stat("/d/e")); }},
    {"opening a name that cannot be looked up for creation", FsError::kIo,
     [](Vfs& vfs) { return open < clay::kOpenWrite | clay::kOpenCreate > (vfs, "/d/e"); }},
    {"a rename over a name that cannot be looked up", FsError::kIo,
     [](Vfs& vfs) { return failure_of(vfs.rename("/d/a", "/d/e")); }},
    {"a rename of a name that cannot be looked up", FsError::kIo,
     [](Vfs& vfs) { return failure_of(vfs.rename("/d/e", "/d/x")); }},
    {"unlinking a name that cannot be looked up", FsError::kIo,
     [](Vfs& vfs) { return failure_of(vfs.unlink("/d/e")); }},
    {"a file where there is no room", FsError::kNoSpace,
     [](Vfs& vfs) { return open < clay::kOpenWrite | clay::kOpenCreate > (vfs, "/d/x"); }},
    {"the space of a filesystem that a symlink leads to",
     {},
     [](Vfs& vfs) {
       const auto space = vfs.stat_filesystem("/way/.");
       KILN_CHECK(space.ok() && space.value().free_blocks == 5, "another filesystem is looked at");
       return failure_of(space);
     }},
};

std::optional<Error> draw_error(sim::Tape::View data) {
  static constexpr Error kErrors[] = {Error::kIo, Error::kNoDevice, Error::kTimedOut};
  if (data.below(2) == 0) return {};
  return data.pick(kErrors);
}

std::optional<FsError> in_words(std::optional<Error> error) {
  return error ? std::optional(error_of(*error)) : std::nullopt;
}

void check(const char* what, std::optional<FsError> got, std::optional<FsError> right) {
  KILN_CHECK(got == right, "%s gives %s, not %s", what, text_of(got), text_of(right));
}

/// One that is mounted, and what it answers.
struct Odd {
  OddAnswers answers;
  OddCalls calls;
};

/// False: it has no root, and was not taken.
bool mount(Vfs& vfs, const char* path, Odd& odd) {
  clay::Box<clay::FileSystem> filesystem = OddFs::make(odd.answers, odd.calls);
  check("a mount", failure_of(vfs.mount(path, filesystem)), in_words(odd.answers.root));
  KILN_CHECK(static_cast<bool>(filesystem) == odd.answers.root.has_value(),
             "a mount keeps what it fails to mount, or lets go what it mounts");
  return !odd.answers.root;
}

void unmount(Vfs& vfs, const char* path, Odd& odd) {
  const auto failure = failure_of(vfs.unmount(path));
  check("unmounting", failure, in_words(odd.answers.unmount));
  KILN_CHECK(odd.calls.unmount == 1, "a filesystem is unmounted %u times", odd.calls.unmount);
  if (failure) kBadEnd.hit();
  KILN_CHECK(failure_of(vfs.unmount(path)) == FsError::kInvalid, "it is still mounted");
}

/// A VFS whose root is one of them.
void run_root(const Odd& like) {
  Odd odd = like;
  clay::Box<clay::FileSystem> root = OddFs::make(odd.answers, odd.calls);
  auto vfs = Vfs::create(root);
  check("a VFS", failure_of(vfs), in_words(odd.answers.root));
  KILN_CHECK(static_cast<bool>(root) == odd.answers.root.has_value(),
             "a VFS keeps what it fails to have as its root, or does not take it");
  if (!vfs.ok()) return;
  check("sync", failure_of(vfs.value()->sync()), in_words(odd.answers.sync));
  KILN_CHECK(odd.calls.sync == 1, "the root is synced %u times", odd.calls.sync);
  check("the end", failure_of(vfs.value()->end()), in_words(odd.answers.unmount));
  KILN_CHECK(odd.calls.unmount == 1, "the root is unmounted %u times", odd.calls.unmount);
}

} // namespace

void run_vfs_odd(sim::Run& run, VfsWorld& world) {
  Vfs& vfs = *world.vfs;
  auto data = run.tape.data();
  KILN_CHECK(vfs.make_directory("/d").ok() && vfs.make_directory("/e").ok() &&
                 vfs.symlink("/way", "d").ok(),
             "the tree cannot be begun");
  const auto draw = [&] {
    const auto root = data.below(8) == 7 ? draw_error(data) : std::nullopt;
    const auto sync = draw_error(data);
    return Odd{{root, sync, draw_error(data)}, {}};
  };
  Odd odd = draw();
  Odd second = draw();
  run_root(odd);
  if (!mount(vfs, "/d", odd)) return kNoRoot.hit();
  for (unsigned step = 0; step < 20 && data.below(20) != 0; ++step) {
    const Case& one = data.pick(kCases);
    check(one.text, one.call(vfs), one.right);
  }
  const bool two = mount(vfs, "/e", second);
  const auto right = odd.answers.sync || !two ? odd.answers.sync : second.answers.sync;
  check("sync", failure_of(vfs.sync()), in_words(right));
  KILN_CHECK(odd.calls.sync == 1 && second.calls.sync == (two ? 1 : 0),
             "after an error some filesystems are not synced");
  if (two && odd.answers.sync && second.answers.sync) kTwoFail.hit();
  unmount(vfs, "/d", odd);
  if (two) unmount(vfs, "/e", second);
}

} // namespace kiln::fs
