#include "mutants/rewrite/files.h"

#include <llvm/Support/MemoryBuffer.h>

namespace kiln::mutants {

std::optional<std::string> read_file(const std::string& path) {
  auto bytes = llvm::MemoryBuffer::getFile(path, false, false);
  if (!bytes) return std::nullopt;
  return (*bytes)->getBuffer().str();
}

} // namespace kiln::mutants
