#pragma once
// What the kernel tells the machine about itself, so that its rules can be checked at the line that
// breaks them. On a real machine every function here does nothing (and hal_memory_asked says yes).
//
// The structs lie inside the kernel's objects. The kernel initialises them (zero plus the named
// fields) and never looks inside again; the `hal_` fields are the machine's.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/hal/task.h"

extern "C" {

// --- Locks -----------------------------------------------------------------------------------

/// All locks that play the same role share a class; lock order is kept between classes. One static
/// object per role; `name` must be unique in the kernel and outlive it.
enum HalLockRole : uint32_t {
  kHalAnyRole = 0,
  kHalOfAllocator = 1, ///< guards the allocator's own state: no allocation while it is held
};
struct HalLockClass {
  const char* name;
  uint32_t hal_id;
  HalLockRole role;
};

enum HalLockKind : uint8_t {
  kHalSpinLock = 0,     ///< holder must not wait
  kHalSleepingLock = 1, ///< waits for its turn: task context only
};

struct HalLockMap {
  HalLockClass* lock_class;
  HalLockKind kind;
  uint8_t hal_state;
  uint16_t hal_depth;
  uint32_t hal_owner;
  uintptr_t hal_site;
};

enum HalLockMode : uint32_t {
  kHalLockExclusive = 0,
  kHalLockShared = 1,          ///< readers share; a waiting writer may block the next reader
  kHalLockSharedRecursive = 2, ///< readers share, even while a writer waits: may nest
  kHalLockModeMask = 3,
  kHalLockTry = 4,    ///< gives up rather than waits: cannot deadlock by itself
  kHalLockNested = 8, ///< a second lock of a class already held, in a documented order
};

/// Before the first attempt to take the lock. Rules are judged here.
void hal_lock_acquiring(HalLockMap* map, uint32_t mode);
/// The lock is the caller's. With kHalLockTry this comes without hal_lock_acquiring.
void hal_lock_acquired(HalLockMap* map, uint32_t mode);
/// Just before the lock is let go.
void hal_lock_released(HalLockMap* map, uint32_t mode);
/// The lock goes away; it must not be held.
void hal_lock_destroyed(HalLockMap* map);

// --- Waiting ---------------------------------------------------------------------------------

/// The caller is in a function that may wait, whether or not it does this time: a finding where
/// waiting is forbidden. `what` names the function.
void hal_may_wait(const char* what);

/// The caller is in a function that may spin, whether or not it does this time, until other CPUs
/// have done something that they do with interrupts on (or while they wait for the same): a finding
/// with interrupts off and a spin lock held, for which one of them may spin. Any context.
void hal_waits_for_cpus(const char* what);

/// What a task waits for while it is parked; for wait-for cycles and reports.
struct HalWait {
  const char* what;   ///< "mutex", "event", "join", ...
  const void* object; ///< identity, never dereferenced
  const char* name;   ///< name of the object, or null
  HalLockMap* lock;   ///< the lock waited for, or null
  HalTask* task;      ///< the task waited for, or null
};
void hal_wait_begin(const HalWait* wait);
void hal_wait_end(void);

// --- Objects with a life: events, timers, work items ----------------------------------------

struct HalObject {
  const char* kind;    ///< "event", "timer", ...: static text
  uint32_t hal_state;  ///< zero is alive
  uint16_t one_waiter; ///< 1: at most one task may wait on it at a time
  uint16_t hal_waiters;
  uintptr_t hal_site;
};
/// The object is used; a finding once it has been destroyed.
void hal_object_use(HalObject* object);
/// The current context does something to an object that a reader of the schedule must know of, as
/// "signals event" 'arrived'. Judged by nobody; may do nothing. Both static; name may be null.
void hal_step(const char* what, const char* name);
/// The object goes away.
void hal_object_destroyed(HalObject* object);
/// A task starts (stops) to wait on the object.
void hal_object_wait_begin(HalObject* object);
void hal_object_wait_end(HalObject* object);

// --- Things that must be given back ----------------------------------------------------------

enum HalResource : uint8_t {
  kHalTimer = 0,     ///< a timer that is armed
  kHalReference = 1, ///< a counted reference
  kHalMapping = 2,   ///< a temporary mapping
  kHalPage = 3,      ///< a page
  kHalResourceKinds = 4,
};
/// One more (one less) of them exists. At the end of a run the number must be what it was at boot.
/// `object` is an identity for the report.
void hal_resource_taken(HalResource kind, const void* object);
void hal_resource_returned(HalResource kind, const void* object);

// --- Memory that the kernel's own allocators carve up -----------------------------------------
//
// Bytes that one of them holds back are nobody's: from hal_memory_freed until they are handed out
// again an access is a finding, byte by byte. What an allocator writes down about free memory lies
// elsewhere, or says that it is handed out. Layers nest: a pool is handed a page, frees it, and
// hands out its objects one by one. Any context but NMI.

/// An allocator is about to look for `size` bytes for its caller. False: the machine wants it to
/// find none, to see what the caller does then. Judged like hal_alloc, as an allocation that never
/// waits: none under an allocator's own lock. True on a real machine.
bool hal_memory_asked(size_t size);
/// The bytes are somebody's, with contents that nobody may rely on. Those before them, from a
/// multiple of 8 on, are too.
void hal_memory_handed_out(void* block, size_t size);
/// The bytes are nobody's. Comes before anybody else can be handed them. Freeing what is free is
/// allowed.
void hal_memory_freed(void* block, size_t size);
}
