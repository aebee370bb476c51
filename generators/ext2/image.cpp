#include "generators/ext2/image.h"

#include <algorithm>
#include <cstring>

namespace kiln::gen::ext2 {

const uint8_t Image::kZeros[65536] = {};

Image::Image(uint32_t block_bytes, std::span<const uint8_t> bytes)
    : Image(block_bytes, static_cast<uint32_t>(bytes.size() / block_bytes)) {
  for (uint32_t block = 0; block < blocks(); ++block) {
    const uint8_t* from = &bytes[size_t{block} * block_bytes];
    if (std::memcmp(from, kZeros, block_bytes) != 0) std::memcpy(write(block), from, block_bytes);
  }
}

uint8_t* Image::make(uint32_t block) {
  if (made_ % kChunk == 0) {
    chunks_.push_back(std::make_unique<uint8_t[]>(size_t{kChunk} * block_bytes_));
  }
  places_[block] = made_++;
  return place(places_[block]);
}

std::vector<uint8_t> Image::bytes() const {
  std::vector<uint8_t> all(size());
  each([&](uint32_t block, std::span<const uint8_t> from) {
    std::copy(from.begin(), from.end(), all.begin() + int64_t{block} * block_bytes_);
  });
  return all;
}

void Image::copy(uint64_t offset, std::span<uint8_t> out) const {
  for (size_t done = 0; done < out.size();) {
    const uint64_t at = offset + done;
    const auto inside = static_cast<size_t>(at % block_bytes_);
    const size_t take = std::min(out.size() - done, block_bytes_ - inside);
    std::memcpy(&out[done], read(static_cast<uint32_t>(at / block_bytes_)) + inside, take);
    done += take;
  }
}

} // namespace kiln::gen::ext2
