#pragma once
// For block/queue: what no device takes. Each request that a device must refuse differs in one
// thing from one that it would take; it is done within submit(), once, with the error that names
// the thing.

#include <cstdint>

#include "kernel-src/block/device.h"

namespace kiln::block {

/// `sectors` from `sector` on lie inside the device.
void check_refused(clay::BlockDevice& device, uint64_t sector, uint64_t sectors);

/// Slices of `whole` that leave it: `at` sectors before its end, too long by some step of `longer`.
void check_refused_slices(clay::BlockDevice& whole, uint64_t at, unsigned longer);

} // namespace kiln::block
