#include "worlds/fs/error.h"

#include <iterator>

namespace kiln::worlds {

namespace {
constexpr const char* kTexts[] = {
#define KILN_FS_ERROR_TEXT(id) #id,
    KILN_FS_ERRORS(KILN_FS_ERROR_TEXT)
#undef KILN_FS_ERROR_TEXT
};
} // namespace

const char* fs_error_text(FsError error) { return kTexts[static_cast<size_t>(error)]; }

std::string FsErrors::text() const {
  std::string out;
  for (size_t i = 0; i < std::size(kTexts); ++i) {
    if (has(static_cast<FsError>(i))) {
      out += out.empty() ? "" : " or ";
      out += kTexts[i];
    }
  }
  return out.empty() ? "success" : out;
}

} // namespace kiln::worlds
