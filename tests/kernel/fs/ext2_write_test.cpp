// Images made by mke2fs, changed by Clay, judged by e2fsck.

#include "tests/kernel/fs/ext2_model.h"

namespace kiln::test {
namespace {

constexpr const char* kShapes[] = {
    "-b 1024",
    "-b 1024 -I 128 -O ^dir_index,^resize_inode,^ext_attr",
    "-b 2048",
    "-b 4096 -I 256",
    "-b 1024 -r 0",
    "-b 1024 -O ^filetype",
    "-b 1024 -O ^sparse_super,^resize_inode -g 512",
    "-b 1024 -O ^resize_inode -g 256 -N 200",
};

/// Random operations, syncs and mounts between them; the tree is compared before and after.
void many_operations(size_t kib, Body body) {
  for (const char* shape : kShapes) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(std::string(shape) + " seed " + std::to_string(seed));
      ASSERT_TRUE(make_image(shape, kib));
      test_parameter() = seed;
      expect_silent_in_order(body);
      ASSERT_EQ(fsck(), "");
    }
  }
}

void work(Taste taste, unsigned mounts, unsigned steps) {
  const ModelRef root = empty_tree();
  for (unsigned mount = 0; mount < mounts; ++mount) {
    ImageDevice device;
    auto fs = must(clay::mount_ext2(device), "mount");
    Twin twin(*fs, root, test_parameter() * 100 + mount, taste);
    twin.compare();
    for (unsigned i = 0; i < steps; ++i) {
      const std::string what = twin.step();
      KILN_CHECK(!fs->read_only(), "read-only after %s", what.c_str());
      if (i % 37 == 0) must(fs->sync(), "sync");
    }
    twin.compare();
    must(fs->unmount(), "unmount");
  }
}

TEST(Ext2Write, ManyOperations) {
  many_operations(4096, [](sim::Run&) { work({}, 3, 300); });
}

TEST(Ext2Write, FullDisks) {
  many_operations(512, [](sim::Run&) { work({.most_bytes = 200'000}, 3, 300); });
}

TEST(Ext2Write, LargeDirectories) {
  many_operations(
      2048, [](sim::Run&) { work({.most_bytes = 3000, .names = 200, .long_names = 5}, 3, 600); });
}

} // namespace
} // namespace kiln::test
