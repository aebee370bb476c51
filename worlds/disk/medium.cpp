#include "worlds/disk/medium.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

namespace kiln::worlds {
namespace {

constexpr uint32_t kPageBytes = 4096;
constexpr uint32_t kLargestSector = 65536;
/// A table of them all is cheap to copy up to here.
constexpr uint64_t kNearPages = 1024;
constexpr uint32_t kMostPageSectors = 8;
constexpr uint8_t kSpoilt = 0xBD;

alignas(64) const uint8_t kZeros[kLargestSector] = {};

#define KILN_UNCHECKED __attribute__((no_sanitize("address", "undefined")))

KILN_UNCHECKED inline uint64_t fold(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t kSalt[4] = {0x2D358DCCAA6C78A5, 0x8BB84B93962EACC9, 0x4B33A62ED433D4A3,
                               0x4D5A2DA51DE1AA47};

/// 0 for no contents.
KILN_UNCHECKED uint64_t contents_hash(const uint8_t* bytes, size_t size) {
  uint64_t lanes[2] = {kSalt[2], kSalt[3]};
  uint64_t words[4];
  size_t at = 0;
  for (; at + sizeof(words) <= size; at += sizeof(words)) {
    __builtin_memcpy(words, bytes + at, sizeof(words));
    lanes[0] = fold(words[0] ^ kSalt[0], words[1] ^ lanes[0]);
    lanes[1] = fold(words[2] ^ kSalt[1], words[3] ^ lanes[1]);
  }
  for (; at + 4 <= size; at += 4) {
    uint32_t word;
    __builtin_memcpy(&word, bytes + at, 4);
    lanes[0] = fold(lanes[0] ^ word, kSalt[1]);
  }
  return fold(lanes[0] ^ kSalt[1], lanes[1] ^ kSalt[0]) | 1;
}

KILN_UNCHECKED void copy_inside(uint8_t* to, const uint8_t* from, size_t size) {
  size_t at = 0;
  for (; at + 64 <= size; at += 64) {
    __builtin_memcpy_inline(to + at, from + at, 64);
  }
  for (; at < size; ++at) {
    to[at] = from[at];
  }
}

uint64_t place(uint64_t sector, uint64_t contents) {
  return fold(sector ^ kSalt[3], contents ^ kSalt[2]);
}

} // namespace

struct Medium::Page {
  uint64_t references;
  uint64_t hashes[kMostPageSectors]; ///< of the contents of each sector; 0: not known
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this + 1); }
};

uint64_t Medium::hash_of(uint64_t sector, const uint8_t* bytes, uint32_t sector_bytes) {
  return place(sector, contents_hash(bytes, sector_bytes));
}

uint64_t Medium::hash_of_spoilt(uint64_t sector) { return place(sector, kSpoilt); }

uint64_t Medium::contents_hash_at(uint64_t sector) const {
  const Slot* slot = find(sector >> page_shift_);
  if (slot == nullptr || slot->page == nullptr) return contents_hash(at(sector), sector_bytes_);
  uint64_t& known = slot->page->hashes[sector & (page_sectors_ - 1)];
  if (known == 0) known = contents_hash(at(sector), sector_bytes_);
  return known;
}

uint64_t Medium::hash_at(uint64_t sector) const {
  return readable(sector) ? place(sector, contents_hash_at(sector)) : hash_of_spoilt(sector);
}

Medium::Medium(uint64_t sectors, uint32_t sector_bytes)
    : sectors_(sectors), sector_bytes_(sector_bytes),
      page_sectors_(std::bit_floor(std::clamp(kPageBytes / sector_bytes, 1u, kMostPageSectors))),
      page_shift_(static_cast<unsigned>(std::countr_zero(page_sectors_))) {
  const uint64_t pages = (sectors >> page_shift_) + ((sectors & (page_sectors_ - 1)) != 0 ? 1 : 0);
  if (pages <= kNearPages) near_.resize(static_cast<size_t>(pages));
}

Medium::Medium(const Medium& other)
    : sectors_(other.sectors_), sector_bytes_(other.sector_bytes_),
      page_sectors_(other.page_sectors_), page_shift_(other.page_shift_), hash_(other.hash_),
      near_(other.near_), far_(other.far_), bad_(other.bad_) {
  for (const Slot& slot : near_) {
    take(slot);
  }
  for (const Far& far : far_) {
    take(far.slot);
  }
}

