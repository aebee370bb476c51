// The device and the memory fail at any step: what failed has not happened, what has happened
// stays, and the image is sound in the end or says that it has to be looked at.

#include "tests/kernel/fs/ext2_model.h"

namespace kiln::test {
namespace {

/// Fails the command with number `countdown`, once.
class FailingDevice final : public ImageDevice {
 public:
  uint64_t countdown = UINT64_MAX;
  unsigned failed = 0;

 private:
  clay::Result<> before(clay::BlockIo&) override {
    if (countdown == UINT64_MAX || countdown-- != 0) return {};
    countdown = UINT64_MAX;
    ++failed;
    return clay::Error::kIo;
  }
};

class DeviceTrouble final : public Trouble {
 public:
  DeviceTrouble(FailingDevice& device, Dice& dice) : device_(device), dice_(dice) {}
  void begin() override { device_.countdown = dice_.below(8); }
  void end() override { device_.countdown = UINT64_MAX; }

 private:
  FailingDevice& device_;
  Dice& dice_;
};

class MemoryTrouble final : public Trouble {
 public:
  MemoryTrouble(sim::Machine& machine, Dice& dice) : machine_(machine), dice_(dice) {}
  void begin() override { machine_.fail_allocation(dice_.below(10)); }
  void end() override { machine_.fail_allocation(UINT64_MAX); }

 private:
  sim::Machine& machine_;
  Dice& dice_;
};

void work(FailingDevice& device, Trouble& trouble) {
  const ModelRef root = empty_tree();
  for (unsigned mount = 0; mount < 3; ++mount) {
    auto fs = must(clay::mount_ext2(device, {.cached_blocks = 32}), "mount");
    KILN_CHECK(!fs->read_only(), "read-only at mount %u", mount);
    Twin twin(*fs, root, test_parameter() * 100 + mount, {.names = 10, .long_names = 3}, &trouble);
    twin.compare();
    for (unsigned i = 0; i < 150 && !fs->read_only(); ++i) {
      static_cast<void>(twin.step());
      if (i % 23 == 0) {
        trouble.begin();
        static_cast<void>(fs->sync());
        trouble.end();
      }
    }
    twin.compare();
    const bool gave_up = fs->read_only();
    const clay::Result<> unmounted = fs->unmount();
    KILN_CHECK(unmounted.ok() || gave_up, "unmount: %s", clay::error_text(unmounted.error()));
    if (gave_up) return;
  }
}

void tidy_up() {
  ImageDevice device;
  auto fs = must(clay::mount_ext2(device), "mount");
  KILN_CHECK(!fs->read_only(), "read-only");
  must(fs->unmount(), "unmount");
}

void in_trouble(Body body) {
  ASSERT_TRUE(make_image("-b 1024 -N 64", 512));
  const std::vector<uint8_t> fresh = image();
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    image() = fresh;
    test_parameter() = seed;
    expect_silent_in_order(body);
    expect_silent_in_order([](sim::Run&) { tidy_up(); });
    ASSERT_EQ(fsck(), "");
  }
}

TEST(Ext2Error, TheDeviceFails) {
  in_trouble([](sim::Run&) {
    FailingDevice device;
    Dice dice(test_parameter());
    DeviceTrouble trouble(device, dice);
    work(device, trouble);
    KILN_CHECK(device.failed > 10, "%u commands failed", device.failed);
  });
}

TEST(Ext2Error, ThereIsNoMemory) {
  in_trouble([](sim::Run& run) {
    FailingDevice device;
    Dice dice(test_parameter());
    MemoryTrouble trouble(run.machine, dice);
    work(device, trouble);
  });
}

} // namespace
} // namespace kiln::test
