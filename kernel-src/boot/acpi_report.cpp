#include "kernel-src/boot/acpi_report.h"

#include "kernel-src/lib/enum_text.h"

namespace clay {

const char* acpi_oddity_text(AcpiOddity oddity) {
  static constexpr const char* kTexts[] = {CLAY_ACPI_ODDITIES(CLAY_TEXT_OF)};
  return text_of(kTexts, oddity);
}

} // namespace clay
