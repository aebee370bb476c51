// Images with wrong bytes in their metadata, read and written to: whatever comes of it, the kernel
// goes on, in bounded time and memory.

#include "tests/kernel/fs/ext2_model.h"

namespace kiln::test {
namespace {

/// Does everything to everything, and believes nothing.
class Vandal {
 public:
  Vandal(clay::FileSystem& fs, Dice& dice) : fs_(fs), dice_(dice) {}

  void work() {
    auto root = fs_.root();
    if (!root.ok()) return;
    walk(*root.value(), 0);
    static_cast<void>(fs_.sync());
  }

 private:
  struct Collector final : clay::DirectoryVisitor {
    std::vector<std::string> found;
    bool entry(const Entry& entry) override {
      found.emplace_back(entry.name.data(), entry.name.size());
      return found.size() < 30;
    }
  };

  void walk(clay::Node& directory, unsigned depth) {
    Collector collector;
    static_cast<void>(directory.list(0, collector));
    for (const std::string& name : collector.found) {
      auto found = directory.lookup(view(name));
      if (!found.ok()) continue;
      clay::Node& node = *found.value();
      if (node.kind() == clay::NodeKind::kDirectory) {
        if (depth < 3) walk(node, depth + 1);
      } else {
        use(node);
      }
      change(directory, name, node);
    }
  }

  void use(clay::Node& node) {
    uint8_t bytes[3000];
    static_cast<void>(node.read_link(bytes));
    static_cast<void>(node.read(dice_.below(100'000), bytes));
    switch (dice_.below(4)) {
    case 0:
      static_cast<void>(node.write(dice_.below(100'000), clay::Bytes(bytes, sizeof(bytes))));
      break;
    case 1:
      static_cast<void>(node.truncate(dice_.below(100'000)));
      break;
    default:
      break;
    }
  }

  void change(clay::Node& directory, const std::string& name, clay::Node& node) {
    const std::string fresh = "v" + std::to_string(dice_.below(20));
    switch (dice_.below(7)) {
    case 0:
      static_cast<void>(directory.unlink(view(name)));
      break;
    case 1:
      static_cast<void>(directory.remove_directory(view(name)));
      break;
    case 2:
      static_cast<void>(directory.link(view(fresh), node));
      break;
    case 3:
      static_cast<void>(directory.create(view(fresh), clay::NodeKind::kFile, 0600));
      break;
    case 4:
      static_cast<void>(directory.create(view(fresh), clay::NodeKind::kDirectory, 0700));
      break;
    case 5: {
      auto root = fs_.root();
      if (root.ok()) static_cast<void>(directory.rename(view(name), *root.value(), view(fresh)));
      break;
    }
    default:
      static_cast<void>(directory.rename(view(name), directory, view(fresh)));
    }
  }

  clay::FileSystem& fs_;
  Dice& dice_;
};

/// Wrong numbers where numbers are: small, large, and of blocks that are somebody's.
void damage(Dice& dice) {
  const size_t places = 1 + dice.below(3);
  for (size_t i = 0; i < places; ++i) {
    const size_t zone = dice.below(4) == 0 ? 4096 : 40'000;
    const size_t at = 1024 + dice.below(zone) / 4 * 4;
    const uint32_t values[] = {0,
                               0xFFFFFFFF,
                               static_cast<uint32_t>(dice.below(64)),
                               static_cast<uint32_t>(dice.below(512)),
                               static_cast<uint32_t>(dice.below(UINT32_MAX)),
                               1U << dice.below(32)};
    const uint32_t value = values[dice.below(6)];
    const size_t size = size_t{1} << dice.below(3);
    memcpy(&image()[at + dice.below(4)], &value, size);
  }
}

TEST(Ext2Damage, NothingIsBelieved) {
  for (const char* shape : {"-b 1024 -N 64", "-b 1024 -N 64 -g 256 -O ^resize_inode", "-b 2048"}) {
    ASSERT_TRUE(make_image(shape, 512));
    expect_silent_in_order([](sim::Run&) {
      ImageDevice device;
      auto fs = must(clay::mount_ext2(device), "mount");
      Twin twin(*fs, empty_tree(), 5, {.most_bytes = 60'000});
      for (unsigned i = 0; i < 150; ++i)
        static_cast<void>(twin.step());
      must(fs->unmount(), "unmount");
    });
    const std::vector<uint8_t> filled = image();
    for (uint64_t seed = 0; seed < 1500; ++seed) {
      SCOPED_TRACE(std::string(shape) + " seed " + std::to_string(seed));
      image() = filled;
      Dice dice(seed);
      damage(dice);
      if (seed % 2 == 1) image()[1024 + 58] = 0; // not unmounted
      test_parameter() = seed;
      expect_silent_in_order([](sim::Run&) {
        ImageDevice device;
        Dice dice(test_parameter());
        for (unsigned mount = 0; mount < 2; ++mount) {
          auto fs = clay::mount_ext2(device, {.cached_blocks = 64});
          if (!fs.ok()) return;
          Vandal(*fs.value(), dice).work();
          static_cast<void>(fs.value()->unmount());
        }
      });
      if (HasFailure()) return;
    }
  }
}

} // namespace
} // namespace kiln::test
