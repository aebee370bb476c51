// One input from the booted state to the booted state.

#include "sim/engine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/artefact.h"
#include "sim/core.h"
#include "sim/exhibit.h"
#include "sim/hal.h"
#include "sim/model_heap.h"
#include "sim/mutants.h"
#include "sim/reset.h"
#include "sim/scheduler.h"

namespace kiln::sim {

Actor actors[kMaxActors];
WorldEvent world_events[kMaxWorldEvents];
Fiber runner_fiber;
SchedReader* sched_reader;
constinit Core core = [] {
  Core c{};
  c.current = &actors[0];
  c.next_deadline = kNever;
  c.cpu_count = 1;
  return c;
}();

namespace {

constinit Kernel the_kernel{};
bool booted;

/// What the first task does in this run.
struct Body {
  void (*call)(void*);
  void* argument;
};
Body body;
bool run_found;
std::optional<HostVector<uint8_t>>* wanted_artefact; ///< null: nobody wants it

HostVector<Decision> decisions;

int64_t booted_resources[8];
uint64_t booted_blocks;
uint64_t booted_allocations;

void first_task(void*) { body.call(body.argument); }

/// Starts the first task and comes back when the run is over.
void run_first_task() {
  prepare_actor(actors[0], 0, "main", first_task, nullptr);
  actors[0].cpu = 0;
  actors[0].state = ActorState::kOnCpu;
  core.cpus[0].occupant = 0;
  core.current = &actors[0];
  core.stack_limit = 0;
  run_found = false;
  core.running = true;
  model_heap_on = true;
  begin_loop_fuel();
  switch_fiber(runner_fiber, actors[0].fiber);
  model_heap_on = false;
  core.running = false;
  core.current = &actors[0];
}

void begin_state() {
  core.point = 0;
  core.next_event = 0;
  core.progress_point = 0;
  core.switches = 0;
  core.clock_reads = 0;
  core.digest = 0x4B494C4Eu;
  core.fail_at = kNever;
  core.failed_allocations = 0;
  trace_count = 0;
  forget_stacks();
  forget_exhibits();
  decisions.clear();
  for (unsigned cpu = 0; cpu < kMaxCpus; ++cpu) {
    core.cpus[cpu].occupant = kNoTask;
  }
  prepare_idle_actor(0);
}

LockEdge edge_of(const LockRecord& fact) {
  return {lock_order.name(fact.from), lock_order.name(fact.to), fact.fact, fact.held_site,
          fact.taken_site};
}

Outcome collect() {
  Outcome outcome;
  outcome.found = run_found;
  if (run_found) {
    outcome.finding = current_finding;
    mix(static_cast<uint64_t>(current_finding.rule) + 0x46494E44u);
  }
  mix(core.clock);
  mix(core.point);
  outcome.digest = core.digest;
  outcome.points = core.point;
  outcome.switches = core.switches;
  outcome.clock_ns = core.clock;
  outcome.allocations = core.arena.allocations - booted_allocations;
  for (const LockRecord& fact : lock_order.learned()) {
    outcome.edges.push_back(edge_of(fact));
  }
  return outcome;
}

void switch_rules_off(uint64_t rules) {
  for (unsigned rule = 0; rules >> rule != 0; ++rule) {
    if ((rules >> rule & 1) != 0) machine().set_rule(static_cast<Rule>(rule), false);
  }
}

Outcome run_body(Tape& tape, const ExecuteOptions& options, const Body& what) {
  if (!booted) {
    fputs("kiln: an input was run before the machine was booted\n", stderr);
    abort();
  }
  body = what;
  SchedReader reader(tape.sched_bytes());
  sched_reader = &reader;
  begin_state();
  core.seeded = tape.seeded();
  core.details = options.details;
  core.recording = options.record;
  core.arena.fill = options.fill;
  switch_rules_off(options.rules_off);
  core.next_decision = reader.next_point();
  if (core.seeded) {
    init_policy(options.strategy, tape.strategy_seed());
  }
  policy_actor_created(actors[0]);
  for (unsigned id = 1; id < core.actor_limit; ++id) { // tasks of boot's
    policy_actor_created(actors[id]);
  }
  wanted_artefact = options.artefact;
  tape.record_into(options.spans);
  tape.set_point_counter(&core.point);
  run_first_task();
  Outcome outcome = collect();
  if (outcome.found && options.exhibits != nullptr) show_all(*options.exhibits);
  forget_exhibits();
  restore_snapshot();
  if (options.record) {
    std::vector<uint8_t> sched = encode_sched({decisions.data(), decisions.size()});
    outcome.tape = tape.written(sched);
  }
  return outcome;
}

void call_target(void* argument) {
  auto* arguments = static_cast<std::pair<const Target*, Run*>*>(argument);
  arguments->first->info().run(*arguments->second);
}

void check_tasks() {
  if (!rule_on(Rule::kLeakTask)) {
    return;
  }
  for (unsigned id = 1; id < core.actor_limit; ++id) {
    const Actor& a = actors[id];
    if (a.spawned_at != 0 && a.state != ActorState::kFree) {
      fail_at(Rule::kLeakTask, "the task was created here", a.spawned_at, 0,
              a.state == ActorState::kEnded
                  ? "the handle of task '%s', which has ended, is left at the end of the run"
                  : "task '%s' is left at the end of the run",
              a.name);
    }
  }
}

void check_resources() {
  static constexpr struct {
    Rule rule;
    const char* what;
  } kKinds[] = {{Rule::kLeakTimer, "armed timer"},
                {Rule::kLeakReference, "reference"},
                {Rule::kLeakMapping, "mapping"},
                {Rule::kLeakPage, "page"}};
  for (unsigned kind = 0; kind < 4; ++kind) {
    int64_t left = core.resources[kind] - booted_resources[kind];
    if (left != 0 && rule_on(kKinds[kind].rule)) {
      fail_at(kKinds[kind].rule, nullptr, 0, 0, "%lld %s%s %s at the end of the run",
              static_cast<long long>(left < 0 ? -left : left), kKinds[kind].what,
              left == 1 || left == -1 ? "" : "s", left < 0 ? "too many were given back" : "left");
    }
  }
}

void check_memory() {
  if (core.arena.live_blocks <= booted_blocks || !rule_on(Rule::kLeakMemory)) {
    return;
  }
  uint64_t left = core.arena.live_blocks - booted_blocks;
  const BlockHeader first =
      Arena::header_of(core.arena.first_live(static_cast<uint32_t>(booted_allocations)));
  fail_at(Rule::kLeakMemory, "the first one was allocated here", first.site, 0,
          "%llu %s of the heap left at the end of the run, the first of %u bytes",
          static_cast<unsigned long long>(left), left == 1 ? "block is" : "blocks are", first.size);
}

bool somebody_runs() {
  for (unsigned id = 1; id < core.actor_limit; ++id) {
    if (actors[id].state == ActorState::kOnCpu || actors[id].state == ActorState::kReady) {
      return true;
    }
  }
  return false;
}

/// Tasks that are on their way (to their end, to their next wait) get there.
void drain() {
  while (somebody_runs()) {
    hal::yield();
  }
}

void boot_body(void*) { the_kernel.boot(); }

[[noreturn]] void leave_run() {
  switch_fiber(core.current->fiber, runner_fiber);
  __builtin_unreachable();
}

} // namespace

void record_decision(uint64_t point, unsigned index) {
  decisions.push_back(Decision{point, static_cast<uint8_t>(index)});
}

void prepare_idle_actor(unsigned cpu) {
  uint16_t id = idle_actor_id(cpu);
  prepare_actor(
      actors[id], id, "(idle)",
      [](void* argument) {
        idle_actor_body(static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument)));
      },
      reinterpret_cast<void*>(uintptr_t{cpu}));
  actors[id].home = static_cast<uint8_t>(cpu);
  actors[id].state = ActorState::kIdle;
}

