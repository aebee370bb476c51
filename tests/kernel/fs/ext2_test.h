#pragma once
// A device over the image of tests/support/ext2_image.h, and shorthand for what a test asks of a
// filesystem.

#include <string.h>
#include <string>
#include <vector>

#include "kernel-src/fs/ext2/ext2.h"
#include "tests/kernel/sync/machine_test.h"
#include "tests/support/ext2_image.h"

namespace kiln::test {

/// Does everything at once.
class ImageDevice : public clay::BlockDevice {
 public:
  explicit ImageDevice(bool read_only = false, uint32_t sector_bytes = 512)
      : BlockDevice({.sectors = image().size() / sector_bytes,
                     .sector_bytes = sector_bytes,
                     .read_only = read_only}) {}

  void submit(clay::BlockIo& io) override {
    const clay::Result<> fit = clay::check_io(shape(), io);
    clay::Result<> result = fit.ok() ? before(io) : fit;
    if (result.ok() && io.op != clay::BlockOp::kFlush) {
      uint8_t* const at = &image()[static_cast<size_t>(io.sector * shape().sector_bytes)];
      const auto size = static_cast<size_t>(io.sectors * shape().sector_bytes);
      io.op == clay::BlockOp::kRead ? memcpy(io.data, at, size) : memcpy(at, io.data, size);
      writes += io.op == clay::BlockOp::kWrite ? 1 : 0;
    }
    io.done(io, result);
  }
  unsigned writes = 0;

 protected:
  /// What a kind of device does beside, and whether it fails.
  virtual clay::Result<> before(clay::BlockIo& io) {
    static_cast<void>(io);
    return {};
  }
};

template <typename T> T must(clay::Result<T> result, const char* what) {
  KILN_CHECK(result.ok(), "%s: %s", what, clay::error_text(result.error()));
  return result.take();
}
inline void must(clay::Result<> result, const char* what) {
  KILN_CHECK(result.ok(), "%s: %s", what, clay::error_text(result.error()));
}

/// The node at the end of a path "a/b/c" from the root.
inline clay::Ref<clay::Node> at_path(clay::FileSystem& fs, std::string_view path) {
  clay::Ref<clay::Node> node = must(fs.root(), "the root");
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size() == path.size() ? name.size() : name.size() + 1);
    node = must(node->lookup({name.data(), name.size()}), std::string(name).c_str());
  }
  return node;
}

inline std::string contents(clay::Node& node) {
  std::string bytes(static_cast<size_t>(node.stat().bytes), '\0');
  const size_t size =
      must(node.read(0, clay::MutableBytes(reinterpret_cast<uint8_t*>(bytes.data()), bytes.size())),
           "read");
  KILN_CHECK(size == bytes.size(), "%zu bytes read of %zu", size, bytes.size());
  return bytes;
}

inline std::string target(clay::Node& node) {
  uint8_t bytes[4096];
  const size_t size = must(node.read_link(bytes), "read_link");
  return {reinterpret_cast<char*>(bytes), size};
}

inline clay::Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

/// Names of a directory, in the order in which they are listed.
inline std::vector<std::string> names(clay::Node& directory) {
  struct Collector final : clay::DirectoryVisitor {
    std::vector<std::string> found;
    bool entry(const Entry& entry) override {
      found.emplace_back(entry.name.data(), entry.name.size());
      return true;
    }
  } collector;
  must(directory.list(0, collector), "list");
  return collector.found;
}

/// Bytes that tell where they are.
inline std::string pattern(size_t size, unsigned salt) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<char>((i * 7 + i / 251 + salt) & 0xFF);
  return bytes;
}

} // namespace kiln::test
