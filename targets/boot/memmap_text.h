#pragma once
// Memory maps as people and logs write them, one range a line, for `feed boot/memmap`:
//
//   [mem 0x0000000000000000-0x000000000009fbff] usable
//   0xfec00000-0xfec00fff reserved
//
// Both ends are included. What stands before the first hexadecimal number of a line is skipped, as
// are lines where no second one follows it. Kinds: usable, reserved, ACPI data, ACPI NVS, unusable,
// persistent; soft reserved and "type N" count as reserved.

#include <string>
#include <string_view>

#include "generators/memory_map.h"

namespace kiln::targets {

/// False with a sentence in *trouble for a line that is no range.
bool parse_memory_map(std::string_view text, gen::FirmwareMap& out, std::string* trouble);

/// The map's entries in this form, but for those that are empty or end beyond 64 bits: no line can
/// say that.
std::string write_memory_map(const gen::FirmwareMap& map);

} // namespace kiln::targets
