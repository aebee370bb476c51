/* The last samples that nobody has read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RING_ROOM = 4 };

struct ring {
  uint32_t samples[RING_ROOM];
  uint32_t first;
  uint32_t count;
};

/* False: there is no room. */
bool ring_put(struct ring* ring, uint32_t sample);
/* The oldest; false: there is none. */
bool ring_take(struct ring* ring, uint32_t* sample);

#ifdef __cplusplus
}
#endif
