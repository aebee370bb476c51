// The libFuzzer program: the same targets, tapes and machine under libFuzzer's search.
//
//   kiln-fuzzer --target=lib/format corpus/
//
// A finding prints its headline and stacks and aborts, so that libFuzzer saves the tape; the file
// is a raw tape, and a raw tape of kiln's is an input here. Coverage comes from the kernel's
// functions (cmake/coverage-allow.txt) and from probes.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sanitizer/common_interface_defs.h>

#include "gates/cli/fuzzer_options.h"
#include "gates/mutate/mutator.h"
#include "gates/mutate/parent_cache.h"
#include "gates/support/exit_code.h"
#include "sim/engine.h"
#include "sim/prng.h"
#include "sim/probe.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace kiln::gates {
namespace {

/// libFuzzer takes these for counters, and clears them before each input. Their section is their
/// interface (its start and end are symbols of the linker).
__attribute__((section("__libfuzzer_extra_counters"))) uint8_t probe_hits[sim::kMaxProbes];

constexpr size_t kParentsRemembered = 512;
/// A parent without a record is run for one in so many of its mutations.
constexpr uint64_t kRecordOneIn = 8;

const sim::Target* fuzzed;
std::vector<std::string> arguments;
std::vector<char*> argument_pointers;
ParentCache parents(kParentsRemembered);

[[noreturn]] void refuse(const std::string& sentence) {
  std::fprintf(stderr, "kiln-fuzzer: %s\n", sentence.c_str());
  std::exit(status_of(ExitCode::kUsage));
}

void print_stack(const char* title, const sim::Stack& stack) {
  if (stack.count == 0) return;
  std::fprintf(stderr, "%s\n", title);
  for (unsigned i = 0; i < stack.count; ++i) {
    char line[512];
    // The call stands before the address that it returns to.
    auto* pc = reinterpret_cast<void*>(stack.pc[i] - (i == 0 ? 0 : 1)); // NOLINT
    __sanitizer_symbolize_pc(pc, "%F %S", line, sizeof line);
    std::fprintf(stderr, "    #%u %s\n", i, line);
  }
}

[[noreturn]] void report(const sim::Finding& finding) {
  std::fprintf(stderr, "\nkiln: %s: %s: %s\n", fuzzed->info().name,
               std::string(sim::rule_name(finding.rule)).c_str(), finding.headline);
  print_stack("  where:", finding.stack);
  if (finding.has_other != 0) print_stack(finding.other_label, finding.other);
  std::fprintf(stderr,
               "The file that libFuzzer now saves replays with: "
               "python3 scripts/fuzz.py --replay %s FILE --raw\n",
               fuzzed->info().name);
  std::abort();
}

sim::Outcome run(std::span<const uint8_t> bytes, sim::TapeRecord* record) {
  sim::Tape tape(bytes);
  sim::ExecuteOptions options;
  options.spans = record;
  return sim::execute(*fuzzed, tape, options);
}

void count_probes() {
  for (unsigned i = 0; i < sim::Probe::count(); ++i) {
    probe_hits[i] = static_cast<uint8_t>(std::min<uint64_t>(sim::probe_counters[i], 0xFF));
    sim::probe_counters[i] = 0;
  }
}

/// The parent's record: known, made now, or none.
const KnownParent* know(std::span<const uint8_t> tape, uint64_t chance) {
  const KnownParent* known = parents.find(tape);
  if (known != nullptr || sim::mix64(chance) % kRecordOneIn != 0) return known;
  KnownParent fresh;
  fresh.points = run(tape, &fresh.record).points;
  return &parents.remember(tape, std::move(fresh));
}

MutationParent parent_of(std::span<const uint8_t> tape, const KnownParent* known) {
  if (known == nullptr) return {tape};
  return {tape, &known->record, known->points};
}

size_t give_back(std::span<const uint8_t> tape, uint8_t* out) {
  std::memcpy(out, tape.data(), tape.size());
  return tape.size();
}

void replace_arguments(int* count, char*** values) {
  argument_pointers.clear();
  for (std::string& argument : arguments) {
    argument_pointers.push_back(argument.data());
  }
  *count = static_cast<int>(argument_pointers.size());
  argument_pointers.push_back(nullptr);
  *values = argument_pointers.data();
}

} // namespace
} // namespace kiln::gates

using namespace kiln::gates; // NOLINT: the functions below are libFuzzer's

extern "C" int LLVMFuzzerInitialize(int* count, char*** values) {
  arguments.assign(*values, *values + *count);
  std::string error;
  fuzzed = choose_fuzzed_target(arguments, std::getenv("KILN_TARGET"), &error);
  if (fuzzed == nullptr || !kiln::sim::boot(&error)) refuse(error);
  arguments = with_fuzzer_defaults(std::move(arguments), *fuzzed);
  replace_arguments(count, values);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const kiln::sim::Outcome outcome = run({data, size}, nullptr);
  count_probes();
  if (outcome.found) report(outcome.finding);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  const std::vector<uint8_t> parent(data, data + size);
  const KnownParent* known = know(parent, seed);
  return give_back(mutate(parent_of(parent, known), most, seed, LLVMFuzzerMutate), data);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,
                                            const uint8_t* second, size_t second_size, uint8_t* out,
                                            size_t most, unsigned seed) {
  const std::span<const uint8_t> a(first, first_size);
  const std::span<const uint8_t> b(second, second_size);
  // Looking the second one up may forget the first: it is made known last.
  know(b, seed);
  const KnownParent* known_a = know(a, seed + 1);
  const KnownParent* known_b = parents.find(b);
  return give_back(cross_over(parent_of(a, known_a), parent_of(b, known_b), most, seed), out);
}

/// A small quarantine: millions of inputs follow each other in one process, and what the kernel
/// frees has the machine's own.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=16:malloc_context_size=1:detect_stack_use_after_return=0";
}
