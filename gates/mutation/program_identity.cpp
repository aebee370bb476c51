#include "gates/mutation/program_identity.h"

#include <cstdint>

#include "gates/support/read_file.h"
#include "gates/support/sha256.h"

namespace kiln::gates {

namespace {

constexpr size_t kLargestProgram = size_t{4} << 30;

} // namespace

std::string program_identity(std::string* error) {
  std::optional<std::string> file =
      read_file("/proc/self/exe", kLargestProgram, "this program", error);
  if (!file.has_value()) return "";
  return sha256_hex({reinterpret_cast<const uint8_t*>(file->data()), file->size()});
}

} // namespace kiln::gates
