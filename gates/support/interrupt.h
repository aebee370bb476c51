#pragma once
// Ctrl-C, SIGTERM, SIGHUP: the first asks the run to end in good order (findings are saved, the
// summary is printed), the second ends the program at once.

namespace kiln::gates {

void watch_for_interrupts();
bool interrupted();

} // namespace kiln::gates
