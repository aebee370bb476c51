#pragma once
// For targets whose artefact takes long to write: whether anybody wants it (Machine::artefact).

namespace kiln::sim {

bool artefact_wanted();

} // namespace kiln::sim
