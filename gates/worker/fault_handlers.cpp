#include "gates/worker/fault_handlers.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <ucontext.h>
#include <unistd.h>

#include "gates/worker/death.h"
#include "gates/worker/death_note.h"
#include "sim/engine.h"

namespace kiln::gates {

namespace {

DeathNote* note_of_worker = nullptr;

constexpr size_t kAlternateStackBytes = size_t{256} << 10;

struct Fault {
  sim::Rule rule;
  const char* headline;
};

Fault classify_access(const siginfo_t& info) {
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  // SI_KERNEL: the processor gave no address, as for a non-canonical one.
  if (info.si_code == SI_KERNEL) {
    return {sim::Rule::kCrash, "the processor faults: an address that no memory can have"};
  }
  if (address < 65536) {
    return {sim::Rule::kCrash, "the processor faults: an access near the null address"};
  }
  return {sim::Rule::kCrash, "the processor faults: an access to memory that is not mapped so"};
}

Fault classify(int signal, const siginfo_t& info) {
  switch (signal) {
  case SIGILL:
  case SIGTRAP:
    return {sim::Rule::kUndefined,
            "a trap of the compiler: an index out of bounds, or code that must not be reached"};
  case SIGFPE:
    return {sim::Rule::kCrash, "the processor faults: a division by zero, or one that overflows"};
  case SIGBUS:
    return {sim::Rule::kCrash, "the processor faults: memory that cannot be had (SIGBUS)"};
  default:
    return classify_access(info);
  }
}

struct Registers {
  uint64_t pc;
  uint64_t frame_pointer;
};

Registers registers_of(void* context) {
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  return {static_cast<uint64_t>(machine.gregs[REG_RIP]),
          static_cast<uint64_t>(machine.gregs[REG_RBP])};
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
      sim::first_write(reinterpret_cast<uint64_t>(info->si_addr))) {
    return;
  }
  // Sent by another process, not by the processor: it says nothing about the input.
  bool from_outside = info->si_code <= 0 && info->si_pid != getpid();
  if (from_outside) std::raise(SIGKILL);
  Fault fault = classify(signal, *info);
  Registers at = registers_of(context);
  // An address only where the processor gave one: the machine tells stack overflows from it.
  bool has_address = (signal == SIGSEGV || signal == SIGBUS) && info->si_code != SI_KERNEL;
  auto address = has_address ? reinterpret_cast<uint64_t>(info->si_addr) : 0;
  sim::fault_in_run(fault.rule, fault.headline, at.pc, at.frame_pointer, address);
  // No run was under way: the worker itself is broken.
  leave_note(*note_of_worker, fault.rule, fault.headline, at.pc, at.frame_pointer);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_hang(int, siginfo_t*, void* context) {
  Registers at = registers_of(context);
  sim::fault_in_run(sim::Rule::kHang, kTimeOut, at.pc, at.frame_pointer);
}

void install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  // Not deferred: the handler is left by a switch to another stack and never returns.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

} // namespace

int hang_signal() { return SIGUSR1; }

void install_fault_handlers(DeathNote& note) {
  note_of_worker = &note;
  static void* stack = std::malloc(kAlternateStackBytes);
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = kAlternateStackBytes;
  sigaltstack(&alternate, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    install(signal, on_fault);
  install(hang_signal(), on_hang);
  install(SIGPROF, on_hang); // time of the processor, for a try of a mutant
}

} // namespace kiln::gates
