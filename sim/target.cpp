// The registry of targets. Targets register from static constructors of other files, in any order:
// the head of the list is set at compile time.

#include "sim/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace kiln::sim {
namespace {

constinit const Target* g_first = nullptr;

bool by_name(const Target* a, const Target* b) {
  return std::string_view(a->info().name) < std::string_view(b->info().name);
}

} // namespace

Target::Target(const TargetInfo& info) : info_(info), next_(g_first) {
  if (find(info.name) != nullptr) {
    std::fprintf(stderr, "Two targets are named '%s': give one another name.\n", info.name);
    std::abort();
  }
  g_first = this;
}

const Target* Target::first() { return g_first; }

const Target* Target::find(std::string_view name) {
  for (const Target* target = g_first; target != nullptr; target = target->next()) {
    if (target->info().name == name) return target;
  }
  return nullptr;
}

std::vector<const Target*> Target::all() {
  std::vector<const Target*> targets;
  for (const Target* target = g_first; target != nullptr; target = target->next()) {
    targets.push_back(target);
  }
  std::sort(targets.begin(), targets.end(), by_name);
  return targets;
}

} // namespace kiln::sim
