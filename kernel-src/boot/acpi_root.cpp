#include "kernel-src/boot/acpi_root.h"

#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/physical_bytes.h"
#include "kernel-src/lib/checksum.h"
#include "kernel-src/lib/endian.h"

namespace clay {
namespace {

// ACPI Specification 6.5, section 5.2.5.3 ("Root System Description Pointer Structure").
constexpr uint8_t kSignature[] = {'R', 'S', 'D', ' ', 'P', 'T', 'R', ' '};
constexpr size_t kOldBytes = 20; ///< all of ACPI 1.0, and what the first checksum is over
constexpr size_t kNewBytes = 36;
constexpr size_t kRevision = 15;
constexpr size_t kRsdt = 16;
constexpr size_t kLength = 20;
constexpr size_t kXsdt = 24;
constexpr uint8_t kWithXsdt = 2; ///< from this revision on

// Section 5.2.5.1 ("Finding the RSDP on IA-PC Systems").
constexpr size_t kStep = 16;
constexpr size_t kEbdaBytes = 1024;
constexpr uint64_t kBiosArea = 0xE0000;
constexpr size_t kBiosBytes = 0x20000;
// The BIOS data area: a word with the segment of the extended one, which the BIOS takes off the end
// of conventional memory.
constexpr uint64_t kEbdaSegment = 0x40E;
constexpr uint64_t kDataAreaEnd = 0x500;
constexpr uint64_t kConventionalEnd = 0xA0000;

/// Of eight bytes, compared as a number: a search looks at thousands of places.
bool has_signature(Bytes bytes) {
  return load_le<uint64_t>(bytes.data()) == load_le<uint64_t>(kSignature);
}

class Search {
 public:
  Search(PhysicalWindow& window, AcpiReport& report) : window_(window), report_(report) {}

  Result<AcpiRoot> all(const AcpiRootHint& hint) {
    Result<AcpiRoot> root = in_copy(hint.copy);
    if (!root.ok() && hint.physical != 0) {
      root = at(hint.physical);
    }
    if (!root.ok()) {
      root = in_ebda();
    }
    return root.ok() ? root : in_area(kBiosArea, kBiosBytes);
  }

 private:
  Result<AcpiRoot> refuse(AcpiOddity why) {
    report_.note(why);
    return Error::kNotFound;
  }

  /// `read(count)` gives the first `count` bytes, or refuses.
  template <typename Read> Result<AcpiRoot> judge(Read read) {
    const Bytes old = CLAY_TRY(read(kOldBytes));
    if (!has_signature(old) || byte_sum(old.first(kOldBytes)) != 0) {
      return refuse(AcpiOddity::kRootSum);
    }
    AcpiRoot root{old[kRevision], load_le<uint32_t>(old.data() + kRsdt), 0};
    if (root.revision < kWithXsdt) {
      return root;
    }
    const Bytes first = CLAY_TRY(read(kNewBytes));
    const uint32_t length = load_le<uint32_t>(first.data() + kLength);
    if (length < kNewBytes || length > AcpiRoot::kBytesMax) {
      return refuse(AcpiOddity::kRootLength);
    }
    const Bytes whole = CLAY_TRY(read(length));
    if (byte_sum(whole.first(length)) != 0) {
      return refuse(AcpiOddity::kRootSum);
    }
    root.xsdt = load_le<uint64_t>(whole.data() + kXsdt);
    return root;
  }

  Result<AcpiRoot> in_copy(Bytes copy) {
    if (copy.empty()) {
      return Error::kNotFound;
    }
    return judge([&](size_t count) -> Result<Bytes> {
      if (count > copy.size()) {
        report_.note(AcpiOddity::kRootLength);
        return Error::kNotFound;
      }
      return copy;
    });
  }

  Result<AcpiRoot> at(uint64_t physical) {
    uint8_t buffer[AcpiRoot::kBytesMax];
    return judge([&](size_t count) -> Result<Bytes> {
      const MutableBytes out = MutableBytes(buffer).first(count);
      if (!fits_physical(physical, count)) {
        report_.note(AcpiOddity::kRootLength);
        return Error::kNotFound;
      }
      if (!PhysicalBytes(window_, physical, count).copy(0, out).ok()) {
        report_.note(AcpiOddity::kUnmapped);
        return Error::kNotFound;
      }
      return Bytes(out);
    });
  }

  Result<AcpiRoot> in_ebda() {
    uint8_t segment[2];
    if (!PhysicalBytes(window_, kEbdaSegment, sizeof segment).copy(0, segment).ok()) {
      return refuse(AcpiOddity::kUnmapped);
    }
    const uint64_t area = uint64_t{load_le<uint16_t>(segment)} << 4;
    if (area == 0) { // as on machines without a BIOS
      return Error::kNotFound;
    }
    if (area < kDataAreaEnd || area > kConventionalEnd - kEbdaBytes) {
      return refuse(AcpiOddity::kEbda);
    }
    return in_area(area, kEbdaBytes);
  }

  /// Of an area that is only partly reachable, the part that is.
  Result<AcpiRoot> in_area(uint64_t area, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
      const uint64_t into_page = (area + done) % PhysicalWindow::kPageBytes;
      const size_t rest = bytes - done;
      const size_t in_page = PhysicalWindow::kPageBytes - into_page;
      const size_t count = rest < in_page ? rest : in_page;
      const Result<AcpiRoot> root = in_page_at(area + done, count);
      if (root.ok()) {
        return root;
      }
      done += count;
    }
    return Error::kNotFound;
  }

  /// [page, page + bytes) lies in one page; both are multiples of kStep.
  Result<AcpiRoot> in_page_at(uint64_t page, size_t bytes) {
    const Result<Candidates> candidates = candidates_in(page, bytes);
    if (!candidates.ok()) {
      return refuse(AcpiOddity::kUnmapped);
    }
    for (const uint16_t offset : candidates.value().all()) {
      const Result<AcpiRoot> root = at(page + offset);
      if (root.ok()) {
        return root;
      }
    }
    return Error::kNotFound;
  }

  using Candidates = BoundedList<uint16_t, PhysicalWindow::kPageBytes / kStep>;

  /// Where signatures are. The page is let go before anybody looks closer, who may need the
  /// window's only slot.
  Result<Candidates> candidates_in(uint64_t page, size_t bytes) {
    Candidates candidates;
    const Bytes mapped = CLAY_TRY(window_.map(page, bytes));
    for (size_t offset = 0; offset < bytes; offset += kStep) {
      if (has_signature(mapped.from(offset))) {
        candidates.add(static_cast<uint16_t>(offset)); // there is room for all
      }
    }
    window_.unmap(mapped);
    return candidates;
  }

  PhysicalWindow& window_;
  AcpiReport& report_;
};

} // namespace

Result<AcpiRoot> find_acpi_root(PhysicalWindow& window, const AcpiRootHint& hint,
                                AcpiReport& report) {
  return Search(window, report).all(hint);
}

} // namespace clay