Medium::Medium(Medium&& other) noexcept
    : sectors_(other.sectors_), sector_bytes_(other.sector_bytes_),
      page_sectors_(other.page_sectors_), page_shift_(other.page_shift_), hash_(other.hash_),
      near_(std::exchange(other.near_, {})), far_(std::exchange(other.far_, {})),
      bad_(std::exchange(other.bad_, {})) {
  other.sectors_ = 0;
}

Medium& Medium::operator=(const Medium& other) {
  if (this != &other) *this = Medium(other);
  return *this;
}

Medium& Medium::operator=(Medium&& other) noexcept {
  if (this == &other) return *this;
  drop_all();
  sectors_ = std::exchange(other.sectors_, 0);
  sector_bytes_ = other.sector_bytes_;
  page_sectors_ = other.page_sectors_;
  page_shift_ = other.page_shift_;
  hash_ = other.hash_;
  near_ = std::exchange(other.near_, {});
  far_ = std::exchange(other.far_, {});
  bad_ = std::exchange(other.bad_, {});
  return *this;
}

Medium::~Medium() { drop_all(); }

void Medium::take(const Slot& slot) {
  if (slot.page != nullptr) ++slot.page->references;
}

void Medium::drop(const Slot& slot) {
  if (slot.page != nullptr && --slot.page->references == 0) ::operator delete(slot.page);
}

void Medium::drop_all() {
  for (const Slot& slot : near_) {
    drop(slot);
  }
  for (const Far& far : far_) {
    drop(far.slot);
  }
}

const Medium::Slot* Medium::find(uint64_t index) const {
  if (!near_.empty()) return &near_[static_cast<size_t>(index)];
  const auto far = std::lower_bound(far_.begin(), far_.end(), index,
                                    [](const Far& it, uint64_t want) { return it.index < want; });
  return far == far_.end() || far->index != index ? nullptr : &far->slot;
}

Medium::Slot& Medium::make(uint64_t index) {
  if (!near_.empty()) return near_[static_cast<size_t>(index)];
  if (far_.empty() || far_.back().index < index) return far_.emplace_back(Far{index, {}}).slot;
  const auto far = std::lower_bound(far_.begin(), far_.end(), index,
                                    [](const Far& it, uint64_t want) { return it.index < want; });
  if (far->index == index) return far->slot;
  return far_.insert(far, Far{index, {}})->slot;
}

Medium::Slot& Medium::writable(uint64_t index) {
  Slot& slot = make(index);
  if (slot.page != nullptr && slot.page->references == 1) return slot;
  const size_t size = size_t{page_sectors_} * sector_bytes_;
  Page* page = new (::operator new(sizeof(Page) + size)) Page{1, {}};
  if (slot.page != nullptr) std::copy_n(slot.page->hashes, page_sectors_, page->hashes);
  if (slot.bytes != nullptr) {
    copy_inside(page->bytes(), slot.bytes, size);
  } else {
    std::memset(page->bytes(), 0, size);
  }
  drop(slot);
  slot = {page->bytes(), page};
  return slot;
}

const uint8_t* Medium::at(uint64_t sector) const {
  const Slot* slot = find(sector >> page_shift_);
  if (slot == nullptr || slot->bytes == nullptr) return kZeros;
  return slot->bytes + (sector & (page_sectors_ - 1)) * sector_bytes_;
}

void Medium::read(uint64_t sector, std::span<uint8_t> out) const {
  while (!out.empty()) {
    const Slot* slot = find(sector >> page_shift_);
    const uint64_t from = sector & (page_sectors_ - 1);
    const size_t size =
        std::min(out.size(), static_cast<size_t>(page_sectors_ - from) * sector_bytes_);
    if (slot == nullptr || slot->bytes == nullptr) {
      std::memset(out.data(), 0, size);
    } else {
      std::memcpy(out.data(), slot->bytes + from * sector_bytes_, size);
    }
    out = out.subspan(size);
    sector += page_sectors_ - from;
  }
}

// Where a sector's bytes go, with its hash seen to.
uint8_t* Medium::place_for(uint64_t sector, const uint8_t* bytes) {
  Slot& slot = writable(sector >> page_shift_);
  const uint64_t within = sector & (page_sectors_ - 1);
  const uint64_t contents = contents_hash(bytes, sector_bytes_);
  hash_ ^= hash_at(sector) ^ place(sector, contents);
  if (!bad_.empty()) heal(sector);
  slot.page->hashes[within] = contents;
  return slot.page->bytes() + within * sector_bytes_;
}

