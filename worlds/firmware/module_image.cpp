#include "worlds/firmware/module_image.h"

#include <algorithm>

#include "worlds/firmware/numbers.h"

namespace kiln::worlds {
namespace {

using Wide = unsigned __int128;

/// Whether a segment holds the byte at an address, both as the file has them.
bool in_segment(const ModuleFile::Segment& s, uint64_t address) {
  return address >= s.address && address - s.address < s.bytes;
}

/// The page of one segment at `page` (in the file's addresses).
ModuleImage::Page make_page(std::span<const uint8_t> bytes, const ModuleFile& file,
                            const ModuleFile::Segment& s, uint64_t page) {
  ModuleImage::Page out{page, s.write, s.execute, {}};
  const Wide first = std::max<Wide>(page, s.address);
  const Wide end = std::min<Wide>(Wide{page} + 4096, Wide{s.address} + s.in_file);
  if (first < end) {
    const auto from = bytes.begin() + static_cast<ptrdiff_t>(s.offset + (first - s.address));
    std::copy_n(from, static_cast<size_t>(end - first), out.bytes.begin() + (first - page));
  }
  // Only pages that are filled to their end stop being written.
  if (file.has_relro && page + 4095 >= file.relro_address &&
      Wide{page} + 4096 <= Wide{file.relro_address} + file.relro_bytes) {
    out.write = false;
  }
  return out;
}

void put_word(ModuleImage& image, uint64_t address, uint64_t word) {
  for (unsigned i = 0; i < 8; ++i) {
    for (ModuleImage::Page& page : image.pages) {
      if (page.address == ((address + i) & ~uint64_t{4095})) {
        page.bytes[(address + i) & 4095] = static_cast<uint8_t>(word >> (8 * i));
      }
    }
  }
}

/// AMD64 psABI, table 4.9: word64 S + A; GLOB_DAT and JUMP_SLOT S; RELATIVE B + A.
uint64_t word_amd64(const ModuleFile::Relocation& r, uint64_t symbol, uint64_t bias) {
  switch (r.type) {
  case 1:
    return symbol + r.addend;
  case 6:
  case 7:
    return symbol;
  default:
    return bias + r.addend;
  }
}

/// ELF for the Arm 64-bit Architecture, 5.7.12: S + A, but for RELATIVE, which is Delta + A.
uint64_t word_arm64(const ModuleFile::Relocation& r, uint64_t symbol, uint64_t bias) {
  return (r.type == 1027 ? bias : symbol) + r.addend;
}

uint64_t word_in(const ModuleImage& image, uint64_t address) {
  std::array<uint8_t, 8> bytes{}; // over two pages, it may be
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = image.page_of(address + i)->bytes[(address + i) & 4095];
  }
  return number(bytes, 0, bytes.size());
}

} // namespace

const ModuleImage::Page* ModuleImage::page_of(uint64_t address) const {
  const auto found = std::find_if(pages.begin(), pages.end(), [address](const Page& page) {
    return page.address == (address & ~uint64_t{4095});
  });
  return found == pages.end() ? nullptr : &*found;
}

uint64_t module_symbol_value(const ModuleFile::Symbol& symbol, const ModuleExports& exports,
                             uint64_t bias) {
  if (symbol.section == 0) {
    const auto found = exports.find(symbol.name);
    return found == exports.end() ? 0 : found->second;
  }
  return symbol.section == 0xFFF1 ? symbol.value : symbol.value + bias;
}

ModuleImage load_module(std::span<const uint8_t> bytes, const ModuleFile& file,
                        const ModuleRules& rules, const ModuleExports& exports, uint64_t address) {
  ModuleImage image;
  image.bias = address - (file.first_page() << 12);
  for (const ModuleFile::Segment& s : file.segments) {
    const uint64_t last = (s.address + (s.bytes - 1)) >> 12;
    for (uint64_t page = s.address >> 12; page <= last; ++page) {
      image.pages.push_back(make_page(bytes, file, s, page << 12));
      image.pages.back().address += image.bias;
    }
  }
  for (const ModuleFile::Relocation& r : file.relocations) {
    const uint64_t symbol =
        r.symbol == 0 ? 0 : module_symbol_value(file.symbols[r.symbol], exports, image.bias);
    put_word(image, r.place + image.bias,
             rules.machine == 62 ? word_amd64(r, symbol, image.bias)
                                 : word_arm64(r, symbol, image.bias));
  }
  return image;
}

ModuleSelf read_self(const ModuleFile& file, const ModuleImage& image, const ModuleRules& rules) {
  ModuleSelf self;
  const uint64_t at = file.symbols[file.descriptor].value + image.bias;
  if (word_in(image, at) != 1) {
    self.faults.insert(ModuleFault::kBadDescriptor);
  }
  self.init = word_in(image, at + 16);
  self.exit = word_in(image, at + 24);
  for (const uint64_t entry : {self.init, self.exit}) {
    const auto holds = [&](const ModuleFile::Segment& s) {
      return s.execute && in_segment(s, entry - image.bias);
    };
    if (entry != 0 && std::none_of(file.segments.begin(), file.segments.end(), holds)) {
      self.faults.insert(ModuleFault::kBadEntry);
    }
  }
  bool ended = false;
  for (uint64_t p = word_in(image, at + 8); self.name.size() <= rules.longest_name && !ended; ++p) {
    if (file.segment_of(p - image.bias, 1) == nullptr) {
      break;
    }
    const char c = static_cast<char>(image.page_of(p)->bytes[p & 4095]);
    ended = c == 0;
    self.name += ended ? "" : std::string(1, c);
  }
  if (!ended || self.name.empty()) {
    self.faults.insert(ModuleFault::kBadName);
  }
  return self;
}

} // namespace kiln::worlds
