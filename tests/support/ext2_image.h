#pragma once
// Ext2 images made and judged by e2fsprogs, for tests. The image lies in host memory that a reset
// of the machine does not touch; the functions that run programs are called outside of the machine.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::test {

/// The image at hand. Inside the machine its size must not change.
std::vector<uint8_t>& image();
/// A number for the body of a test, which can have no captures.
uint64_t& test_parameter();

/// A new image: mke2fs with these options (or none), of `kib` KiB. False, and what it said on
/// standard error, when mke2fs does not want to.
bool make_image(const std::string& options, size_t kib);
/// Has debugfs change the image, a command a line.
void debugfs(const std::string& commands);
/// What debugfs prints for one command.
std::string ask_debugfs(const std::string& command);
/// What `e2fsck -fn` complains about; empty when it is content.
std::string fsck(const std::vector<uint8_t>& bytes);
inline std::string fsck() { return fsck(image()); }
/// A file in the folder of this process's images, for debugfs to read.
std::string host_file(const std::string& name, const std::string& contents);
/// What debugfs reads of a file on the image.
std::string dumped(const std::string& path);

} // namespace kiln::test
