#include "kernel-src/boot/multiboot2.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/enum_text.h"

namespace clay {
namespace {

// Multiboot2 Specification 2.0, section 3.6.
enum TagType : uint32_t {
  kEnd = 0,
  kCommandLine = 1,
  kLoaderName = 2,
  kModule = 3,
  kBasicMemory = 4,
  kBootDevice = 5,
  kMemoryMap = 6,
  kVbe = 7,
  kFramebuffer = 8,
  kElfSections = 9,
  kApm = 10,
  kEfi32 = 11,
  kEfi64 = 12,
  kSmbios = 13,
  kAcpiOld = 14,
  kAcpiNew = 15,
  kNetwork = 16,
  kEfiMap = 17,
  kEfiRuns = 18,
  kEfi32Image = 19,
  kEfi64Image = 20,
  kLoadBase = 21,
};
constexpr uint32_t kTagTypes = 22;

constexpr size_t kBlockHeader = 8; // total_size, reserved
constexpr size_t kTagHeader = 8;   // type, size
constexpr size_t kTagAlign = 8;

// ACPI Specification 6.5, section 5.2.5.3: the first 20 bytes are all of revision 0.
constexpr size_t kRsdpOld = 20;
constexpr size_t kRsdpNew = 36;

} // namespace

const char* multiboot_oddity_text(MultibootOddity oddity) {
  static constexpr const char* kTexts[] = {CLAY_MULTIBOOT_ODDITIES(CLAY_TEXT_OF)};
  return text_of(kTexts, oddity);
}

Result<MultibootInfo::Tag> MultibootInfo::next_tag(ByteReader& block) {
  const uint32_t type = CLAY_TRY(block.le32());
  const uint32_t size = CLAY_TRY(block.le32());
  if (size < kTagHeader) {
    return Error::kCorrupt;
  }
  const ByteReader body = CLAY_TRY(block.sub(size - kTagHeader));
  if (type != kEnd) { // nothing has to follow the end tag, not even what would align it
    CLAY_TRY(block.align(kTagAlign));
  }
  return Tag{type, body};
}

/// All up to the end tag; kCorrupt when they do not lead there.
template <typename Take> Result<void> MultibootInfo::for_each_tag(Bytes block, Take take) {
  ByteReader tags(block.from(kBlockHeader));
  for (;;) {
    const Result<Tag> tag = next_tag(tags);
    if (!tag.ok()) {
      return Error::kCorrupt;
    }
    if (tag.value().type == kEnd) {
      return {};
    }
    take(tag.value());
  }
}

Result<void> MultibootInfo::read(Bytes bytes, MemoryMap& map) {
  const uint32_t total = CLAY_TRY(ByteReader(bytes).le32());
  if (total > bytes.size()) {
    return Error::kTruncated;
  }
  if (total < kBlockHeader) {
    return Error::kCorrupt;
  }
  // Once through without a look inside: a block that is refused has changed nothing, and the tag
  // that says whether boot services still run may stand behind the map that it concerns.
  bool services_run = false;
  CLAY_TRY(for_each_tag(bytes.first(total),
                        [&](const Tag& tag) { services_run |= tag.type == kEfiRuns; }));
  boot_services_run_ = services_run;
  return for_each_tag(bytes.first(total), [&](const Tag& tag) { read_tag(tag, map); });
}

/// Whether this is the first tag of a kind that stands once.
bool MultibootInfo::is_first(uint32_t type) {
  const bool again = (seen_ >> type & 1) != 0;
  seen_ |= uint32_t{1} << type;
  if (again) {
    note(MultibootOddity::kTwice);
  }
  return !again;
}

void MultibootInfo::read_tag(const Tag& tag, MemoryMap& map) {
  if (tag.type >= kTagTypes) {
    return note(MultibootOddity::kUnknownTag);
  }
  if (tag.type == kModule) {
    return read_module(tag.body);
  }
  if (!is_first(tag.type)) {
    return;
  }
  switch (tag.type) {
  case kCommandLine:
    return read_text(tag.body, command_line_);
  case kLoaderName:
    return read_text(tag.body, loader_);
  case kMemoryMap:
    return read_memory_map(tag.body, map);
  case kEfiMap:
    return read_efi_map(tag.body, map);
  case kFramebuffer:
    return read_framebuffer(tag.body);
  case kAcpiOld:
    return read_rsdp(tag.body, kRsdpOld);
  case kAcpiNew:
    return read_rsdp(tag.body, kRsdpNew);
  case kEfi32:
  case kEfi64:
    return read_system_table(tag.body, tag.type == kEfi64);
  default: // known, and nothing that the kernel needs
    return;
  }
}

template <size_t most> void MultibootInfo::read_text(ByteReader body, BoundedText<most>& out) {
  const Result<StringView> text = body.c_string();
  if (!text.ok()) {
    return note(MultibootOddity::kTextOpen);
  }
  if (!out.set_words(text.value())) {
    note(MultibootOddity::kTextCut);
  }
}

void MultibootInfo::read_module(ByteReader body) {
  const Result<uint32_t> start = body.le32();
  const Result<uint32_t> end = body.le32();
  if (!start.ok() || !end.ok()) {
    return note(MultibootOddity::kTagShort);
  }
  if (start.value() >= end.value()) {
    return note(MultibootOddity::kModuleEnds);
  }
  Module module{start.value(), end.value() - 1, {}};
  read_text(body, module.name);
  if (!modules_.add(module)) {
    note(MultibootOddity::kModulesFull);
  }
}

void MultibootInfo::read_memory_map(ByteReader body, MemoryMap& map) {
  const Result<uint32_t> stride = body.le32();
  const Result<uint32_t> version = body.le32();
  if (!stride.ok() || !version.ok()) {
    return note(MultibootOddity::kTagShort);
  }
  if (!read_multiboot_map(body.rest(), stride.value(), map, map_report_).ok()) {
    note(MultibootOddity::kMapStride);
  }
}

void MultibootInfo::read_efi_map(ByteReader body, MemoryMap& map) {
  const Result<uint32_t> stride = body.le32();
  const Result<uint32_t> version = body.le32();
  if (!stride.ok() || !version.ok()) {
    return note(MultibootOddity::kTagShort);
  }
  if (boot_services_run_) { // they go on allocating
    return note(MultibootOddity::kMapNotFinal);
  }
  if (!read_uefi_map(body.rest(), stride.value(), map, map_report_).ok()) {
    note(MultibootOddity::kMapStride);
  }
}

void MultibootInfo::read_framebuffer(ByteReader body) {
  Framebuffer read;
  const auto fill = [&]() -> Result<void> {
    read.address = CLAY_TRY(body.le64());
    read.pitch = CLAY_TRY(body.le32());
    read.width = CLAY_TRY(body.le32());
    read.height = CLAY_TRY(body.le32());
    read.bits = CLAY_TRY(body.u8());
    read.type = CLAY_TRY(body.u8());
    return {};
  };
  if (!fill().ok()) {
    return note(MultibootOddity::kTagShort);
  }
  framebuffer_ = read;
}

void MultibootInfo::read_rsdp(ByteReader body, size_t size) {
  if (body.remaining() < size) {
    return note(MultibootOddity::kTagShort);
  }
  if (size > rsdp_size_) {
    memcpy(rsdp_, body.rest().data(), size);
    rsdp_size_ = size;
  }
}

/// The 64-bit one counts where both came.
void MultibootInfo::read_system_table(ByteReader body, bool wide) {
  const auto read = [&]() -> Result<uint64_t> {
    return wide ? CLAY_TRY(body.le64()) : uint64_t{CLAY_TRY(body.le32())};
  };
  const Result<uint64_t> address = read();
  if (!address.ok()) {
    return note(MultibootOddity::kTagShort);
  }
  if (wide || !has_wide_table_) {
    efi_system_table_ = address.value();
    has_wide_table_ = wide;
  }
}

} // namespace clay
