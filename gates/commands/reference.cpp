// reference: docs/reference.md, made from the tables.

#include "gates/commands.h"
#include "gates/help.h"
#include "gates/screen.h"

namespace kiln::gates {

ExitCode command_reference(const Settings&) {
  print_block(reference_text());
  return ExitCode::kNothing;
}

} // namespace kiln::gates
