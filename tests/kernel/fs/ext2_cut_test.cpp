// The power goes after every write of a random program, and again while the image is put right.
//
// What is in the disk's cache then is there or not, sector by sector. After the recovery the image
// is sound; what was synced is there; every name leads to what it led to at some moment since the
// last sync; what never lost its last name has one, and what had one has not got two.

#include <algorithm>
#include <set>

#include "tests/kernel/fs/ext2_model.h"
#include "worlds/ext2/check.h"

namespace kiln::test {
namespace {

constexpr size_t kSector = 512;

struct Event {
  bool flush;
  uint64_t sector;
  std::string data;
  size_t moment; ///< snapshots that there were
};

/// Writes down what it is told to do.
class RecordingDevice final : public ImageDevice {
 public:
  std::vector<Event> events;
  size_t moment = 0;

 private:
  clay::Result<> before(clay::BlockIo& io) override {
    if (io.op == clay::BlockOp::kFlush) {
      events.push_back({true, 0, {}, moment});
    } else if (io.op == clay::BlockOp::kWrite) {
      for (uint64_t i = 0; i < io.sectors; ++i) {
        const char* const from = reinterpret_cast<const char*>(io.data) + i * kSector;
        events.push_back({false, io.sector + i, {from, kSector}, moment});
      }
    }
    return {};
  }
};

/// What a disk has after a cut: all that was flushed, and some of the rest.
class Cuts {
 public:
  Cuts(std::vector<uint8_t> start, const std::vector<Event>& events)
      : durable_(std::move(start)), events_(events) {}

  /// Goes on to behind the next event; false at the end.
  bool next() {
    if (at_ == events_.size()) return false;
    const Event& event = events_[at_++];
    if (!event.flush) {
      pending_.push_back(&event);
      return true;
    }
    for (const Event* write : pending_)
      apply(*write, durable_);
    pending_.clear();
    return true;
  }
  size_t pending() const { return pending_.size(); }
  size_t moment() const { return events_[at_ - 1].moment; }
  size_t place() const { return at_; }

  template <typename Keep> std::vector<uint8_t> state(Keep keep) const {
    std::vector<uint8_t> bytes = durable_;
    for (const Event* write : pending_) {
      if (keep()) apply(*write, bytes);
    }
    return bytes;
  }

 private:
  static void apply(const Event& write, std::vector<uint8_t>& to) {
    std::copy(write.data.begin(), write.data.end(),
              to.begin() + static_cast<ptrdiff_t>(write.sector * kSector));
  }

  std::vector<uint8_t> durable_;
  const std::vector<Event>& events_;
  std::vector<const Event*> pending_;
  size_t at_ = 0;
};

// --- The oracle

struct Seen {
  uint64_t number;
  clay::NodeKind kind;
  std::string data;
  bool operator==(const Seen&) const = default;
};
using Snapshot = std::map<std::string, Seen>;

void flatten(const ModelNode& directory, const std::string& path, Snapshot& into) {
  for (const auto& [name, node] : directory.names) {
    into[path + "/" + name] = {node->number, node->kind, node->data};
    if (node->is_directory()) flatten(*node, path + "/" + name, into);
  }
}

void flatten(clay::Node& directory, const std::string& path, Snapshot& into) {
  for (const std::string& name : names(directory)) {
    if (path.empty() && name == "lost+found") continue;
    const clay::Ref<clay::Node> node = must(directory.lookup(view(name)), name.c_str());
    Seen seen{node->stat().number, node->kind(), ""};
    if (seen.kind == clay::NodeKind::kFile) seen.data = contents(*node);
    if (seen.kind == clay::NodeKind::kSymlink) seen.data = target(*node);
    into[path + "/" + name] = seen;
    if (seen.kind == clay::NodeKind::kDirectory) flatten(*node, path + "/" + name, into);
  }
}

size_t count_names(const Snapshot& snapshot, uint64_t number) {
  return static_cast<size_t>(std::count_if(snapshot.begin(), snapshot.end(), [&](const auto& item) {
    return item.second.number == number;
  }));
}

class Oracle {
 public:
  /// What was true at some moment: from the last sync to the cut.
  Oracle(std::vector<Snapshot> moments) : moments_(std::move(moments)) {}