void abandon_run() {
  run_found = true;
  leave_run();
}

bool artefact_wanted() { return wanted_artefact != nullptr; }

void Machine::artefact(std::span<const uint8_t> bytes) {
  if (wanted_artefact == nullptr) return;
  wanted_artefact->emplace(bytes.begin(), bytes.end());
  leave_run();
}

void end_run() {
  drain();
  if (!core.booting) {
    check_tasks();
    check_resources();
    check_memory();
  }
  actors[0].state = ActorState::kFree;
  switch_fiber(actors[0].fiber, runner_fiber);
  __builtin_unreachable();
}

void set_kernel(const Kernel& kernel) { the_kernel = kernel; }
const Kernel& kernel() { return the_kernel; }

bool boot(std::string* error, Finding* finding) {
  const char* why = nullptr;
  if (!map_machine_memory(&why)) {
    *error = why;
    return false;
  }
  init_fibers();
  core.arena.init(kArenaBase, kArenaBytes);
  model_heap.init(kModelBase, kModelBytes);
  core.queue_head = kNoTask;
  core.queue_tail = kNoTask;
  for (Cpu& cpu : core.cpus) {
    cpu = Cpu{static_cast<uint16_t>(kNoTask), 0, 0, kNever};
  }
  core.arena.fill = 0xA5;
  begin_state();
  core.next_decision = kNever;
  core.booting = true;
  body = {boot_body, nullptr};
  run_first_task();
  core.booting = false;
  if (run_found) {
    *error = std::string("the kernel does not boot: ") + current_finding.headline;
    if (finding != nullptr) *finding = current_finding;
    return false;
  }
  memcpy(booted_resources, core.resources, sizeof booted_resources);
  booted_blocks = core.arena.live_blocks;
  booted_allocations = core.arena.allocations;
  core.tasks_alive = 0;
  for (unsigned id = 1; id < kMaxTasks; ++id) {
    actors[id].spawned_at = 0; // a task of boot's may stay
  }
  take_snapshot();
  booted = true;
  return true;
}

