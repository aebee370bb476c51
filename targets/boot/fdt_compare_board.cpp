// Clay's board against the board of the reader that was written from the specification, with
// Clay's limits applied to that one: what is beyond a limit is left out and counted.

#include <algorithm>

#include "sim/machine.h"
#include "targets/boot/fdt_compare.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

using clay::Board;
using clay::Oddity;

void check_range(const char* what, const clay::fdt::Range& got, const worlds::fdt::Range& want) {
  KILN_CHECK(got.base == want.base && got.size == want.size,
             "%s is 0x%llx + 0x%llx, not 0x%llx + 0x%llx", what, KILN_U64(got.base),
             KILN_U64(got.size), KILN_U64(want.base), KILN_U64(want.size));
}

void check_text(const char* what, clay::StringView got, std::string_view want, size_t most) {
  KILN_CHECK(same(got, want.substr(0, most)), "%s is '%.*s', not '%.*s'", what, KILN_TEXT(got),
             KILN_TEXT(want));
}

/// How many of `all` were kept; the others must have been counted.
size_t check_limit(const char* what, size_t got, size_t all, size_t most, size_t counted) {
  const size_t kept = std::min(all, most);
  KILN_CHECK(got == kept, "%zu %s are kept, not %zu", got, what, kept);
  KILN_CHECK(counted == all - kept, "%zu %s beyond the limit are counted, not %zu", counted, what,
             all - kept);
  return kept;
}

void check_lists(const Board& got, const worlds::fdt::Board& want) {
  const size_t ranges = check_limit("memory ranges", got.memory().size(), want.memory.size(),
                                    Board::kMemoryRangesMax, got.oddities(Oddity::kMemoryFull));
  for (size_t i = 0; i < ranges; ++i) {
    check_range("a memory range", got.memory()[i], want.memory[i]);
  }
  const size_t reserved =
      check_limit("reserved ranges", got.reserved().size(), want.reserved.size(),
                  Board::kReservedRangesMax, got.oddities(Oddity::kReservedFull));
  for (size_t i = 0; i < reserved; ++i) {
    check_range("a reserved range", got.reserved()[i].range, want.reserved[i].range);
    KILN_CHECK(got.reserved()[i].no_map == want.reserved[i].no_map, "no-map of reserved range %zu",
               i);
  }
  const size_t cpus = check_limit("CPUs", got.cpus().size(), want.cpus.size(), Board::kCpusMax,
                                  got.oddities(Oddity::kCpusFull));
  for (size_t i = 0; i < cpus; ++i) {
    KILN_CHECK(got.cpus()[i] == want.cpus[i], "CPU %zu has the id 0x%llx, not 0x%llx", i,
               KILN_U64(got.cpus()[i]), KILN_U64(want.cpus[i]));
  }
}

/// The longest beginning that fits and ends with a whole word.
std::string_view fitting(std::string_view text, size_t most) {
  if (text.size() <= most) {
    return text;
  }
  size_t size = most;
  while (size > 0 && (text[size] != ' ' || text[size - 1] == ' ')) {
    --size;
  }
  return text.substr(0, size);
}

void check_chosen(const Board& got, const worlds::fdt::Board& want) {
  const std::string_view bootargs = fitting(want.bootargs, Board::kBootargsMax);
  check_text("the command line", got.bootargs(), bootargs, bootargs.size());
  const bool cut = want.bootargs.size() > Board::kBootargsMax;
  KILN_CHECK(got.oddities(Oddity::kBootargsCut) == (cut ? 1u : 0u),
             "a command line of %zu characters is%s noted as cut", want.bootargs.size(),
             cut ? " not" : "");
  check_range("the initial RAM disk", got.initrd(), want.initrd);
  KILN_CHECK(got.has_serial() == want.has_serial, "there is %s console device",
             got.has_serial() ? "a" : "no");
  if (want.has_serial) {
    check_range("the console's registers", got.serial().registers, want.serial);
    check_optional_irq("the console", got.serial().irq, want.serial_irq);
    check_text("the console's compatible", got.serial().compatible.view(), want.serial_compatible,
               Board::kNameMax);
  }
}

void check_oddities(const Board& got, const worlds::fdt::Board& want) {
  const struct {
    Oddity kind;
    unsigned count;
  } counts[] = {{Oddity::kRegShape, want.reg_shape},
                {Oddity::kRangeBeyond, want.range_beyond},
                {Oddity::kRangeEmpty, want.range_empty + want.devices.window_empty},
                {Oddity::kTextOpen, want.text_open},
                {Oddity::kInitrd, want.initrd_odd},
                {Oddity::kSerialPath, want.serial_path},
                {Oddity::kSerialAddress, want.serial_address}};
  for (const auto& count : counts) {
    KILN_CHECK(got.oddities(count.kind) == count.count, "noted %zu times, not %u: %s",
               got.oddities(count.kind), count.count, clay::oddity_text(count.kind));
  }
}

} // namespace

void check_board(const Board& got, const worlds::fdt::Board& want) {
  check_text("the model", got.model(), want.model, Board::kNameMax);
  check_lists(got, want);
  check_chosen(got, want);
  check_devices(got, want.devices);
  check_oddities(got, want);
}

} // namespace kiln::targets
