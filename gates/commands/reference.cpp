// reference: docs/reference.md, made from the tables.

#include "gates/cli/commands.h"
#include "gates/cli/help.h"
#include "gates/support/screen.h"

namespace kiln::gates {

ExitCode command_reference(const Settings&) {
  print_block(reference_text());
  return ExitCode::kNothing;
}

} // namespace kiln::gates
