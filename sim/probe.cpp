// The registry of probes. As with targets, static constructors of other files come in any order.

#include "sim/probe.h"

#include <cstdio>
#include <cstdlib>

namespace kiln::sim {
namespace {

constinit uint64_t g_counters[kMaxProbes] = {};
constinit const Probe* g_first = nullptr;
constinit unsigned g_count = 0;

} // namespace

constinit uint64_t* probe_counters = g_counters;

Probe::Probe(const char* target, const char* name)
    : target_(target), name_(name), index_(g_count), next_(g_first) {
  if (g_count == kMaxProbes) {
    std::fprintf(stderr, "More than %u probes: raise kMaxProbes in sim/probe.h.\n", kMaxProbes);
    std::abort();
  }
  ++g_count;
  g_first = this;
}

const Probe* Probe::first() { return g_first; }
unsigned Probe::count() { return g_count; }

} // namespace kiln::sim
