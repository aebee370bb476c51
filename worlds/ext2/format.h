#pragma once
// The format's numbers, which the image maker needs too; what they mean is said in each place by
// itself.

#include "generators/ext2/format.h"

namespace kiln::worlds::ext2 {
using namespace gen::ext2; // NOLINT(google-build-using-namespace)
} // namespace kiln::worlds::ext2
