#include "worlds/ext2/views.h"

#include "worlds/disk/medium.h"

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

} // namespace

ImageView view_of(const gen::ext2::Image& image) { return {image.size(), fetch_sparse, &image}; }

ImageView view_of(const Medium& medium) {
  const auto fetch = [](const void* source, uint64_t offset, size_t bytes,
                        uint8_t* scratch) -> const uint8_t* {
    constexpr size_t kTogether = 4096; // lie together if they are aligned
    const auto& from = *static_cast<const Medium*>(source);
    const uint64_t first = offset / from.sector_bytes();
    const uint64_t last = (offset + bytes - 1) / from.sector_bytes();
    for (uint64_t sector = first; sector <= last; ++sector) {
      if (!from.readable(sector)) return nullptr;
    }
    if (bytes <= kTogether && from.sector_bytes() <= kTogether) {
      return from.at(first) + offset % from.sector_bytes();
    }
    from.read(first, {scratch, bytes});
    return scratch;
  };
  return {medium.sectors() * medium.sector_bytes(), fetch, &medium};
}

} // namespace kiln::worlds::ext2
