#pragma once
// Files of microcode updates for Intel processors: updates one behind the other, of which at most
// one is for this CPU. Intel SDM volume 3A, section 10.11 ("Microcode Update Facilities").
//
// Only an update that is sound to the last byte is ever handed out: the processor believes what it
// is given. One that is not is passed over and counted, unless its size is in doubt: then where the
// next one begins is too, and the walk ends.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/kind_counts.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay {

// X(identifier, "what was passed over and why")
#define CLAY_MICROCODE_ODDITIES(X)                                                                 \
  X(kOpenEnd, "bytes behind the last whole update")                                                \
  X(kVersion, "an update of a header or loader version that is not known")                         \
  X(kSizes, "an update whose sizes contradict each other")                                         \
  X(kSum, "an update whose checksum is wrong")                                                     \
  X(kExtendedTable, "an update whose table of further processors makes no sense")                  \
  X(kExtendedSum, "an update with a wrong checksum in its table of further processors")

enum class MicrocodeOddity : uint8_t {
#define CLAY_MICROCODE_ODDITY_ENUM(id, text) id,
  CLAY_MICROCODE_ODDITIES(CLAY_MICROCODE_ODDITY_ENUM)
#undef CLAY_MICROCODE_ODDITY_ENUM
};
#define CLAY_MICROCODE_ODDITY_COUNT(id, text) +1
inline constexpr size_t kMicrocodeOddities = 0 CLAY_MICROCODE_ODDITIES(CLAY_MICROCODE_ODDITY_COUNT);
#undef CLAY_MICROCODE_ODDITY_COUNT

/// In words, for the log. Never null.
const char* microcode_oddity_text(MicrocodeOddity oddity);

struct MicrocodeReport : KindCounts<MicrocodeOddity, kMicrocodeOddities> {
  uint32_t updates = 0; ///< sound ones
};

/// Who wants an update.
struct MicrocodeCpu {
  uint32_t signature; ///< CPUID leaf 1, EAX
  uint32_t platform;  ///< IA32_PLATFORM_ID bits 52:50, 0 to 7
  int32_t revision;   ///< IA32_BIOS_SIGN_ID bits 63:32: what it runs now; 0: none
};

struct MicrocodeUpdate {
  Bytes whole;
  Bytes data; ///< what the processor is given
  int32_t revision;
  uint32_t date; ///< binary coded decimal, mmddyyyy
};

/// Of the sound updates in `file` for this CPU the one of the highest revision above its own; of
/// equal ones the first. kNotFound: none.
Result<MicrocodeUpdate> select_microcode(Bytes file, const MicrocodeCpu& cpu,
                                         MicrocodeReport& report);

} // namespace clay
