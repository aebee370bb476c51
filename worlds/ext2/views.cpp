#include "worlds/ext2/views.h"

namespace kiln::worlds::ext2 {
namespace {

const uint8_t* fetch_sparse(const void* source, uint64_t offset, size_t bytes, uint8_t* scratch) {
  const auto& image = *static_cast<const gen::ext2::Image*>(source);
  const uint64_t inside = offset % image.block_bytes();
  if (inside + bytes <= image.block_bytes()) {
    return image.read(static_cast<uint32_t>(offset / image.block_bytes())) + inside;
  }
  image.copy(offset, {scratch, bytes});
  return scratch;
}

constexpr size_t kTogether = 4096; ///< bytes of a medium that lie together, if they are aligned

const uint8_t* fetch_medium(const void* source, uint64_t offset, size_t bytes, uint8_t* scratch) {
  const auto& medium = *static_cast<const Medium*>(source);
  const uint32_t sector_bytes = medium.sector_bytes();
  const uint64_t first = offset / sector_bytes;
  const uint64_t last = (offset + bytes - 1) / sector_bytes;
  for (uint64_t sector = first; sector <= last; ++sector) {
    if (!medium.readable(sector)) return nullptr;
  }
  if (bytes <= kTogether && sector_bytes <= kTogether && (sector_bytes & (sector_bytes - 1)) == 0) {
    return medium.at(first) + offset % sector_bytes;
  }
  medium.read(first, {scratch, bytes});
  return scratch;
}

} // namespace

ImageView view_of(const gen::ext2::Image& image) { return {image.size(), fetch_sparse, &image}; }

ImageView view_of(const Medium& medium) {
  return {medium.sectors() * medium.sector_bytes(), fetch_medium, &medium};
}

} // namespace kiln::worlds::ext2
