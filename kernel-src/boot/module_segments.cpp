#include "kernel-src/boot/module_segments.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::elf {

// --- Segments

bool Segment::holds(uint64_t at, uint64_t size) const {
  return at >= address && range_within(at - address, size, bytes);
}

Segment::Part Segment::part_of_page(uint64_t index) const {
  const size_t lead = static_cast<size_t>(address % kPageBytes);
  const uint64_t begin = index * kPageBytes; // counted from the start of the first page
  if (begin >= lead + content.size()) {
    return {};
  }
  const size_t offset = index == 0 ? lead : 0;
  const Bytes rest = content.from(static_cast<size_t>(begin + offset - lead));
  const size_t room = kPageBytes - offset;
  return {offset, rest.size() < room ? rest : rest.first(room)};
}

uint64_t Layout::span_pages() const { return segments.all().back().last_page() - first_page() + 1; }

uint64_t Layout::pages() const {
  uint64_t pages = 0;
  for (const Segment& segment : segments.all()) {
    pages += segment.pages();
  }
  return pages;
}

const Segment* Layout::segment_of(uint64_t address, uint64_t size) const {
  for (const Segment& segment : segments.all()) {
    if (segment.holds(address, size)) {
      return &segment;
    }
  }
  return nullptr;
}

Result<Bytes> Layout::content_from(uint64_t address) const {
  for (const Segment& segment : segments.all()) {
    if (address >= segment.address && address - segment.address < segment.content.size()) {
      return segment.content.from(static_cast<size_t>(address - segment.address));
    }
  }
  return Error::kOutOfRange;
}

Result<Bytes> Layout::content(uint64_t address, uint64_t size) const {
  return CLAY_TRY(content_from(address)).slice(0, size);
}

PageRights Layout::rights_of(const Segment& segment, uint64_t page) const {
  PageRights rights = segment.rights;
  // As the GNU tools have it: from the page in which it begins to the last that it fills.
  const uint64_t first = relro.address / kPageBytes;
  const uint64_t filled = (relro.address % kPageBytes + relro.bytes) / kPageBytes;
  const bool sealed = relro.present && page >= first && page - first < filled;
  rights.write = rights.write && !sealed;
  return rights;
}

