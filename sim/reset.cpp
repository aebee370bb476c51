// What is copied, and what need not be: memory above the booted top of a heap is filled when it is
// handed out, and a task's stack is made when the task is, so of both only the shadow is put back.

#include "sim/reset.h"

#include <cstdlib>
#include <cstring>

#include "sim/core.h"
#include "sim/engine.h"
#include "sim/model_heap.h"
#include "sim/prng.h"
#include "sim/watched_pages.h"

extern "C" {
extern char __kmachine_start[];
extern char __kmachine_end[];
}

namespace kiln::sim {

namespace {

struct Region {
  void* at;
  size_t bytes;
  void* copy;
};

constexpr unsigned kMostRegions = 2 * kMaxActors + 16;
Region regions[kMostRegions];
unsigned region_count;
WatchedPages kernel_pages; ///< the first region: .data and .bss of the kernel side
LockOrder* booted_order;
uintptr_t booted_arena_top;
uintptr_t booted_model_top;
unsigned booted_actors;

void keep(void* at, size_t bytes) {
  if (bytes == 0) {
    return;
  }
  Region& r = regions[region_count++];
  r = {at, bytes, malloc(bytes)};
  if (r.copy == nullptr || region_count == kMostRegions) {
    abort();
  }
  raw_copy(r.copy, r.at, r.bytes);
}

/// Memory of the machine, and its shadow where there is one.
void keep_memory(uintptr_t from, uintptr_t to) {
  keep(reinterpret_cast<void*>(from), to - from);
  if (kAsan && to > from) {
    char* first = shadow_of(reinterpret_cast<void*>(from));
    char* last = shadow_of(reinterpret_cast<void*>(to + 7));
    keep(first, static_cast<size_t>(last - first));
  }
}

/// From the saved registers of a parked task (and the red zone below them) to the top.
void keep_stack(const Actor& actor) {
  auto from = (reinterpret_cast<uintptr_t>(actor.fiber.context) - 128) & ~uintptr_t{7};
  keep_memory(from, reinterpret_cast<uintptr_t>(actor.fiber.bottom) + actor.fiber.size);
}

void poison_again(uintptr_t booted_top, uintptr_t top) {
  if (kAsan && top > booted_top) {
    poison(reinterpret_cast<void*>((booted_top + 7) & ~uintptr_t{7}), top - booted_top);
  }
}

KILN_NO_ASAN uint64_t hash_bytes(uint64_t hash, const void* at, size_t bytes) {
  const auto* p = static_cast<const volatile unsigned char*>(at);
  for (size_t i = 0; i < bytes; ++i) {
    hash = (hash ^ p[i]) * 0x100000001B3u;
  }
  return mix64(hash);
}

} // namespace

void take_snapshot() {
  region_count = 0;
  booted_arena_top = core.arena.top;
  booted_model_top = model_heap.top;
  booted_actors = core.actor_limit;
  keep(__kmachine_start, static_cast<size_t>(__kmachine_end - __kmachine_start));
  kernel_pages.set(__kmachine_start, regions[0].bytes, static_cast<const char*>(regions[0].copy));
  keep(&core, sizeof core);
  keep(&model_heap, sizeof model_heap);
  keep(actors, booted_actors * sizeof(Actor));
  keep_memory(kArenaBase, booted_arena_top);
  keep_memory(kModelBase, booted_model_top);
  for (unsigned id = 0; id < booted_actors; ++id) {
    if (actors[id].state == ActorState::kParked) {
      keep_stack(actors[id]);
    }
  }
  lock_order.seal();
  booted_order = static_cast<LockOrder*>(malloc(sizeof(LockOrder)));
  memcpy(static_cast<void*>(booted_order), &lock_order, sizeof lock_order);
}

void restore_snapshot() {
  poison_again(booted_arena_top, core.arena.top);
  poison_again(booted_model_top, model_heap.top);
  for (unsigned id = booted_actors; id < core.actor_limit; ++id) {
    actors[id].state = ActorState::kFree;
    actors[id].held_count = 0;
  }
  for (unsigned cpu = 0; cpu < kMaxCpus; ++cpu) {
    actors[idle_actor_id(cpu)].state = ActorState::kFree;
    actors[idle_actor_id(cpu)].held_count = 0;
  }
  // While their records still say where they were left: a snapshot's record does not.
  for (unsigned id = 0; id < booted_actors; ++id) {
    sweep_stack(actors[id]);
  }
  kernel_pages.restore();
  for (unsigned i = 1; i < region_count; ++i) {
    raw_copy(regions[i].at, regions[i].copy, regions[i].bytes);
  }
  lock_order.restore(*booted_order);
}

void watch_first_writes() { kernel_pages.watch(); }

bool first_write(uint64_t address) { return kernel_pages.open(address); }

uint64_t hash_machine() {
  uint64_t hash = 0xCBF29CE484222325u;
  for (unsigned i = 0; i < region_count; ++i) {
    hash = hash_bytes(hash, regions[i].at, regions[i].bytes);
  }
  return hash_bytes(hash, &lock_order, sizeof lock_order);
}

} // namespace kiln::sim
