#include "kernel-src/boot/fdt_reg.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::fdt {

Result<Range> make_range(uint64_t base, uint64_t size) {
  if (size != 0) {
    static_cast<void>(CLAY_TRY(checked_add<uint64_t>(base, size - 1)));
  }
  return Range{base, size};
}

Wide read_cells(Bytes bytes, size_t offset, uint32_t cells) {
  const Bytes number = bytes.subspan(offset, cells * sizeof(uint32_t));
  Wide value = 0;
  for (size_t at = 0; at < number.size(); at += sizeof(uint32_t)) {
    value = value << 32 | load_be<uint32_t>(number.data() + at);
  }
  return value;
}

Result<uint64_t> narrow(Wide number) {
  if (number >> 64 != 0) {
    return Error::kUnsupported;
  }
  return static_cast<uint64_t>(number);
}

Result<RegList> RegList::create(Bytes value, Cells cells) {
  // Without an address there is nowhere to look; it also rules out entries of no bytes.
  if (!cells.valid || cells.address == 0) {
    return Error::kInvalid;
  }
  const RegList list(value, cells);
  if (value.size() % list.entry_bytes() != 0) {
    return Error::kInvalid;
  }
  return list;
}

Wide RegList::address_at(size_t index) const {
  return read_cells(value_, index * entry_bytes(), cells_.address);
}

Result<uint64_t> RegList::size_at(size_t index) const {
  const size_t at = index * entry_bytes() + cells_.address * sizeof(uint32_t);
  return narrow(read_cells(value_, at, cells_.size));
}

Result<Range> RegList::at(size_t index) const {
  return make_range(CLAY_TRY(narrow(address_at(index))), CLAY_TRY(size_at(index)));
}

} // namespace clay::fdt
