#pragma once
// GUID partition tables: UEFI 2.10, section 5.3. partition_table.h has the rules.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/block/heap_bytes.h"
#include "kernel-src/block/partition_table.h"
#include "kernel-src/block/sector_reader.h"

namespace clay {

struct GptHeader {
  uint64_t my_lba = 0;
  uint64_t alternate_lba = 0;
  uint64_t first_usable = 0;
  uint64_t last_usable = 0; ///< part of what is usable
  uint64_t entries_lba = 0;
  uint32_t entries = 0;
  uint32_t entry_bytes = 0;
  uint32_t entries_sum = 0;
  Guid disk_id;
  bool reserved_clear = false;

  uint64_t array_bytes() const { return uint64_t{entries} * entry_bytes; }
  bool is_primary() const { return my_lba == 1; }
  /// Reads the header of the table that is described in sector `lba` of a device, and checks what
  /// can be checked without its entries.
  PartitionRefusal parse(Bytes sector, uint64_t lba, uint64_t sectors);
  /// The same partitions: two copies of one table.
  bool agrees_with(const GptHeader& other) const;
};

class GptReader {
 public:
  GptReader(SectorReader& sectors, PartitionTable& table) : sectors_(sectors), table_(table) {}

  /// Whether there is something that looks like a primary table. Waits.
  static Result<bool> is_there(SectorReader& sectors);

  /// Fills the table in. Waits.
  Result<> read();

 private:
  struct Copy {
    GptHeader header;
    HeapBytes entries;
  };

  /// Reads the copy in sector `lba` whole.
  Result<PartitionRefusal> load(uint64_t lba, Copy& copy);
  Result<PartitionRefusal> load_entries(Copy& copy);
  Result<> look_at_backup(const GptHeader& primary);
  Result<> fall_back();
  void take(const Copy& copy);
  void take_entry(const GptHeader& header, uint32_t number, Bytes entry);
  bool has_id(const Guid& id) const;

  SectorReader& sectors_;
  PartitionTable& table_;
};

} // namespace clay
