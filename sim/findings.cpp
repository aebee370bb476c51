// Findings: from a broken rule to plain data, and out of the run.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/core.h"
#include "sim/engine.h"
#include "sim/hal.h"
#include "sim/scheduler.h"

namespace kiln::sim {

Finding current_finding;

namespace {

constexpr unsigned kRememberedStacks = 4096;
Stack remembered[kRememberedStacks];
unsigned remembered_count;

void copy_text(char* to, size_t size, const char* from) {
  snprintf(to, size, "%s", from == nullptr ? "" : from);
}

/// Follows frame pointers inside [low, high).
KILN_NO_ASAN Stack walk(uint64_t frame, uint64_t low, uint64_t high) {
  Stack stack{};
  while (stack.count < kStackFrames && frame >= low && frame + 16 <= high && frame % 8 == 0) {
    const auto* words = reinterpret_cast<const uint64_t*>(frame);
    if (words[1] == 0) {
      break;
    }
    stack.pc[stack.count++] = words[1];
    if (words[0] <= frame) {
      break;
    }
    frame = words[0];
  }
  return stack;
}

Stack walk_on(const Fiber& fiber, uint64_t frame) {
  auto low = reinterpret_cast<uint64_t>(fiber.bottom);
  return walk(frame, low, low + fiber.size);
}

/// Stack of a fiber that is switched out. What jump_fcontext keeps there (Boost.Context 1.74,
/// x86-64 System V): rbp is word 6, the return address word 7.
KILN_NO_ASAN Stack stack_of_parked(const Fiber& fiber) {
  const auto* saved = static_cast<const uint64_t*>(fiber.context);
  Stack rest = walk_on(fiber, saved[6]);
  Stack stack{};
  stack.pc[0] = saved[7];
  stack.count = 1;
  for (unsigned i = 0; i < rest.count && stack.count < kStackFrames; ++i) {
    stack.pc[stack.count++] = rest.pc[i];
  }
  return stack;
}

void describe_wait(const Actor& a, char* out, size_t size) {
  uint32_t owner = a.wait.lock_owner != nullptr ? *a.wait.lock_owner : 0;
  if (owner == 0 && a.wait.what != nullptr && a.wait.owner != kNoTask) {
    owner = a.wait.owner + uint32_t{1};
  }
  const char* holder = owner == 0 || owner > kMaxTasks ? nullptr : actors[owner - 1].name;
  snprintf(out, size, "waits for %s%s%s%s%s%s%s",
           a.wait.what == nullptr ? "a wake-up" : a.wait.what, a.wait.name == nullptr ? "" : " '",
           a.wait.name == nullptr ? "" : a.wait.name, a.wait.name == nullptr ? "" : "'",
           holder == nullptr ? "" : " of task '", holder == nullptr ? "" : holder,
           holder == nullptr ? "" : "'");
}

void describe_state(const Actor& a, char* out, size_t size) {
  switch (a.state) {
  case ActorState::kParked:
    describe_wait(a, out, size);
    break;
  case ActorState::kReady:
    snprintf(out, size, "is ready to run");
    break;
  default:
    snprintf(out, size, "%s on CPU %u",
             a.spin_word != nullptr ? "spins" : "is in the middle of code", a.cpu);
  }
}

void add_task_stacks(Finding& f) {
  for (unsigned id = 0; id < kMaxActors && f.task_count < kTaskStacks; ++id) {
    const Actor& a = actors[id];
    bool there = a.state == ActorState::kOnCpu || a.state == ActorState::kReady ||
                 a.state == ActorState::kParked;
    if (!there || &a == core.current || a.fiber.context == nullptr) {
      continue;
    }
    TaskStack& task = f.tasks[f.task_count++];
    copy_text(task.name, sizeof task.name, a.name);
    describe_state(a, task.state, sizeof task.state);
    task.cpu = a.cpu == kNoCpu ? UINT32_MAX : a.cpu;
    task.stack = stack_of_parked(a.fiber);
  }
}

void add_held(Finding& f, const Actor& a) {
  for (int i = a.held_count - 1; i >= 0 && f.held_count < kHeldShown; --i) {
    HeldLock& held = f.held[f.held_count++];
    copy_text(held.name, sizeof held.name, lock_order.name(a.held_rules[i].lock_class));
    held.site = a.held_rules[i].site;
  }
}

/// The stack remembered at a lock site, the latest first.
const Stack* stack_from_site(uint64_t site) {
  for (unsigned i = remembered_count; i-- > 0;) {
    for (unsigned frame = 0; frame < remembered[i].count; ++frame) {
      if (remembered[i].pc[frame] == site) {
        return &remembered[i];
      }
    }
  }
  return nullptr;
}

void add_other(Finding& f, const char* label, uint64_t site, uint16_t stack) {
  const Stack* known = stack != 0  ? remembered_stack(stack)
                       : site != 0 ? stack_from_site(site)
                                   : nullptr;
  if (known != nullptr) {
    f.other = *known;
  } else if (site != 0) {
    f.other.count = 1;
    f.other.pc[0] = site;
  }
  f.has_other = f.other.count != 0;
  copy_text(f.other_label, sizeof f.other_label, label);
}

void begin_finding(Rule rule, const Stack& stack) {
  Finding& f = current_finding;
  f = Finding{};
  const Actor& a = *core.current;
  f.rule = rule;
  f.context = static_cast<uint8_t>(a.context);
  f.cpu = a.cpu == kNoCpu ? a.home : a.cpu;
  copy_text(f.task, sizeof f.task, is_idle_actor(a) ? "(idle)" : a.name);
  f.clock_ns = core.clock;
  f.point = core.point;
  f.stack = stack;
  add_held(f, a);
}

[[noreturn]] void finish_finding() {
  if (!core.running) {
    fprintf(stderr, "kiln: outside of a run: %s\n", current_finding.headline);
    abort();
  }
  trace(TraceKind::kFinding);
  if (core.details) {
    add_task_stacks(current_finding);
  }
  abandon_run();
}

} // namespace

Stack capture_stack(uint64_t frame) { return walk_on(core.current->fiber, frame); }

uint16_t remember_stack() {
  if (remembered_count + 1 >= kRememberedStacks) {
    return 0;
  }
  remembered[remembered_count] =
      capture_stack(reinterpret_cast<uint64_t>(__builtin_frame_address(0)));
  return static_cast<uint16_t>(++remembered_count);
}
const Stack* remembered_stack(uint16_t index) { return &remembered[index - 1]; }
void forget_stacks() { remembered_count = 0; }

void fail_with_stack(Rule rule, const Stack& stack, const char* other_label, uint64_t other_site,
                     const char* headline) {
  begin_finding(rule, stack);
  add_other(current_finding, other_label, other_site, 0);
  copy_text(current_finding.headline, sizeof current_finding.headline, headline);
  finish_finding();
}

void fail_at(Rule rule, const char* other_label, uint64_t other_site, uint16_t other_stack,
             const char* format, ...) {
  begin_finding(rule, capture_stack(reinterpret_cast<uint64_t>(__builtin_frame_address(0))));
  add_other(current_finding, other_label, other_site, other_stack);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(current_finding.headline, sizeof current_finding.headline, format, arguments);
  va_end(arguments);
  finish_finding();
}

void Machine::fail(Rule rule, const char* format, ...) {
  begin_finding(rule, capture_stack(reinterpret_cast<uint64_t>(__builtin_frame_address(0))));
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(current_finding.headline, sizeof current_finding.headline, format, arguments);
  va_end(arguments);
  finish_finding();
}

namespace {

/// "waits", "waits (event wait)".
struct Waiting {
  char text[64];
  Waiting(const char* does, const char* what) {
    snprintf(text, sizeof text, "%s%s%s%s", does, what == nullptr ? "" : " (",
             what == nullptr ? "" : what, what == nullptr ? "" : ")");
  }
};

[[noreturn]] void fail_sleep_in_atomic(const Actor& a, const char* waits) {
  const Held* spin = waiting_forbidden_by({a.held_rules, a.held_count});
  if (spin != nullptr) {
    fail_at(Rule::kSleepInAtomic, "the spin lock was taken here", spin->site, 0,
            "task '%s' %s with spin lock '%s' held", a.name, waits,
            lock_order.name(spin->lock_class));
  }
  fail_at(Rule::kSleepInAtomic, nullptr, 0, 0, "task '%s' %s with %s off", a.name, waits,
          a.irqs_on ? "preemption" : "interrupts");
}

} // namespace

void check_may_wait(const char* does, const char* what) {
  const Actor& a = *core.current;
  bool may = a.context == ContextKind::kTask && a.irqs_on && a.preempt_off == 0 && a.spin_held == 0;
  if (may || !core.running) [[likely]] {
    return;
  }
  const Waiting waits(does, what);
  if (a.context == ContextKind::kSoftIrq && rule_on(Rule::kWaitInSoftIrq)) {
    fail_at(Rule::kWaitInSoftIrq, nullptr, 0, 0, "a soft IRQ handler %s", waits.text);
  }
  if (a.context >= ContextKind::kIrq && rule_on(Rule::kWaitInIrq)) {
    fail_at(Rule::kWaitInIrq, nullptr, 0, 0, "an interrupt handler %s", waits.text);
  }
  if (a.context == ContextKind::kTask && rule_on(Rule::kSleepInAtomic)) {
    fail_sleep_in_atomic(a, waits.text);
  }
}

void fail_stack_budget() {
  core.stack_limit = 0; // the report may use more
  fail_at(Rule::kStackBudget, nullptr, 0, 0, "task '%s' uses more stack than its budget of %zu KiB",
          core.current->name, kStackBudget / 1024);
}

void fail_all_wait() {
  char list[300] = "";
  size_t used = 0;
  for (unsigned id = 0; id < kMaxActors && used + 60 < sizeof list; ++id) {
    const Actor& a = actors[id];
    // A worker of the kernel's with nothing to do. Idle CPUs may spin in an interrupt.
    bool of_boot = id != 0 && id < kMaxTasks && a.spawned_at == 0;
    if (!of_boot && (a.state == ActorState::kParked || a.spin_word != nullptr)) {
      char state[96];
      describe_state(a, state, sizeof state);
      used += static_cast<size_t>(snprintf(list + used, sizeof list - used, "%s'%.24s' %.60s",
                                           used == 0 ? "" : "; ", a.name, state));
    }
  }
  fail_at(Rule::kDeadlock, nullptr, 0, 0, "every task waits and nothing will wake one: %s", list);
}

KILN_NO_ASAN static bool is_trap(uint64_t pc) {
  if (pc < 4096) { // a jump to null
    return false;
  }
  const auto* code = reinterpret_cast<const uint8_t*>(pc); // llvm.ubsantrap: ud1 with a kind
  return code[0] == 0x67 && code[1] == 0x0F && code[2] == 0xB9;
}

void fault_in_run(Rule rule, const char* headline, uint64_t pc, uint64_t frame_pointer,
                  uint64_t fault_address) {
  if (!core.running) {
    return;
  }
  Stack above = walk_on(core.current->fiber, frame_pointer);
  Stack stack{};
  stack.pc[stack.count++] = pc + 1; // as if it were a return address
  for (unsigned i = 0; i < above.count && stack.count < kStackFrames; ++i) {
    stack.pc[stack.count++] = above.pc[i];
  }
  auto bottom = reinterpret_cast<uint64_t>(core.current->fiber.bottom);
  if (rule == Rule::kCrash && fault_address < bottom &&
      fault_address >= bottom - kStackGuardBytes) {
    char text[96];
    snprintf(text, sizeof text, "task '%s' runs off the end of its stack", core.current->name);
    fail_with_stack(Rule::kStackOverflow, stack, nullptr, 0, text);
  }
  if (rule == Rule::kCrash && fault_address == 0 && is_trap(pc)) {
    fail_with_stack(Rule::kUndefined, stack, nullptr, 0, "an index is out of bounds");
  }
  fail_with_stack(rule, stack, nullptr, 0, headline);
}

} // namespace kiln::sim
