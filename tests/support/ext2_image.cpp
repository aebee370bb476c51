#include "tests/support/ext2_image.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace kiln::test {

namespace {

/// A folder for this process, in memory, that goes with it.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
    name += "/kiln-ext2-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

const Folder& folder() {
  static const Folder the_folder;
  return the_folder;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void save(const std::vector<uint8_t>& bytes) {
  std::ofstream out(folder().file("image"), std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

void load() {
  const std::string bytes = read_file(folder().file("image"));
  image().assign(bytes.begin(), bytes.end());
}

/// The exit code; what it says goes to `said`.
int run(const std::string& command, std::string& said) {
  const std::string log = folder().file("log");
  const int status = std::system(
      ("PATH=$PATH:/sbin:/usr/sbin LC_ALL=C " + command + " >" + log + " 2>&1").c_str());
  said = read_file(log);
  return status;
}

} // namespace

std::vector<uint8_t>& image() {
  static std::vector<uint8_t> bytes;
  return bytes;
}

uint64_t& test_parameter() {
  static uint64_t number = 0;
  return number;
}

bool make_image(const std::string& options, size_t kib) {
  std::error_code ignored;
  std::filesystem::remove(folder().file("image"), ignored);
  std::string said;
  const std::string command = "mke2fs -q -F -t ext2 " + options + " " + folder().file("image") +
                              " " + std::to_string(kib) + "k";
  if (run(command, said) != 0) {
    std::fprintf(stderr, "%s\n", said.c_str());
    return false;
  }
  load();
  image().resize(kib * 1024);
  return true;
}

void debugfs(const std::string& commands) {
  save(image());
  const std::string script = host_file("script", commands);
  std::string said;
  run("debugfs -w -f " + script + " " + folder().file("image"), said);
  const size_t size = image().size();
  load();
  image().resize(size);
}

std::string ask_debugfs(const std::string& command) {
  save(image());
  std::string said;
  run("debugfs -R '" + command + "' " + folder().file("image"), said);
  return said;
}

std::string dumped(const std::string& path) {
  save(image());
  std::string said;
  const std::string to = folder().file("dumped");
  run("debugfs -R 'dump " + path + " " + to + "' " + folder().file("image"), said);
  return read_file(to);
}

std::string fsck(const std::vector<uint8_t>& bytes) {
  save(bytes);
  std::string said;
  return run("e2fsck -fn " + folder().file("image"), said) == 0 ? "" : said;
}

std::string host_file(const std::string& name, const std::string& contents) {
  const std::string path = folder().file(name);
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

} // namespace kiln::test