  void judge(const Snapshot& found) const {
    for (const auto& [path, seen] : found)
      judge_name(path, seen);
    for (const auto& [path, seen] : moments_.front()) {
      const auto holds = [&](const Snapshot& moment) {
        const auto at = moment.find(path);
        return at != moment.end() && at->second.number == seen.number;
      };
      const bool stays = std::all_of(moments_.begin(), moments_.end(), holds);
      KILN_CHECK(!stays || holds(found), "%s is lost", path.c_str());
      judge_number(found, seen.number, path);
    }
  }

 private:
  void judge_name(const std::string& path, const Seen& seen) const {
    bool was = false;
    std::set<std::string> versions;
    for (const Snapshot& moment : moments_) {
      const auto at = moment.find(path);
      was = was || (at != moment.end() && at->second.number == seen.number &&
                    at->second.kind == seen.kind);
      for (const auto& [other, node] : moment) {
        if (node.number == seen.number && node.kind == seen.kind) versions.insert(node.data);
      }
    }
    KILN_CHECK(was, "%s leads to inode %u, as it never did", path.c_str(),
               static_cast<unsigned>(seen.number));
    judge_data(path, seen.data, versions);
  }

  /// Of a file that was changed any part may be old or new or zeros.
  static void judge_data(const std::string& path, const std::string& data,
                         const std::set<std::string>& versions) {
    if (versions.contains(data)) return;
    const auto same_size = [&](const std::string& version) {
      return version.size() == data.size();
    };
    KILN_CHECK(data.empty() || std::any_of(versions.begin(), versions.end(), same_size),
               "%s has a size that it never had", path.c_str());
    KILN_CHECK(data.empty() || versions.size() > 1, "%s has other contents", path.c_str());
    for (size_t i = 0; i < data.size(); ++i) {
      const auto has = [&](const std::string& version) {
        return i < version.size() && version[i] == data[i];
      };
      KILN_CHECK(data[i] == '\0' || std::any_of(versions.begin(), versions.end(), has),
                 "%s: byte %zu is nobody's", path.c_str(), i);
    }
  }

  void judge_number(const Snapshot& found, uint64_t number, const std::string& path) const {
    size_t fewest = SIZE_MAX;
    size_t most = 0;
    for (const Snapshot& moment : moments_) {
      fewest = std::min(fewest, count_names(moment, number));
      most = std::max(most, count_names(moment, number));
    }
    const size_t now = count_names(found, number);
    KILN_CHECK(fewest == 0 || now != 0, "what was %s has no name any more", path.c_str());
    KILN_CHECK(fewest != 1 || most != 1 || now == 1, "what was %s has %zu names", path.c_str(),
               now);
  }

