#include "kernel-src/boot/acpi_report.h"

namespace clay {

const char* acpi_oddity_text(AcpiOddity oddity) {
  switch (oddity) {
#define CLAY_ACPI_ODDITY_TEXT(id, text)                                                            \
  case AcpiOddity::id:                                                                             \
    return text;
    CLAY_ACPI_ODDITIES(CLAY_ACPI_ODDITY_TEXT)
#undef CLAY_ACPI_ODDITY_TEXT
  }
  return "unknown";
}

} // namespace clay
