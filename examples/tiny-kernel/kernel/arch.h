/* What this kernel asks of the machine that it runs on. On real hardware each is a few lines of
 * assembly; here hal/arch.cpp has them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct thread;

/* Turns this CPU's interrupts off; whether they were on. */
bool arch_irq_save(void);
void arch_irq_restore(bool were_on);

/* In a loop that waits until another CPU has changed *word, which was `seen`. */
void arch_spin(const volatile uint32_t* word, uint32_t seen);

struct thread* arch_self(void);
/* Until arch_wake, which may have come before; may also return for no reason. */
void arch_sleep(void);
void arch_wake(struct thread* thread);

/* Takes the next sample out of the sensor; false: it has none, the interrupt was not its own. */
bool arch_sensor_take(uint32_t* sample);

#ifdef __cplusplus
}
#endif
