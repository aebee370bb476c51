#include "sensor.h"

#include "arch.h"
#include "lock.h"
#include "ring.h"

namespace tiny {
namespace {

struct {
  Lock lock;
  ring samples;
  uint32_t lost;
  thread* reader; ///< who waits for a sample
} sensor;

} // namespace

void sensor_interrupt() {
  uint32_t sample;
  if (!arch_sensor_take(&sample)) return;
  sensor.lock.lock();
  if (!ring_put(&sensor.samples, sample)) ++sensor.lost;
  thread* const reader = sensor.reader;
  sensor.reader = nullptr;
  sensor.lock.unlock();
  if (reader != nullptr) arch_wake(reader);
}

uint32_t sensor_read() {
  for (;;) {
    uint32_t sample;
    sensor.lock.lock();
    const bool found = ring_take(&sensor.samples, &sample);
    if (!found) sensor.reader = arch_self();
    sensor.lock.unlock();
    if (found) return sample;
    arch_sleep();
  }
}

uint32_t sensor_lost() {
  Guard guard(sensor.lock);
  return sensor.lost;
}

} // namespace tiny
