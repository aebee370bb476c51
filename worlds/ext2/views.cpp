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

} // namespace

ImageView view_of(const gen::ext2::Image& image) { return {image.size(), fetch_sparse, &image}; }

} // namespace kiln::worlds::ext2
