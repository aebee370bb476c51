#include "kernel-src/boot/acpi_entries.h"

#include "kernel-src/lib/endian.h"

namespace clay {

Result<bool> AcpiEntries::next() {
  begin_ = next_;
  const size_t room = to_ - begin_;
  const size_t head_bytes = form_ == AcpiEntryForm::kBytes ? 2 : 4;
  if (room < head_bytes) {
    report_.note_unless(room == 0, AcpiOddity::kTail);
    return false;
  }
  uint8_t head[4];
  CLAY_TRY(table_.copy(begin_, MutableBytes(head).first(head_bytes)));
  type_ = form_ == AcpiEntryForm::kWords ? load_le<uint16_t>(head) : head[0];
  const size_t length = form_ == AcpiEntryForm::kBytes ? head[1] : load_le<uint16_t>(head + 2);
  if (length < head_bytes || length > room) {
    report_.note(AcpiOddity::kEntryLength);
    return false;
  }
  next_ = begin_ + length;
  return true;
}

Result<LeFields> AcpiEntries::fixed(size_t count) {
  if (end() - begin() < count) {
    report_.note(AcpiOddity::kEntryShort);
    return Error::kTruncated;
  }
  const MutableBytes out = MutableBytes(fixed_).first(count);
  CLAY_TRY(table_.copy(begin(), out));
  return LeFields(Bytes(out));
}

} // namespace clay
