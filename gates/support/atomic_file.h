#pragma once
// Files that are either whole or not there: written beside the name, brought to the disk, renamed.
// Pipes and devices cannot be renamed over: those are written to.

#include <string>
#include <string_view>

namespace kiln::gates {

/// Makes the folder of `path` when it is missing. False with one sentence in *error (what, why and
/// how to mend it); what stood at `path` before is then untouched and nothing half-written is left.
bool write_file_atomically(const std::string& path, std::string_view content, std::string* error);

/// Whether the file could be made now; false and a sentence otherwise. Makes its folder.
bool can_write_file(const std::string& path, std::string* error);

} // namespace kiln::gates
