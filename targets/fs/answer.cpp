#include "targets/fs/answer.h"

namespace kiln::fs {

worlds::FsError error_of(clay::Error error) {
  using worlds::FsError;
  switch (error) {
#define KILN_FS_ERROR_CASE(id)                                                                     \
  case clay::Error::id:                                                                            \
    return FsError::id;
    KILN_FS_KERNEL_ERRORS(KILN_FS_ERROR_CASE)
#undef KILN_FS_ERROR_CASE
  default:
    return FsError::kOther;
  }
}

} // namespace kiln::fs
