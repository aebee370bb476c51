#pragma once
#include <cstdint>

namespace kiln::gen::ext2 {
/// When all images are made, written and last changed: in September 2020.
inline constexpr uint32_t kTime = 1'600'000'000;
} // namespace kiln::gen::ext2