  std::vector<Snapshot> moments_;
};

// --- The test

/// Mounts what is in image(), looks, unmounts. What it wrote is in `events`.
void recover_and_judge(const Oracle& oracle, std::vector<Event>& events) {
  RecordingDevice device;
  {
    auto fs = must(clay::mount_ext2(device, {.cached_blocks = 64}), "mount");
    KILN_CHECK(!fs->read_only(), "read-only after a recovery");
    Snapshot found;
    flatten(*must(fs->root(), "root"), "", found);
    oracle.judge(found);
    must(fs->unmount(), "unmount");
  }
  const worlds::ext2::Verdict verdict = worlds::ext2::check(worlds::ext2::ImageView(image()));
  KILN_CHECK(verdict.sound(), "%s", verdict.words().c_str());
  events = std::move(device.events);
}

/// Without giving the image memory of the machine's.
void set_image(const std::vector<uint8_t>& bytes) {
  std::copy(bytes.begin(), bytes.end(), image().begin());
}

void cut_everywhere(sim::Run& run, Taste taste, unsigned steps, unsigned sync_every) {
  const uint64_t seed = test_parameter();
  const std::vector<uint8_t> start = image();
  const ModelRef root = empty_tree();
  std::vector<Snapshot> moments(1);
  std::vector<size_t> synced = {0}; // the moment of the last sync, for each moment
  std::vector<std::string> words = {"mount"};
  RecordingDevice device;
  {
    auto fs = must(clay::mount_ext2(device, {.cached_blocks = 64}), "mount");
    Twin twin(*fs, root, seed, taste);
    for (unsigned i = 1; i <= steps; ++i) {
      device.moment = moments.size();
      if (i % sync_every == 0) {
        must(fs->sync(), "sync");
        words.emplace_back("sync");
        moments.push_back(moments.back());
        synced.push_back(moments.size() - 1);
        continue;
      }
      words.push_back(twin.step());
      moments.emplace_back();
      flatten(*root, "", moments.back());
      synced.push_back(synced.back());
    }
    device.moment = moments.size();
    must(fs->unmount(), "unmount");
  }
  const std::vector<uint8_t> end = image();
  const worlds::ext2::Verdict verdict = worlds::ext2::check(worlds::ext2::ImageView(image()));
  KILN_CHECK(verdict.sound(), "%s", verdict.words().c_str());

  Dice dice(seed + 1000);
  Cuts cuts(start, device.events);
  while (cuts.next()) {
    const size_t now = std::min(cuts.moment(), moments.size() - 1);
    const size_t from = synced[std::min(cuts.moment(), moments.size()) - 1];
    const Oracle oracle({moments.begin() + static_cast<ptrdiff_t>(from),
                         moments.begin() + static_cast<ptrdiff_t>(now) + 1});
    const unsigned tries = cuts.pending() < 2 ? 1 : 2;
    for (unsigned i = 0; i < tries; ++i) {
      set_image(cuts.state([&] { return dice.below(2) == 0; }));
      run.machine.note("cut after event %zu, in %s", cuts.place(), words[now].c_str());
      std::vector<Event> repairs;
      const std::vector<uint8_t> found = image();
      recover_and_judge(oracle, repairs);
      // And again while that is being put right: at one place of it.
      Cuts again(found, repairs);
      const uint64_t stop = dice.below(repairs.size() + 1);
      for (uint64_t j = 0; j < stop && again.next(); ++j) {
      }
      set_image(again.state([&] { return dice.below(2) == 0; }));
      recover_and_judge(oracle, repairs);
    }
  }
  set_image(end);
}

constexpr const char* kShapes[] = {
    "-b 1024 -N 32",
    "-b 1024 -N 48 -I 128 -O ^filetype,^dir_index",
    "-b 4096 -N 32",
    "-b 1024 -g 256 -N 64 -O ^resize_inode",
};

void cut(size_t kib, Body body, uint64_t seeds) {
  for (const char* shape : kShapes) {
    ASSERT_TRUE(make_image(shape, kib));
    const std::vector<uint8_t> fresh = image();
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(std::string(shape) + " seed " + std::to_string(seed));
      image() = fresh;
      test_parameter() = seed;
      expect_silent_in_order(body);
    }
    EXPECT_EQ(fsck(), "");
  }
}

TEST(Ext2Cut, SmallFiles) {
  cut(512, [](sim::Run& run) { cut_everywhere(run, {.most_bytes = 3000}, 40, 9); }, 10);
}

TEST(Ext2Cut, LongNames) {
  cut(
      512,
      [](sim::Run& run) {
        cut_everywhere(run, {.most_bytes = 3000, .names = 12, .long_names = 8}, 50, 12);
      },
      10);
}

TEST(Ext2Cut, IndirectBlocks) {
  cut(1024, [](sim::Run& run) { cut_everywhere(run, {.most_bytes = 40'000}, 30, 8); }, 5);
}

} // namespace
} // namespace kiln::test
