#include "kernel-src/boot/microcode.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/enum_text.h"
#include "kernel-src/lib/le_fields.h"

namespace clay {
namespace {

// Intel SDM volume 3A, section 10.11.1 ("Microcode Update").
constexpr size_t kHeaderBytes = 48;
constexpr uint32_t kHeaderVersion = 1;
constexpr uint32_t kLoaderVersion = 1;
constexpr uint32_t kOldDataBytes = 2000; ///< what a data size of 0 stands for
constexpr uint32_t kSizeUnit = 1024;     ///< total sizes are multiples of it
// Section 10.11.2 ("Optional Extended Signature Table").
constexpr size_t kTableHeaderBytes = 20;
constexpr size_t kTableEntryBytes = 12;

struct Header {
  uint32_t version;
  int32_t revision;
  uint32_t date;
  uint32_t signature;
  uint32_t sum;
  uint32_t loader;
  uint32_t flags;
  uint32_t data_bytes;
  uint32_t total_bytes;
};

Header read_header(const LeFields& fields) {
  Header header{
      .version = fields.u32(0),
      .revision = static_cast<int32_t>(fields.u32(4)),
      .date = fields.u32(8),
      .signature = fields.u32(12),
      .sum = fields.u32(16),
      .loader = fields.u32(20),
      .flags = fields.u32(24),
      .data_bytes = fields.u32(28),
      .total_bytes = fields.u32(32),
  };
  if (header.data_bytes == 0) {
    // As old updates are: 2000 bytes of data, 2048 in all, no table, whatever total_bytes says.
    header.data_bytes = kOldDataBytes;
    header.total_bytes = kOldDataBytes + kHeaderBytes;
  }
  return header;
}

/// Sum of little-endian 32-bit words; a whole number of them.
uint32_t word_sum(Bytes bytes) {
  uint32_t sum = 0;
  for (; !bytes.empty(); bytes = bytes.from(sizeof(uint32_t))) {
    sum = wrapping_add(sum, LeFields(bytes).u32(0));
  }
  return sum;
}

/// What concerns one signature: the header's own, or an entry of the table.
struct Wanted {
  uint32_t signature;
  uint32_t flags;
  bool is_for(const MicrocodeCpu& cpu) const {
    return signature == cpu.signature && (flags >> (cpu.platform & 7) & 1) != 0;
  }
};

/// The table's verdict; `fits` is set when one of its entries is for the CPU.
Result<void> check_table(Bytes table, const Header& header, const MicrocodeCpu& cpu, bool& fits,
                         MicrocodeReport& report) {
  const LeFields fields(table);
  if (!fields.cover(0, sizeof(uint32_t)) ||
      table.size() != kTableHeaderBytes + uint64_t{fields.u32(0)} * kTableEntryBytes) {
    report.note(MicrocodeOddity::kExtendedTable);
    return Error::kCorrupt;
  }
  if (word_sum(table) != 0) {
    report.note(MicrocodeOddity::kExtendedSum);
    return Error::kCorrupt;
  }
  const uint32_t own = wrapping_add(wrapping_add(header.signature, header.flags), header.sum);
  for (size_t at = kTableHeaderBytes; at < table.size(); at += kTableEntryBytes) {
    const Wanted entry{fields.u32(at), fields.u32(at + 4)};
    // The update with these three fields in the header's place must sum up to 0 as well.
    const uint32_t sum = fields.u32(at + 8);
    if (wrapping_add(wrapping_add(entry.signature, entry.flags), sum) != own) {
      report.note(MicrocodeOddity::kExtendedSum);
      return Error::kCorrupt;
    }
    fits |= entry.is_for(cpu);
  }
  return {};
}

/// kCorrupt: not sound. `whole` has total_bytes bytes.
Result<bool> fits_cpu(Bytes whole, const Header& header, const MicrocodeCpu& cpu,
                      MicrocodeReport& report) {
  if (header.version != kHeaderVersion || header.loader != kLoaderVersion) {
    report.note(MicrocodeOddity::kVersion);
    return Error::kCorrupt;
  }
  if (word_sum(whole.first(kHeaderBytes + header.data_bytes)) != 0) {
    report.note(MicrocodeOddity::kSum);
    return Error::kCorrupt;
  }
  bool fits = Wanted{header.signature, header.flags}.is_for(cpu);
  const Bytes table = whole.from(kHeaderBytes + header.data_bytes);
  if (!table.empty()) {
    CLAY_TRY(check_table(table, header, cpu, fits, report));
  }
  return fits;
}

/// Whether the sizes agree, so that the next update begins behind this one.
bool has_sound_sizes(const Header& header) {
  return header.total_bytes % kSizeUnit == 0 && header.data_bytes % sizeof(uint32_t) == 0 &&
         header.total_bytes >= kHeaderBytes &&
         header.data_bytes <= header.total_bytes - kHeaderBytes;
}

/// The header of the update that `rest` begins with; all of it is there.
Result<Header> open_update(Bytes rest, MicrocodeReport& report) {
  if (rest.size() < kHeaderBytes) {
    report.note(MicrocodeOddity::kOpenEnd);
    return Error::kTruncated;
  }
  const Header header = read_header(LeFields(rest));
  if (header.total_bytes > rest.size()) {
    report.note(MicrocodeOddity::kOpenEnd);
    return Error::kTruncated;
  }
  if (!has_sound_sizes(header)) {
    report.note(MicrocodeOddity::kSizes);
    return Error::kCorrupt;
  }
  return header;
}

} // namespace

const char* microcode_oddity_text(MicrocodeOddity oddity) {
  static constexpr const char* kTexts[] = {CLAY_MICROCODE_ODDITIES(CLAY_TEXT_OF)};
  return text_of(kTexts, oddity);
}

Result<MicrocodeUpdate> select_microcode(Bytes file, const MicrocodeCpu& cpu,
                                         MicrocodeReport& report) {
  Result<MicrocodeUpdate> best = Error::kNotFound;
  int32_t least = cpu.revision;
  Bytes rest = file;
  while (!rest.empty()) {
    const Result<Header> header = open_update(rest, report);
    if (!header.ok()) {
      break;
    }
    const Header& is = header.value();
    const Bytes whole = rest.first(is.total_bytes);
    rest = rest.from(is.total_bytes);
    const Result<bool> fits = fits_cpu(whole, is, cpu, report);
    report.updates += fits.ok() ? 1 : 0;
    if (fits.value_or(false) && is.revision > least) {
      least = is.revision;
      best =
          MicrocodeUpdate{whole, whole.subspan(kHeaderBytes, is.data_bytes), is.revision, is.date};
    }
  }
  return best;
}

} // namespace clay
