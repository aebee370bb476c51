#pragma once
// All that a kernel shows of a filesystem, looked at through its nodes: every directory listed,
// every name looked up, every file and symlink read, as far as it goes. Beside it, when the image
// is sound, the second reader (worlds/ext2/reader.h), entry for entry and byte for byte.

#include <cstdint>
#include <string>
#include <vector>

#include "kernel-src/fs/node.h"
#include "worlds/ext2/reader.h"

namespace kiln::fs {

/// What a damaged filesystem may answer, and what has been met.
class Honesty {
 public:
  /// `sound`: nothing may be called corrupt. `starved`: memory may run out.
  Honesty(clay::FileSystem& fs, bool sound, bool starved)
      : fs_(fs), sound_(sound), starved_(starved) {}

  /// The device may go: nothing is wrong with calls that say so.
  void may_lose_device() { may_lose_device_ = true; }

  bool sound() const { return sound_; }
  bool corrupt() const { return corrupt_; }
  /// What met it, the first few times: "a read of '/a/file'".
  const std::vector<std::string>& met() const { return met_; }
  /// Of a call that only reads: success, kCorrupt if the image is not sound, kNoMemory if memory
  /// may run out. Once something is corrupt, the filesystem is read-only.
  bool reads(const clay::Result<>& result, const char* what, const std::string& path);
  template <typename T>
  bool reads(const clay::Result<T>& result, const char* what, const std::string& path) {
    return reads(result.ok() ? clay::Result<>() : clay::Result<>(result.error()), what, path);
  }
  /// Of a call that changes something: besides, whatever such a call may be refused for.
  bool changes(const clay::Result<>& result, const char* what, const std::string& path);
  /// Of a sync: it succeeds also when there is nothing to do.
  void settles(const clay::Result<>& result) {
    if (!result.ok()) changes(result, "sync", "");
  }

 private:
  void note(clay::Error error, const char* what, const std::string& path);

  clay::FileSystem& fs_;
  bool sound_;
  bool starved_;
  bool may_lose_device_ = false;
  bool corrupt_ = false;
  std::vector<std::string> met_;
};

class DamagedTree {
 public:
  struct Directory {
    clay::Ref<clay::Node> node;
    std::string path;
  };
  struct Name {
    size_t directory; ///< among the directories
    std::string name;
    clay::Ref<clay::Node> node;
  };

  /// `reader`: null when there is nothing to compare with.
  DamagedTree(clay::FileSystem& fs, Honesty& honesty, worlds::ext2::Reader* reader)
      : fs_(fs), honesty_(honesty), reader_(reader) {}

  /// Not more than this many names are followed.
  static constexpr size_t kMostNames = 200;

  void look();
  std::vector<Directory>& directories() { return directories_; }
  std::vector<Name>& names() { return names_; }
  /// A line a name, for people, and how much there was.
  void describe_into(std::string& out) const;

 private:
  struct Listed {
    std::string name;
    uint64_t number;
    clay::NodeKind kind;
  };

  void look_into(size_t directory);
  void look_up_from(clay::Node& below, size_t directory, const std::string& path);
  bool list(size_t directory, std::vector<Listed>& entries);
  void compare_entries(size_t directory, const std::vector<Listed>& entries);
  void look_at(clay::Node& node, const std::string& path);
  void compare_node(const clay::NodeStat& stat, const worlds::ext2::InodeFacts& inode,
                    const std::string& path);
  void read_file(clay::Node& node, const clay::NodeStat& stat, const std::string& path);
  void read_range(clay::Node& node, const clay::NodeStat& stat, uint64_t offset, size_t bytes,
                  const std::string& path);
  void read_symlink(clay::Node& node, const std::string& path);

  clay::FileSystem& fs_;
  Honesty& honesty_;
  worlds::ext2::Reader* reader_;
  std::vector<Directory> directories_;
  std::vector<Name> names_;
  std::vector<uint64_t> entered_; ///< numbers of directories
  uint64_t bytes_read_ = 0;       ///< of files
  std::vector<uint8_t> buffer_;
  std::vector<uint8_t> storage_;
  std::vector<worlds::ext2::DirectoryEntry> expected_;
};

} // namespace kiln::fs
