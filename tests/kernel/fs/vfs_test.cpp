// Misuse of a VFS, and what a reader may want to see done once in full.

#include "kernel-src/fs/ramfs.h"
#include "kernel-src/fs/vfs.h"
#include "tests/kernel/sync/machine_test.h"

namespace kiln::test {
namespace {

clay::Box<clay::FileSystem> make_ramfs() {
  auto made = clay::RamFs::create({});
  KILN_CHECK(made.ok(), "no ramfs");
  return clay::Box<clay::FileSystem>(made.take().leak());
}

clay::Box<clay::Vfs> make_vfs() {
  auto root = make_ramfs();
  auto made = clay::Vfs::create(root);
  KILN_CHECK(made.ok(), "no VFS");
  return made.take();
}

TEST(Vfs, AFileIsWrittenAndReadThroughAMountAndASymlink) {
  expect_silent_in_order([](sim::Run&) {
    auto vfs = make_vfs();
    auto data = make_ramfs();
    KILN_CHECK(vfs->make_directory("/data").ok() && vfs->mount("/data", data).ok() &&
                   vfs->symlink("/here", "data/../data").ok(),
               "the tree cannot be made");
    {
      auto out = vfs->open("/here/log", clay::kOpenWrite | clay::kOpenCreate | clay::kOpenAppend);
      constexpr uint8_t kLine[] = {'l', 'o', 'g'};
      KILN_CHECK(out.ok() && out.value()->write(kLine).ok() && out.value()->write(kLine).ok(),
                 "the file cannot be written");
    }
    KILN_CHECK(vfs->unmount("/here").ok(), "a mount is left through a symlink to it");
    KILN_CHECK(vfs->stat("/data/log").failed_with(clay::Error::kNotFound), "it is still there");
    KILN_CHECK(vfs->end().ok(), "the root cannot be unmounted");
  });
}

TEST(Vfs, ItMustBeEndedBeforeItGoes) {
  expect_breaks([](sim::Run&) { make_vfs(); }, sim::Rule::kPanic);
}

TEST(Vfs, AnOpenFileKeepsEverythingMounted) {
  expect_silent_in_order([](sim::Run&) {
    auto vfs = make_vfs();
    {
      auto file = vfs->open("/a", clay::kOpenRead | clay::kOpenCreate);
      KILN_CHECK(vfs->end().failed_with(clay::Error::kBusy), "it ends under an open file");
    }
    KILN_CHECK(vfs->end().ok(), "the root cannot be unmounted");
  });
}

TEST(Vfs, ARootThatCannotBeTakenStaysWithTheCaller) {
  expect_silent_in_order([](sim::Run& run) {
    auto root = make_ramfs();
    run.machine.fail_allocation(1);
    KILN_CHECK(clay::Vfs::create(root).failed_with(clay::Error::kNoMemory), "it did not fail");
    KILN_CHECK(root && root->root().ok(), "the filesystem is gone");
  });
}

} // namespace
} // namespace kiln::test
