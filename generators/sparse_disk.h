#pragma once
// A disk of any size of which a few sectors hold something; all others are zeros.

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace kiln::gen {

struct SparseDisk {
  uint64_t sectors = 0;
  uint32_t sector_bytes = 512;
  std::map<uint64_t, std::vector<uint8_t>> contents; ///< sector_bytes each

  /// The sector, to be written to; it need not lie on the disk, and is lost then.
  std::vector<uint8_t>& at(uint64_t sector) {
    std::vector<uint8_t>& bytes = contents[sector];
    bytes.resize(sector_bytes);
    return bytes;
  }
  /// `bytes` from the beginning of a sector on; the last one is filled up with what it had.
  void write(uint64_t sector, std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
      const size_t part = std::min<size_t>(bytes.size(), sector_bytes);
      std::copy_n(bytes.begin(), part, at(sector++).begin());
      bytes = bytes.subspan(part);
    }
  }
  /// `out` has room for a sector.
  void read(uint64_t sector, std::span<uint8_t> out) const {
    const auto found = contents.find(sector);
    if (found == contents.end()) {
      std::fill(out.begin(), out.end(), uint8_t{0});
    } else {
      std::copy(found->second.begin(), found->second.end(), out.begin());
    }
  }
  /// All of a small disk.
  std::vector<uint8_t> image() const {
    std::vector<uint8_t> bytes(static_cast<size_t>(sectors * sector_bytes));
    for (const auto& [sector, content] : contents) {
      if (sector < sectors) {
        std::copy(content.begin(), content.end(),
                  bytes.begin() + static_cast<ptrdiff_t>(sector * sector_bytes));
      }
    }
    return bytes;
  }
};

} // namespace kiln::gen
