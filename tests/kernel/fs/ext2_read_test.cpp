// Images made by mke2fs and filled by debugfs, read by Clay.

#include "tests/kernel/fs/ext2_test.h"

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
    "-b 1024 -O ^resize_inode -g 256 -N 100",
};
constexpr size_t kLarge = 3'000'000;

void fill() {
  const std::string small = host_file("small", "hello");
  const std::string large = host_file("large", pattern(kLarge, 1));
  debugfs("mkdir sub\nmkdir sub/deeper\nwrite " + small + " small\ncd sub\nwrite " + small +
          " there\nln there again\nsymlink fast small\nsymlink slow " + std::string(100, 'x') +
          "\ncd deeper\nwrite " + large + " large\ncd /\nmknod fifo p\nmknod disk b 8 1\n" +
          "sif sub/again links_count 2\nsif sub/there links_count 2\n");
}

TEST(Ext2Read, WhatOthersHaveWritten) {
  for (const char* shape : kShapes) {
    SCOPED_TRACE(shape);
    ASSERT_TRUE(make_image(shape, 8192));
    fill();
    ASSERT_EQ(fsck(), "");
    const std::vector<uint8_t> before = image();
    expect_silent_in_order([](sim::Run&) {
      ImageDevice device;
      auto fs = must(clay::mount_ext2(device), "mount");
      KILN_CHECK(contents(*at_path(*fs, "small")) == "hello", "small");
      KILN_CHECK(contents(*at_path(*fs, "sub/deeper/large")) == pattern(kLarge, 1), "large");
      KILN_CHECK(target(*at_path(*fs, "sub/fast")) == "small", "fast");
      KILN_CHECK(target(*at_path(*fs, "sub/slow")) == std::string(100, 'x'), "slow");
      KILN_CHECK(at_path(*fs, "fifo")->kind() == clay::NodeKind::kOther, "fifo");
      KILN_CHECK(at_path(*fs, "disk")->kind() == clay::NodeKind::kOther, "disk");
      const clay::Ref<clay::Node> again = at_path(*fs, "sub/again");
      KILN_CHECK(again.get() == at_path(*fs, "sub/there").get(), "two nodes for one inode");
      KILN_CHECK(again->stat().links == 2, "%u links", again->stat().links);
      const std::vector<std::string> expected = {"deeper", "there", "again", "fast", "slow"};
      KILN_CHECK(names(*at_path(*fs, "sub")) == expected, "names of sub");
      KILN_CHECK(at_path(*fs, "")->lookup("nothing").failed_with(clay::Error::kNotFound), "found");
      must(fs->unmount(), "unmount");
      KILN_CHECK(device.writes == 0, "%u writes", device.writes);
    });
    EXPECT_EQ(image(), before);
  }
}

} // namespace
} // namespace kiln::test
