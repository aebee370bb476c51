// Locks and interrupts: each family in its hard and its soft form, per kind of spin lock, in every
// order of its events. Readers that pass waiting writers ("rlock") may be taken in an interrupt
// over another reader; readers that queue ("slock") may not.

#include <string_view>

#include "tests/sim/lock_matrix.h"
#include "tests/sim/lock_program.h"

namespace kiln::sim {
namespace {

struct Column {
  const char* name;
  char take;
};
constexpr Column kColumns[] = {{"spin", 'x'}, {"wlock", 'w'}, {"rlock", 'r'}, {"slock", 's'}};

struct Flavour {
  const char* name;
  bool soft;
};
constexpr Flavour kFlavours[] = {{"hard-", false}, {"soft-", true}};

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// "i{ }i OFF ON" in the words of a flavour.
std::string in_flavour(std::string text, const Flavour& flavour) {
  text = replace_all(text, "i{", flavour.soft ? "soft{" : "irq{");
  text = replace_all(text, "}i", flavour.soft ? "}soft" : "}irq");
  text = replace_all(text, "OFF", flavour.soft ? "soft-off" : "off");
  return replace_all(text, "ON", flavour.soft ? "soft-on" : "on");
}

struct Family {
  const char* name;
  std::vector<std::string> events;
  std::optional<Rule> breaks;
  std::string_view silent; ///< the column in which all is well
  bool early = false;
};

void add_family(std::vector<LockCase>& out, const Family& family) {
  for (const Flavour& flavour : kFlavours) {
    for (const Column& column : kColumns) {
      for (const Permutation& order : permutations(family.events)) {
        LockCase one{flavour.name + std::string(family.name) + "/" + column.name + "/" + order.name,
                     {},
                     column.name == family.silent ? std::nullopt : family.breaks,
                     family.early};
        for (const std::string& event : order.events) {
          one.runs.push_back(LockProgram::in_column(in_flavour(event, flavour), column.take));
        }
        out.push_back(one);
      }
    }
  }
}

const std::string kInIrq = "i{ LA -A }i";
const std::string kOpenB = "LB -B";

void add_usage(std::vector<LockCase>& out) {
  add_family(out, {"irqs-on + irq-safe-A", {kInIrq, "LA -A"}, Rule::kLockIrq, "rlock"});
  add_family(out, {"safe-A + irqs-on", {kInIrq, "OFF LA ON -A"}, Rule::kLockIrq, "rlock"});
  add_family(out, {"safe-A, always off", {kInIrq, "OFF LA -A ON"}, {}, ""});
  add_family(out, {"irqs-on, used in the other kind only", {"OFF LA -A ON", "LA -A"}, {}, ""});
  // Soft IRQs cannot come while interrupts are off; they can once those are on again.
  for (const Column& column : kColumns) {
    for (const Permutation& order : permutations({"soft{ LA -A }soft", "off LA on -A"})) {
      LockCase one{"sirq-safe-A => hirqs-on/" + std::string(column.name) + "/" + order.name,
                   {},
                   column.take == 'r' ? std::nullopt : std::optional(Rule::kLockIrq)};
      for (const std::string& event : order.events) {
        one.runs.push_back(LockProgram::in_column(event, column.take));
      }
      out.push_back(one);
    }
  }
}

void add_order(std::vector<LockCase>& out) {
  // With interrupts on around A too, A alone is wrong already.
  add_family(
      out,
      {"safe-A + unsafe-B #1", {"LA LB -B -A", kOpenB, kInIrq}, Rule::kLockIrq, "rlock", true});
  add_family(out, {"safe-A + unsafe-B #2",
                   {"OFF LA LB -B -A ON", kOpenB, kInIrq},
                   Rule::kLockIrqOrder,
                   "rlock"});
  add_family(out, {"safe-A + unsafe-C through B",
                   {"OFF LA LB -B -A ON", "OFF LB LC -C -B ON", "LC -C", kInIrq},
                   Rule::kLockIrqOrder,
                   "rlock"});
  add_family(out, {"safe-A + B turned unsafe",
                   {"OFF LA LB -B -A ON", "OFF LB ON -B", kInIrq},
                   Rule::kLockIrqOrder,
                   "rlock"});
  add_family(out, {"safe-A + safe-B", {"OFF LA LB -B -A ON", kInIrq, "OFF LB -B ON"}, {}, ""});
  add_family(out, {"unsafe-B before safe-A", {"LB OFF LA -A ON -B", kOpenB, kInIrq}, {}, ""});
}

void add_readers(std::vector<LockCase>& out) {
  add_family(out, {"irq lock-inversion",
                   {"OFF wA LB -B -A ON", kOpenB, "i{ rA -A }i"},
                   Rule::kLockIrqOrder,
                   "rlock"});
  add_family(out, {"irq read-recursion", {"OFF wA -A ON", "rA -A", "i{ rA xB -B -A }i"}, {}, ""});
  add_family(out, {"irq read-recursion #2",
                   {"OFF xB LA -A -B ON", "rA -A", "i{ xB -B }i"},
                   Rule::kLockIrqOrder,
                   "rlock"});
  // A reader is held over B; the interrupt's reader passes it.
  add_family(out, {"irq read-recursion #3", {"OFF rA LB -B -A ON", kOpenB, "i{ rA -A }i"}, {}, ""});
  add_family(out, {"irq reader that queues", {"rA -A", "i{ sA -A }i"}, Rule::kLockIrq, ""});
  add_family(out, {"irq reader over a writer", {"wA -A", "i{ rA -A }i"}, Rule::kLockIrq, ""});
  add_family(out, {"irq writer over a reader", {"rA -A", "i{ wA -A }i"}, Rule::kLockIrq, ""});
}

void add_rest(std::vector<LockCase>& out) {
  out.push_back(
      {"used in irq, soft IRQs off elsewhere", {"irq{ xA -A }irq", "soft-off xA"}, Rule::kLockIrq});
  out.push_back({"used in soft IRQ, interrupts on elsewhere, soft IRQs off",
                 {"soft{ xA -A }soft", "soft-off xA -A"},
                 {}});
  out.push_back(
      {"used in irq and, open, in soft IRQ", {"irq{ xA -A }irq", "soft{ xA"}, Rule::kLockIrq});
  out.push_back(
      {"an interrupt in a soft IRQ", {"soft{ irq{ xA -A }irq }soft", "off xA -A on"}, {}});
  out.push_back({"trylock in an interrupt", {"irq{ tA -A }irq", "xA -A"}, {}});
  out.push_back({"trylock with interrupts on", {"irq{ xA -A }irq", "tA"}, Rule::kLockIrq});
  out.push_back({"order is per context", {"xA irq{ xB -B }irq -A", "off xB on"}, Rule::kLockIrq});
  out.push_back(
      {"a handler's own order counts", {"irq{ xA xB -B -A }irq", "off xB xA"}, Rule::kLockOrder});
  out.push_back(
      {"hard order is not soft order",
       {"soft-off off xA xB -B -A on soft-on", "off xB -B on", "soft{ off xA -A on }soft"},
       {}});
}

} // namespace

std::vector<LockCase> interrupt_cases() {
  std::vector<LockCase> out;
  add_usage(out);
  add_order(out);
  add_readers(out);
  add_rest(out);
  return out;
}

} // namespace kiln::sim
