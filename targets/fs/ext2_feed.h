#pragma once
// A real image for fs/ext2: what is said of it, what the kernel shows, and whether it survives work
// on it, also when the power goes in the middle.

#include "sim/target.h"

namespace kiln::fs {

void feed_ext2(sim::Feed& feed);

} // namespace kiln::fs
