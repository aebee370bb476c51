// Lock order without interrupts.
//
// Columns are the kinds of locks; 'L' in a program is the column's way of taking. A case names the
// columns that must stay silent; elsewhere the rule must be found. Recursive readers ("rlock")
// never block each other; those of a reader-writer mutex ("rsem") and queueing readers ("slock")
// may.

#include "tests/sim/lock_matrix.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "tests/sim/lock_program.h"

namespace kiln::sim {
namespace {

struct Column {
  const char* name;
  char take;
};
constexpr Column kColumns[] = {{"spin", 'x'},  {"wlock", 'w'}, {"rlock", 'r'}, {"slock", 's'},
                               {"mutex", 'm'}, {"wsem", 'W'},  {"rsem", 'R'}};

// "AB BC" -> tasks that take A then B, and B then C, and release in reverse.
std::string pair(char first, char second) {
  return std::string("L") + first + " L" + second + " -" + second + " -" + first;
}
std::vector<std::string> pairs(std::string_view text) {
  std::vector<std::string> runs;
  for (size_t i = 0; i + 1 < text.size(); i += 3) {
    runs.push_back(pair(text[i], text[i + 1]));
  }
  return runs;
}

void in_all_columns(std::vector<LockCase>& out, const std::string& name,
                    const std::vector<std::string>& runs, std::optional<Rule> breaks,
                    std::string_view silent = "") {
  for (const Column& column : kColumns) {
    LockCase one{name + "/" + column.name, {}, breaks};
    for (const std::string& run : runs) {
      one.runs.push_back(LockProgram::in_column(run, column.take));
    }
    if (!silent.empty() && silent == column.name) {
      one.breaks.reset();
    }
    out.push_back(one);
  }
}

void add_cycles(std::vector<LockCase>& out) {
  constexpr struct {
    const char* name;
    const char* pairs;
  } kCycles[] = {
      {"A-B-B-A", "AB BA"},
      {"A-B-B-C-C-A", "AB BC CA"},
      {"A-B-C-A-B-C", "AB CA BC"},
      {"A-B-B-C-C-D-D-A", "AB BC CD DA"},
      {"A-B-C-D-B-D-D-A", "AB CD BD DA"},
      {"A-B-C-D-B-C-D-A", "AB CD BC DA"},
      {"cycle of six", "AB BC CD DE EF FA"},
  };
  for (const auto& cycle : kCycles) {
    in_all_columns(out, cycle.name, pairs(cycle.pairs), Rule::kLockOrder, "rlock");
  }
  in_all_columns(out, "A-A", {"LA LA"}, Rule::kLockRecursion, "rlock");
  in_all_columns(out, "A-A of one class", {"LX1 LX2"}, Rule::kLockOrder, "rlock");
  in_all_columns(out, "same order twice", pairs("AB AB"), std::nullopt);
  in_all_columns(out, "no cycle: AB BC AC", pairs("AB BC AC"), std::nullopt);
  in_all_columns(out, "three held", {"LA LB LC -C -B -A", "LC LA -A -C"}, Rule::kLockOrder,
                 "rlock");
}

void add_releases(std::vector<LockCase>& out) {
  in_all_columns(out, "double unlock", {"LA -A -A"}, Rule::kLockNotHeld);
  in_all_columns(out, "unlock of another", {"LA -B"}, Rule::kLockNotHeld);
  in_all_columns(out, "initialise held", {"LA !A"}, Rule::kLockDestroyedHeld);
  in_all_columns(out, "destroyed after release", {"LA -A !A"}, std::nullopt);
  in_all_columns(out, "bad unlock order", {"LA LB -A -B"}, std::nullopt);
  in_all_columns(out, "non-nested unlock, then taken", {"LA LB -A LC -B -C", "LA LC -C -A"},
                 std::nullopt);
}

// A mix of readers and writers by pairs: "w1r2 w2r3" -> tasks; every order of the tasks.
void add_mix(std::vector<LockCase>& out, const std::string& name,
             const std::vector<std::string>& runs, std::optional<Rule> breaks) {
  for (const Permutation& order : permutations(runs)) {
    out.push_back({name + "/" + order.name, order.events, breaks});
  }
}

void add_recursive_reads(std::vector<LockCase>& out) {
  out.push_back({"recursive read of one lock", {"rA rA -A -A"}, {}});
  out.push_back({"recursive read of one class", {"rX1 rX2 -X2 -X1"}, {}});
  out.push_back({"queueing read, then recursive", {"sA rA -A -A"}, {}});
  out.push_back({"recursive read, then queueing", {"rA sA"}, Rule::kLockRecursion});
  out.push_back({"read again of a mutex", {"RA RA"}, Rule::kLockRecursion});
  out.push_back({"read again of a class of mutexes", {"RX1 RX2"}, Rule::kLockOrder});
  for (const char* read : {"r", "s", "R"}) {
    std::string write = *read == 'R' ? "W" : "w";
    out.push_back({std::string("write under read/") + read,
                   {read + std::string("A ") + write + "A"},
                   Rule::kLockRecursion});
    out.push_back({std::string("read under write/") + read,
                   {write + "A " + read + "A"},
                   Rule::kLockRecursion});
    out.push_back({std::string("write under read, one class/") + read,
                   {read + std::string("X1 ") + write + "X2"},
                   Rule::kLockOrder});
    out.push_back({std::string("read under write, one class/") + read,
                   {write + "X1 " + read + "X2"},
                   Rule::kLockOrder});
  }
}

void add_mixes(std::vector<LockCase>& out) {
  add_mix(out, "mixed rlock-lock/lock-wlock ABBA", {"rX xY -Y -X", "xY wX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed rlock-lock/lock-rlock ABBA", {"rX xY -Y -X", "xY rX -X -Y"}, {});
  add_mix(out, "mixed slock-lock/lock-slock ABBA", {"sX xY -Y -X", "xY sX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed slock-lock/lock-rlock ABBA", {"sX xY -Y -X", "xY rX -X -Y"}, {});
  add_mix(out, "mixed rlock-lock/lock-slock ABBA", {"rX xY -Y -X", "xY sX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed wlock-lock/lock-wlock ABBA", {"wX xY -Y -X", "xY wX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed wlock-lock/lock-rlock ABBA", {"wX xY -Y -X", "xY rX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed rsem-mutex/mutex-wsem ABBA", {"RX mY -Y -X", "mY WX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed rsem-mutex/mutex-rsem ABBA", {"RX mY -Y -X", "mY RX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "mixed wsem-mutex/mutex-wsem ABBA", {"WX mY -Y -X", "mY WX -X -Y"},
          Rule::kLockOrder);
  add_mix(out, "rlock W1R2/W2R3/W3R1", {"wX rY -Y -X", "wY rZ -Z -Y", "wZ rX -X -Z"},
          Rule::kLockOrder);
  add_mix(out, "rlock W1W2/R2R3/W3R1", {"wX wY -Y -X", "rY rZ -Z -Y", "wZ rX -X -Z"},
          Rule::kLockOrder);
  add_mix(out, "rlock W1W2/R2R3/R3W1", {"wX wY -Y -X", "rY rZ -Z -Y", "rZ wX -X -Z"}, {});
  add_mix(out, "rlock W1R2/R2R3/W3W1", {"wX rY -Y -X", "rY rZ -Z -Y", "wZ wX -X -Z"}, {});
  add_mix(out, "rlock R1R2/R2R3/R3R1", {"rX rY -Y -X", "rY rZ -Z -Y", "rZ rX -X -Z"}, {});
  out.push_back({"known chain, then its writer: rX xY/xY rX/xY wX",
                 {"rX xY -Y -X", "xY rX -X -Y", "xY wX -X -Y"},
                 Rule::kLockOrder});
  out.push_back({"held behind a reader: wA rB xC/xC wA",
                 {"wA rB xC -C -B -A", "xC wA -A -C"},
                 Rule::kLockOrder});
}

void add_trylocks(std::vector<LockCase>& out) {
  out.push_back({"trylock gives no edge to it", {"xA tB -B -A", "xB xA -A -B"}, {}});
  out.push_back({"trylock counts as held", {"tA xB -B -A", "xB xA -A -B"}, Rule::kLockOrder});
  out.push_back({"trylock of one class", {"xX1 tX2 -X2 -X1"}, {}});
  out.push_back({"trylock of a lock held", {"xA tA"}, Rule::kLockRecursion});
  out.push_back({"read trylock of a lock read", {"sA uA -A -A"}, {}});
  out.push_back({"trylock in the middle", {"xA tB xC -C -B -A", "xC xA -A -C"}, Rule::kLockOrder});
  out.push_back({"nested in its class", {"xX1 nX2 -X2 -X1"}, {}});
  out.push_back({"nested is still itself", {"xX1 nX1"}, Rule::kLockRecursion});
  out.push_back({"nested, with another in between", {"xX1 xY nX2 -X2 -Y -X1"}, Rule::kLockOrder});
}

// What may be taken under what, as to waiting.
void add_wait_contexts(std::vector<LockCase>& out) {
  constexpr std::string_view kSpinning = "xwrs";
  constexpr std::string_view kSleeping = "mWR";
  for (char inner : std::string("xwrsmWR")) {
    bool sleeps = kSleeping.find(inner) != std::string_view::npos;
    std::string take = std::string(1, inner) + "B -B";
    auto wrong = sleeps ? std::optional(Rule::kLockContext) : std::nullopt;
    for (char outer : std::string("xwrsmWR")) {
      bool spins = kSpinning.find(outer) != std::string_view::npos;
      out.push_back({std::string("wait context: ") + inner + " in " + outer,
                     {std::string(1, outer) + "A " + take + " -A"},
                     spins ? wrong : std::nullopt});
    }
    out.push_back({std::string("wait context: ") + inner + " in irq", {"irq{ " + take}, wrong});
    out.push_back(
        {std::string("wait context: ") + inner + " in soft IRQ", {"soft{ " + take}, wrong});
    out.push_back(
        {std::string("wait context: ") + inner + " with irqs off", {"off " + take}, wrong});
    out.push_back({std::string("wait context: ") + inner + " in the open", {take}, {}});
  }
}

} // namespace

std::vector<Permutation> permutations(const std::vector<std::string>& events) {
  std::vector<size_t> order(events.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<Permutation> out;
  do {
    Permutation one;
    for (size_t i : order) {
      one.name += static_cast<char>('1' + i);
      one.events.push_back(events[i]);
    }
    out.push_back(one);
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

std::vector<LockCase> order_cases() {
  std::vector<LockCase> out;
  add_cycles(out);
  add_releases(out);
  add_recursive_reads(out);
  add_mixes(out);
  add_trylocks(out);
  add_wait_contexts(out);
  return out;
}

} // namespace kiln::sim
