#pragma once
// The sensor as its world sees it: it numbers its samples.

#include <cstdint>

namespace tiny {

struct SensorPort {
  uint32_t most; ///< samples that it will have
  uint32_t sent; ///< taken out so far; the next is sent + 1
};
extern SensorPort sensor_port;

} // namespace tiny
