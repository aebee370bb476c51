#include "ring.h"

bool ring_put(struct ring* ring, uint32_t sample) {
  if (ring->count == RING_ROOM) return false;
  ring->samples[(ring->first + ring->count++) % RING_ROOM] = sample;
  return true;
}

bool ring_take(struct ring* ring, uint32_t* sample) {
  if (ring->count == 0) return false;
  *sample = ring->samples[ring->first];
  ring->first = (ring->first + 1) % RING_ROOM;
  --ring->count;
  return true;
}
