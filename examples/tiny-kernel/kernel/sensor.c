#include "sensor.h"

#include <stdatomic.h>
#include <stddef.h>

#include "arch.h"

enum { ROOM = 4 };

static struct {
  _Atomic uint32_t locked;
  uint32_t samples[ROOM];
  uint32_t first;
  uint32_t count;
  uint32_t lost;
  struct thread* reader; /* who waits for a sample */
} sensor;

static bool lock(void) {
  const bool irqs_were_on = arch_irq_save();
  while (atomic_exchange(&sensor.locked, 1) != 0) {
    arch_spin((const volatile uint32_t*)&sensor.locked, 1);
  }
  return irqs_were_on;
}

static void unlock(bool irqs_were_on) {
  atomic_store(&sensor.locked, 0);
  arch_irq_restore(irqs_were_on);
}

void sensor_interrupt(void) {
  uint32_t sample;
  if (!arch_sensor_take(&sample)) return;
  const bool irqs_were_on = lock();
  if (sensor.count < ROOM) {
    sensor.samples[(sensor.first + sensor.count++) % ROOM] = sample;
  } else {
    ++sensor.lost;
  }
  struct thread* const reader = sensor.reader;
  sensor.reader = NULL;
  unlock(irqs_were_on);
  if (reader != NULL) arch_wake(reader);
}

uint32_t sensor_read(void) {
  for (;;) {
    const bool irqs_were_on = lock();
    if (sensor.count > 0) {
      const uint32_t sample = sensor.samples[sensor.first];
      sensor.first = (sensor.first + 1) % ROOM;
      --sensor.count;
      unlock(irqs_were_on);
      return sample;
    }
    sensor.reader = arch_self();
    unlock(irqs_were_on);
    arch_sleep();
  }
}

uint32_t sensor_lost(void) {
  const bool irqs_were_on = lock();
  const uint32_t lost = sensor.lost;
  unlock(irqs_were_on);
  return lost;
}