Outcome execute(const Target& target, Tape& tape, const ExecuteOptions& options) {
  Run run{tape, machine()};
  std::pair<const Target*, Run*> arguments{&target, &run};
  return run_body(tape, options, {call_target, &arguments});
}

Outcome execute_feed(const Target& target, std::string_view name, std::span<const uint8_t> bytes,
                     std::string& out, const ExecuteOptions& options) {
  struct Arguments {
    const Target& target;
    std::string_view name;
    std::span<const uint8_t> bytes;
    HostVector<char> words;
  } arguments{target, name, bytes, {}};
  Tape empty{std::span<const uint8_t>()};
  Outcome outcome = run_body(empty, options,
                             {[](void* argument) {
                                auto& a = *static_cast<Arguments*>(argument);
                                std::string words;
                                Feed feed{machine(), a.name, a.bytes, words};
                                a.target.info().feed(feed);
                                a.words.assign(words.begin(), words.end());
                              },
                              &arguments});
  out.assign(arguments.words.begin(), arguments.words.end());
  return outcome;
}

std::vector<LockEdge> booted_lock_edges() {
  std::vector<LockEdge> edges;
  size_t booted_facts = lock_order.records().size() - lock_order.learned().size();
  for (const LockRecord& fact : lock_order.records().first(booted_facts)) {
    edges.push_back(edge_of(fact));
  }
  return edges;
}

uint64_t machine_hash() { return hash_machine(); }
uint64_t machine_generation() {
  static const uint64_t generation = hash_machine();
  return generation;
}

const char* task_name(unsigned task) {
  return task < kMaxTasks && actors[task].name != nullptr ? actors[task].name : "(idle)";
}

} // namespace kiln::sim
