/* A sensor that interrupts for every sample. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SENSOR_LINE = 5 };

void sensor_interrupt(void);
/* The next sample; waits for it. One thread at a time. */
uint32_t sensor_read(void);
/* Samples that came when there was no room for them. */
uint32_t sensor_lost(void);

#ifdef __cplusplus
}
#endif
