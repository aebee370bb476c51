#pragma once
// sfdisk and sgdisk over disk images in a temporary folder.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "gates/support/subprocess.h"
#include "generators/sparse_disk.h"

namespace kiln::test {

/// Number, first sector, sectors.
using Listed = std::tuple<uint32_t, uint64_t, uint64_t>;

/// A folder that goes away with its images.
class ImageFolder {
 public:
  ImageFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kiln-images-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ImageFolder() { std::filesystem::remove_all(path_); }
  ImageFolder(const ImageFolder&) = delete;
  ImageFolder& operator=(const ImageFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// Sparse, so that disks of terabytes need no room.
  std::string write(const std::string& name, const gen::SparseDisk& disk) const {
    const std::string path = file(name);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    for (const auto& [sector, bytes] : disk.contents) {
      if (sector >= disk.sectors) continue;
      out.seekp(static_cast<std::streamoff>(sector * disk.sector_bytes));
      out.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
    }
    out.close();
    std::filesystem::resize_file(path, disk.sectors * disk.sector_bytes);
    return path;
  }

 private:
  std::string path_;
};

/// What a program prints, its errors included. `input`: what it reads, in a shell's words.
inline std::string output_of(const std::string& command) {
  return gates::run_tool({"env", "LC_ALL=C", "sh", "-c", "( " + command + " ) 2>&1"}).output;
}

struct SfdiskVerdict {
  std::string label; ///< "gpt", "dos", "" for none
  std::set<Listed> partitions;
  std::vector<std::string> names;
};

/// Without extended partitions, which hold others.
inline SfdiskVerdict ask_sfdisk(const std::string& image) {
  SfdiskVerdict verdict;
  std::string text = output_of("sfdisk --json " + image + " 2>/dev/null");
  // It passes half a surrogate pair on as bytes that are no UTF-8.
  std::replace_if(text.begin(), text.end(), [](char c) { return c < 0; }, '?');
  const size_t begin = text.find("{\n"); // it talks before it begins
  if (begin == std::string::npos) return verdict;
  const auto table = nlohmann::json::parse(text.substr(begin)).at("partitiontable");
  verdict.label = table.at("label");
  if (!table.contains("partitions")) return verdict;
  for (const auto& partition : table.at("partitions")) {
    const std::string type = partition.at("type");
    if (type == "5" || type == "f" || type == "85") continue;
    const std::string node = partition.at("node");
    verdict.partitions.insert({static_cast<uint32_t>(std::stoul(node.substr(image.size()))),
                               partition.at("start"), partition.at("size")});
    verdict.names.push_back(partition.value("name", ""));
  }
  return verdict;
}

struct SgdiskVerdict {
  bool taken = false;
  bool clean = false;         ///< nothing to complain about
  bool other_entries = false; ///< it reads entries of 128 bytes only, and says so
  std::set<Listed> partitions;
};

inline SgdiskVerdict ask_sgdisk(const std::string& image) {
  SgdiskVerdict verdict;
  const std::string text = output_of("sgdisk -v -p " + image);
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  verdict.other_entries = says("supports only 128-byte entries");
  verdict.taken = !says("Creating new GPT entries") && !says("Exiting");
  static const std::regex trouble("nvalid|corrupt|damaged|overlap");
  verdict.clean = verdict.taken && says("No problems found") && !std::regex_search(text, trouble);
  static const std::regex line("\n +([0-9]+) +([0-9]+) +([0-9]+) ");
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
    const uint64_t first = std::stoull((*at)[2]);
    verdict.partitions.insert(
        {static_cast<uint32_t>(std::stoul((*at)[1])), first, std::stoull((*at)[3]) - first + 1});
  }
  return verdict;
}

} // namespace kiln::test