namespace {

// --- The ELF header

Refused check_ident(Bytes file, Machine machine) {
  if (memcmp(file.data(), kMagic, sizeof kMagic) != 0) {
    return {Refusal::kMagic};
  }
  if (file[kClassAt] != kClass64) {
    return {Refusal::kClass};
  }
  if (file[kByteOrderAt] != kLittleEndian) {
    return {Refusal::kByteOrder};
  }
  if (file[kIdentVersionAt] != kCurrentVersion ||
      load_le<uint32_t>(&file[kVersionAt]) != kCurrentVersion) {
    return {Refusal::kVersion};
  }
  if (file[kAbiAt] != kAbiSystemV && file[kAbiAt] != kAbiGnu) {
    return {Refusal::kAbi};
  }
  if (load_le<uint16_t>(&file[kTypeAt]) != kSharedObject) {
    return {Refusal::kType};
  }
  if (load_le<uint16_t>(&file[kMachineAt]) != static_cast<uint16_t>(machine)) {
    return {Refusal::kMachine};
  }
  return {};
}

/// The program headers, and how far they lie apart.
struct ProgramHeaders {
  uint64_t offset = 0;
  size_t stride = 0;
  size_t count = 0;
};

Refused find_program_headers(Bytes file, ProgramHeaders& out) {
  out.offset = load_le<uint64_t>(&file[kProgramOffsetAt]);
  out.stride = load_le<uint16_t>(&file[kProgramSizeAt]);
  out.count = load_le<uint16_t>(&file[kProgramCountAt]);
  if (load_le<uint16_t>(&file[kHeaderSizeAt]) < kHeaderBytes || out.stride < kProgramBytes) {
    return {Refusal::kHeaderSize};
  }
  const bool whole = range_within<uint64_t>(out.offset, out.stride * out.count, file.size());
  if (out.count == 0 || out.count == kCountElsewhere || !whole) {
    return {Refusal::kProgramHeaders};
  }
  return {};
}

// --- Program headers

uint64_t field(Bytes header, ProgramField at) { return load_le<uint64_t>(&header[at]); }

/// What each segment must be by itself.
Refusal check_segment(Bytes file, Bytes header, uint32_t flags) {
  const uint64_t offset = field(header, kFileOffsetAt);
  const uint64_t address = field(header, kAddressAt);
  const uint64_t bytes = field(header, kMemorySizeAt);
  const uint64_t align = field(header, kAlignAt);
  if (!range_within<uint64_t>(offset, field(header, kFileSizeAt), file.size())) {
    return Refusal::kSegmentFile;
  }
  if (field(header, kFileSizeAt) > bytes) {
    return Refusal::kSegmentSizes;
  }
  if (bytes != 0 && !checked_add(address, bytes - 1).ok()) {
    return Refusal::kSegmentAddress;
  }
  if (align != 0 && (!is_power_of_two(align) || align > kMostAlign)) {
    return Refusal::kAlignment; // 0 and 1: none is asked for
  }
  const uint64_t unit = align < kPageBytes ? kPageBytes : align;
  if (address % unit != offset % unit) {
    return Refusal::kCongruence;
  }
  if ((flags & kWrite) != 0 && (flags & kExecute) != 0) {
    return Refusal::kWriteExecute;
  }
  return (flags & (kRead | kWrite | kExecute)) == 0 ? Refusal::kNoRights : Refusal::kNone;
}

/// Where it must lie behind those before it.
Refusal check_order(const Segment& segment, Span<const Segment> before) {
  if (before.size() == kMostSegments) {
    return Refusal::kTooManySegments;
  }
  if (before.empty()) {
    return Refusal::kNone;
  }
  if (segment.address < before.back().address) {
    return Refusal::kSegmentOrder;
  }
  return segment.first_page() <= before.back().last_page() ? Refusal::kSegmentOverlap
                                                           : Refusal::kNone;
}

Refusal add_segment(Bytes header, Layout& out) {
  const uint32_t flags = load_le<uint32_t>(&header[kProgramFlagsAt]);
  const Refusal refusal = check_segment(out.file, header, flags);
  if (refusal != Refusal::kNone || field(header, kMemorySizeAt) == 0) {
    return refusal;
  }
  Segment segment;
  segment.address = field(header, kAddressAt);
  segment.bytes = field(header, kMemorySizeAt);
  segment.content = out.file.subspan(field(header, kFileOffsetAt), field(header, kFileSizeAt));
  segment.rights.write = (flags & kWrite) != 0;
  segment.rights.execute = (flags & kExecute) != 0;
  const Refusal misplaced = check_order(segment, out.segments.all());
  if (misplaced == Refusal::kNone) {
    static_cast<void>(out.segments.add(segment));
    const uint64_t align = field(header, kAlignAt);
    out.align = align > out.align ? align : out.align;
  }
  return misplaced;
}

Refusal set_part(Bytes header, uint64_t at, ProgramPart& part, Refusal twice) {
  if (part.present) {
    return twice;
  }
  part = {true,
          at,
          field(header, kAddressAt),
          field(header, kFileOffsetAt),
          field(header, kFileSizeAt),
          field(header, kMemorySizeAt)};
  return Refusal::kNone;
}

Refusal read_program_header(Bytes header, uint64_t at, Layout& out) {
  switch (load_le<uint32_t>(&header[kProgramTypeAt])) {
  case kLoad:
    return add_segment(header, out);
  case kDynamic:
    return set_part(header, at, out.dynamic, Refusal::kDynamicPlace);
  case kGnuRelro:
    return set_part(header, at, out.relro, Refusal::kRelro);
  case kThreadLocalStorage:
    return Refusal::kThreadLocal;
  default: // a note, a stack that a module does not have ...
    return Refusal::kNone;
  }
}

/// It may end with the last page of its segment, which linkers fill up.
bool is_relro_sound(const Layout& layout) {
  const ProgramPart& relro = layout.relro;
  const Segment* const segment = layout.segment_of(relro.address, 1);
  if (segment == nullptr || !segment->rights.write) {
    return false;
  }
  const uint64_t last = segment->last_page() * kPageBytes + (kPageBytes - 1);
  return relro.bytes == 0 || relro.bytes - 1 <= last - relro.address;
}

} // namespace

Refused read_layout(Bytes file, Machine machine, Layout& out) {
  out.file = file;
  if (file.size() < kHeaderBytes) {
    return {Refusal::kShort};
  }
  if (const Refused why = check_ident(file, machine)) {
    return why;
  }
  ProgramHeaders headers;
  if (const Refused why = find_program_headers(file, headers)) {
    return why;
  }
  for (size_t i = 0; i < headers.count; ++i) {
    const uint64_t at = headers.offset + i * headers.stride;
    const Refusal refusal = read_program_header(file.subspan(at, kProgramBytes), at, out);
    if (refusal != Refusal::kNone) {
      return {refusal, at};
    }
  }
  if (out.segments.size() == 0) {
    return {Refusal::kNoSegments};
  }
  if (out.relro.present && !is_relro_sound(out)) {
    return {Refusal::kRelro, out.relro.at};
  }
  return out.dynamic.present ? Refused{} : Refused{Refusal::kDynamicPlace};
}

} // namespace clay::elf
