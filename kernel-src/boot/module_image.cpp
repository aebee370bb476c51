#include "kernel-src/boot/module_image.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/hal/icache.h"
#include "kernel-src/lib/checked.h"

namespace clay::elf {

Image::~Image() {
  for (const Part& part : segments_.all()) {
    if (mapped_) {
      // Pages of 4 KiB are never split, so that no memory is needed.
      const Result<> unmapped =
          memory_.table.unmap(part.first_page() * kPageBytes, part.pages() * kPageBytes);
      CLAY_ASSERT(unmapped.ok());
    }
  }
  while (count_ != 0) {
    memory_.pages.free(*pages_[--count_]);
  }
  memory_.heap.free(pages_);
}

// --- Making it

/// The next page: what the segment has for it, and zeros.
bool Image::take_page(const Part& part, uint64_t index) {
  PageFrame* const frame = memory_.pages.allocate();
  if (frame == nullptr) {
    return false;
  }
  pages_[count_++] = frame;
  uint8_t* const page = memory_.pages.pages().address_of(*frame);
  const Segment::Part content = part.part_of_page(index);
  memset(page, 0, kPageBytes);
  if (!content.bytes.empty()) {
    memcpy(page + content.offset, content.bytes.data(), content.bytes.size());
  }
  return true;
}

bool Image::fill(const Layout& layout, uint64_t bias) {
  bias_ = bias;
  pages_ = static_cast<PageFrame**>(memory_.heap.allocate(layout.pages() * sizeof(PageFrame*)));
  if (pages_ == nullptr) {
    return false;
  }
  for (const Segment& segment : layout.segments.all()) {
    Part part{segment, count_};
    part.address = wrapping_add(segment.address, bias);
    for (uint64_t index = 0; index < part.pages(); ++index) {
      if (!take_page(part, index)) {
        return false;
      }
    }
    part.content = {}; // the file may go
    static_cast<void>(segments_.add(part));
  }
  CLAY_ASSERT(count_ == layout.pages());
  return true;
}

bool Image::map_page(uint64_t page, const PageFrame& frame, const PageRights& rights) {
  const uint64_t physical = memory_.pages.pages().number_of(frame) * kPageBytes;
  const Result<> mapped = memory_.table.map(page * kPageBytes, physical, kPageBytes, rights);
  CLAY_ASSERT(mapped.ok() || mapped.error() == Error::kNoMemory); // the addresses are ours alone
  return mapped.ok();
}

bool Image::map(const Layout& layout) {
  mapped_ = true;
  for (size_t n = 0; n < segments_.size(); ++n) {
    const Part& part = segments_[n];
    const Segment& segment = layout.segments[n];
    for (uint64_t i = 0; i < part.pages(); ++i) {
      const PageRights rights = layout.rights_of(segment, segment.first_page() + i);
      if (!map_page(part.first_page() + i, *pages_[part.first + i], rights)) {
        return false;
      }
    }
    if (part.rights.execute) {
      hal_icache_sync(part.first_page() * kPageBytes, part.pages() * kPageBytes);
    }
  }
  return true;
}

// --- Its contents

const Image::Part* Image::segment_of(uint64_t address) const {
  for (const Part& part : segments_.all()) {
    if (part.holds(address, 1)) {
      return &part;
    }
  }
  return nullptr;
}

uint8_t* Image::byte(const Part& part, uint64_t address) const {
  const PageFrame& frame = *pages_[part.first + (address / kPageBytes - part.first_page())];
  return memory_.pages.pages().address_of(frame) + address % kPageBytes;
}

bool Image::is_executable(uint64_t address) const {
  const Part* const part = segment_of(address);
  return part != nullptr && part->rights.execute;
}

Result<uint8_t> Image::byte_at(uint64_t address) const {
  const Part* const part = segment_of(address);
  return part != nullptr ? Result<uint8_t>(*byte(*part, address)) : Error::kOutOfRange;
}

void Image::read(uint64_t address, MutableBytes out) const {
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = byte_at(address + i).value();
  }
}

/// Byte by byte: a word may lie across two pages, which have nothing to do with each other.
void Image::write(uint64_t address, Bytes bytes) {
  const Part* const part = segment_of(address);
  CLAY_ASSERT(part != nullptr && part->holds(address, bytes.size()));
  for (size_t i = 0; i < bytes.size(); ++i) {
    *byte(*part, address + i) = bytes[i];
  }
}

} // namespace clay::elf
