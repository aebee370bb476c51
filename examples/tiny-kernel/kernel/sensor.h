#pragma once
// A sensor that interrupts for every sample.

#include <cstdint>

namespace tiny {

enum { SENSOR_LINE = 5 };

void sensor_interrupt();
/// The next sample; waits for it. One thread at a time.
uint32_t sensor_read();
/// Samples that came when there was no room for them.
uint32_t sensor_lost();

} // namespace tiny
