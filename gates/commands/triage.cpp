#include "gates/commands.h"
#include "gates/session.h"
namespace kiln::gates {
ExitCode command_triage(const Settings&) { return refuse("not yet"); }
} // namespace kiln::gates