void Medium::write(uint64_t sector, std::span<const uint8_t> bytes) {
  for (size_t at = 0; at < bytes.size(); at += sector_bytes_, ++sector) {
    std::memcpy(place_for(sector, &bytes[at]), &bytes[at], sector_bytes_);
  }
}

void Medium::land(uint64_t sector, const uint8_t* bytes) {
  copy_inside(place_for(sector, bytes), bytes, sector_bytes_);
}

void Medium::preload(uint64_t sector, std::span<const uint8_t> bytes) {
  const uint64_t before = hash_;
  write(sector, bytes);
  hash_ = before;
}

void Medium::lend(std::span<const uint8_t> bytes) {
  const size_t page = size_t{page_sectors_} * sector_bytes_;
  size_t at = 0;
  for (; at + page <= bytes.size(); at += page) {
    Slot& slot = make(at / page);
    drop(slot);
    slot = {&bytes[at], nullptr};
  }
  if (at < bytes.size()) preload(at / sector_bytes_, bytes.subspan(at));
}

bool Medium::is_bad(uint64_t sector) const {
  return std::find(bad_.begin(), bad_.end(), sector) != bad_.end();
}

void Medium::heal(uint64_t sector) { std::erase(bad_, sector); }

void Medium::spoil(uint64_t sector) {
  if (!readable(sector)) return;
  hash_ ^= hash_at(sector) ^ hash_of_spoilt(sector);
  const std::vector<uint8_t> filling(sector_bytes_, kSpoilt);
  const uint64_t spoilt = hash_;
  write(sector, filling);
  hash_ = spoilt;
  bad_.insert(std::lower_bound(bad_.begin(), bad_.end(), sector), sector);
}

bool Medium::same_as(const Medium& other) const {
  if (sectors_ != other.sectors_ || sector_bytes_ != other.sector_bytes_ || bad_ != other.bad_) {
    return false;
  }
  const size_t size = size_t{page_sectors_} * sector_bytes_;
  const auto same = [&](uint64_t index) {
    const Slot* one = find(index);
    const Slot* two = other.find(index);
    const uint8_t* left = one == nullptr || one->bytes == nullptr ? nullptr : one->bytes;
    const uint8_t* right = two == nullptr || two->bytes == nullptr ? nullptr : two->bytes;
    if (left == right) return true;
    for (size_t at = 0; at < size; at += sector_bytes_) {
      if (std::memcmp(left == nullptr ? kZeros : left + at, right == nullptr ? kZeros : right + at,
                      sector_bytes_) != 0) {
        return false;
      }
    }
    return true;
  };
  for (uint64_t index = 0; index < near_.size(); ++index) {
    if (!same(index)) return false;
  }
  const auto far_same = [&](const Far& far) { return same(far.index); };
  return std::all_of(far_.begin(), far_.end(), far_same) &&
         std::all_of(other.far_.begin(), other.far_.end(), far_same);
}

Medium Medium::resized(uint64_t sectors, uint32_t sector_bytes) const {
  Medium out(sectors, sector_bytes);
  const auto move = [&](uint64_t index, const Slot& slot) {
    if (slot.bytes == nullptr) return;
    const size_t size = size_t{page_sectors_} * sector_bytes_;
    auto byte = static_cast<unsigned __int128>(index) * size;
    for (size_t at = 0; at < size;) {
      const unsigned __int128 sector = byte / sector_bytes;
      const auto within = static_cast<size_t>(byte % sector_bytes);
      const size_t count = std::min<size_t>(size - at, sector_bytes - within);
      if (sector < sectors) {
        const auto number = static_cast<uint64_t>(sector);
        Page& page = *out.writable(number >> out.page_shift_).page;
        uint8_t* to = page.bytes() + (number & (out.page_sectors_ - 1)) * sector_bytes;
        std::memcpy(to + within, slot.bytes + at, count);
      }
      at += count;
      byte += count;
    }
  };
  for (uint64_t index = 0; index < near_.size(); ++index) {
    move(index, near_[static_cast<size_t>(index)]);
  }
  for (const Far& far : far_) {
    move(far.index, far.slot);
  }
  if (sector_bytes == sector_bytes_) {
    std::copy_if(bad_.begin(), bad_.end(), std::back_inserter(out.bad_),
                 [sectors](uint64_t sector) { return sector < sectors; });
  }
  return out;
}

} // namespace kiln::worlds
