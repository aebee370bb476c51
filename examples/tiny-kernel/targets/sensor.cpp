// tiny/sensor: the driver under interrupts at any point, on its reader's CPU and on another.
//
// Checks: samples come out in order, each at most once; each is read or counted as lost; the reader
// is not left waiting (a rule of the machine).

#include "kernel/sensor.h"

#include "hal/sensor_port.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace tiny {
namespace {

namespace sim = kiln::sim;

constexpr const char* kName = "tiny/sensor";
const sim::Probe kLost{kName, "a sample finds no room"};
const sim::Probe kOtherCpu{kName, "the interrupt comes to another CPU than the reader's"};

class Reader {
 public:
  void take() {
    const uint32_t sample = sensor_read();
    KILN_CHECK(sample > last_, "sample %u comes after sample %u", sample, last_);
    last_ = sample;
    ++received_;
  }
  uint32_t received() const { return received_; }

 private:
  uint32_t last_ = 0;
  uint32_t received_ = 0;
};

void run(sim::Run& run) {
  auto data = run.tape.data();
  run.machine.set_cpus(static_cast<unsigned>(data.between(1, 2)));
  const auto cpu = static_cast<unsigned>(data.below(run.machine.cpus()));
  run.machine.allow_irq(cpu, SENSOR_LINE);
  sensor_port.most = static_cast<uint32_t>(data.between(1, 16));
  Reader reader;
  while (reader.received() + sensor_lost() < sensor_port.most) {
    sim::Span span(run.tape, "turn");
    for (uint64_t raises = data.between(1, 3); raises > 0; --raises) {
      run.machine.raise_irq(cpu, SENSOR_LINE);
    }
    reader.take();
  }
  KILN_CHECK(reader.received() + sensor_lost() == sensor_port.most,
             "of %u samples %u were read and %u lost", sensor_port.most, reader.received(),
             sensor_lost());
  if (sensor_lost() > 0) kLost.hit();
  if (cpu != 0) kOtherCpu.hit();
  run.machine.digest(reader.received());
}

const sim::Target target{{
    .name = kName,
    .purpose = "A driver between an interrupt and a reader.",
    .run = run,
    .gate_inputs = 5'000,
    .longest_tape = 256,
    .tags = "example",
}};

} // namespace
} // namespace tiny
