#include "kernel-src/boot/fdt_reg.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {

Result<Range> make_range(uint64_t base, uint64_t size) {
  if (size != 0) {
    static_cast<void>(CLAY_TRY(checked_add<uint64_t>(base, size - 1)));
  }
  return Range{base, size};
}

Result<uint64_t> read_cells(Bytes bytes, size_t offset, uint32_t cells) {
  ByteReader reader(CLAY_TRY(bytes.slice(offset, cells * sizeof(uint32_t))));
  uint64_t number = 0;
  while (!reader.at_end()) {
    if (number >> 32 != 0) {
      return Error::kUnsupported;
    }
    number = number << 32 | CLAY_TRY(reader.be32());
  }
  return number;
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

Result<uint64_t> RegList::address_at(size_t index) const {
  return read_cells(value_, index * entry_bytes(), cells_.address);
}

Result<Range> RegList::at(size_t index) const {
  const size_t size_at = index * entry_bytes() + cells_.address * sizeof(uint32_t);
  return make_range(CLAY_TRY(address_at(index)),
                    CLAY_TRY(read_cells(value_, size_at, cells_.size)));
}

} // namespace clay::fdt
