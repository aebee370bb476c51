// Images made by real sgdisk and sfdisk, read by the kernel through the target's feed, where the
// second reader is its judge; and the partitions are those that sfdisk lists.

#include <gtest/gtest.h>
#include <iterator>

#include "tests/support/in_machine.h"
#include "tests/worlds/partitions/tools.h"

namespace kiln::test {
namespace {

constexpr uint64_t kImageBytes = uint64_t{6} << 20;

struct Layout {
  const char* name;
  const char* make;  ///< a command of the shell; $I is the image
  const char* words; ///< what the kernel says besides the partitions, if anything
};

constexpr Layout kLayouts[] = {
    {"an empty GPT", "sgdisk -o $I", nullptr},
    {"a GPT", "sgdisk -n 1:2048:4095 -t 1:ef00 -c 1:EFI -n 2:4096:0 -c 2:'Stamm äöü' -A 1:set:0 $I",
     nullptr},
    {"a GPT with holes in its numbers", "sgdisk -n 3:2048:2048 -n 128:4096:6143 -n 7:34:34 -a 1 $I",
     nullptr},
    {"a GPT with 256 entries", "sgdisk -S 256 -n 200:4096:6143 -c 200:late $I", nullptr},
    {"a GPT whose entries lie further behind", "sgdisk -n 1:4096:6143 $I && sgdisk -j 40 $I",
     nullptr},
    {"a GPT with a hybrid MBR", "sgdisk -n 1:2048:4095 -n 2:4096:6143 $I && sgdisk -h 1:2 $I",
     "other records too"},
    {"a GPT without its primary header",
     "sgdisk -n 1:2048:4095 $I && dd if=/dev/zero of=$I bs=512 seek=1 count=1 conv=notrunc",
     "the backup counts"},
    {"a GPT with damaged entries",
     "sgdisk -n 1:2048:4095 $I && dd if=/dev/urandom of=$I bs=512 seek=9 count=1 conv=notrunc",
     "the backup counts"},
    {"a GPT without its backup",
     "sgdisk -n 1:2048:4095 $I && dd if=/dev/zero of=$I bs=512 seek=12287 count=1 conv=notrunc",
     "a backup GPT that is not sound"},
    {"a GPT on a disk that has grown", "sgdisk -n 1:2048:4095 $I && truncate -s 7M $I",
     "does not lie at the device's end"},
    {"a GPT by sfdisk",
     "printf 'label: gpt\\nfirst-lba: 40\\nstart=40,size=100,name=first\\nsize=1000,type=swap\\n' "
     "| "
     "sfdisk $I",
     nullptr},
    {"a GPT by sfdisk with few entries",
     "printf 'label: gpt\\ntable-length: 32\\nfirst-lba: 64\\nsize=100\\nsize=1000\\n' | sfdisk $I",
     nullptr},
    {"an empty master boot record", "printf 'label: dos\\n' | sfdisk $I", nullptr},
    {"four records",
     "printf 'label: dos\\nsize=100,bootable\\nsize=200,type=c\\nsize=300\\nsize=400,type=ef\\n' | "
     "sfdisk $I",
     nullptr},
    {"a master boot record with logical partitions",
     "printf 'label: dos\\nsize=2048\\ntype=f\\nsize=100\\nsize=1024,type=82\\nsize=1\\n' | sfdisk "
     "$I",
     nullptr},
    {"logical partitions in the other order",
     "printf 'label: "
     "dos\\nstart=2048,size=8192,type=5\\nstart=8000,size=10\\nstart=4000,size=10\\n'"
     " | sfdisk $I",
     nullptr},
    {"a chain from which one was deleted",
     "printf 'label: dos\\nsize=8192,type=85\\nsize=100\\nsize=200\\nsize=300\\n' | sfdisk $I && "
     "sfdisk --delete $I 6",
     nullptr},
};

std::vector<uint8_t> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// From lines like "2: sectors 4096 to 6143, ...".
std::set<Listed> listed_in(const std::string& words) {
  std::set<Listed> listed;
  static const std::regex line("(^|\n)([0-9]+): sectors ([0-9]+) to ([0-9]+)");
  for (std::sregex_iterator at(words.begin(), words.end(), line), end; at != end; ++at) {
    const uint64_t first = std::stoull((*at)[3]);
    listed.insert(
        {static_cast<uint32_t>(std::stoul((*at)[2])), first, std::stoull((*at)[4]) - first + 1});
  }
  return listed;
}

void expect_read(const Layout& layout, const std::string& image) {
  const SfdiskVerdict verdict = ask_sfdisk(image);
  std::string words;
  const sim::Outcome outcome = feed_target("block/part", layout.name, bytes_of(image), words);
  EXPECT_FALSE(outcome.found) << outcome.finding.headline;
  const bool gpt = words.find("GPT, disk") != std::string::npos;
  EXPECT_EQ(verdict.label, gpt ? "gpt" : "dos") << words;
  EXPECT_EQ(listed_in(words), verdict.partitions) << words;
  for (const std::string& name : verdict.names) {
    EXPECT_NE(words.find(gpt ? "'" + name + "'" : ""), std::string::npos) << name << "\n" << words;
  }
  // Nothing is odd about them but what was done to them.
  const bool odd = words.find(" times: ") != std::string::npos;
  EXPECT_EQ(odd, layout.words != nullptr) << words;
  EXPECT_NE(words.find(layout.words == nullptr ? "" : layout.words), std::string::npos) << words;
}

TEST(ToolImages, AreReadAsTheyAreMeant) {
  for (const char* program : {"sfdisk", "sgdisk"}) {
    if (gates::find_program(program).empty()) {
      GTEST_SKIP() << program << " is missing: install fdisk and gdisk";
    }
  }
  const ImageFolder folder;
  const std::string image = folder.file("disk.img");
  for (const Layout& layout : kLayouts) {
    SCOPED_TRACE(layout.name);
    std::ofstream(image, std::ios::trunc).close();
    std::filesystem::resize_file(image, kImageBytes);
    output_of("I=" + image + "; " + layout.make);
    expect_read(layout, image);
  }
}

} // namespace
} // namespace kiln::test
