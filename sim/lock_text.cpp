// Lock findings in words. No address, so that the sentence is part of what two runs compare.

#include <cstdarg>
#include <cstdio>

#include "sim/lock_order.h"

namespace kiln::sim {
namespace {

// Appends to a text of fixed size; what does not fit is cut.
class Text {
 public:
  Text(char* out, size_t size) : out_(out), size_(size) { add("%s", ""); }
  void add(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    if (used_ >= size_) {
      return;
    }
    va_list arguments;
    va_start(arguments, format);
    int n = std::vsnprintf(out_ + used_, size_ - used_, format, arguments);
    va_end(arguments);
    used_ += n > 0 ? static_cast<size_t>(n) : 0;
  }

 private:
  char* out_;
  size_t size_;
  size_t used_ = 0;
};

const char* interrupts(const LockVerdict& verdict) {
  return verdict.soft ? "soft IRQs" : "interrupts";
}

const char* how_taken(LockFact edge) { return taken_recursive(edge) ? " (recursive reader)" : ""; }

void add_chain(const LockOrder& order, const LockVerdict& verdict, Text& text) {
  text.add("'%s'", order.name(verdict.chain[0].from));
  for (unsigned i = 0; i < verdict.length; ++i) {
    const LockStep& step = verdict.chain[i];
    text.add(" -> '%s'%s", order.name(step.to), how_taken(step.fact));
  }
  if (verdict.truncated) {
    text.add(" -> ...");
  }
}

void recursion(const LockOrder& order, const LockVerdict& verdict, Text& text) {
  text.add("lock '%s' is taken again by its holder", order.name(verdict.taking));
  if (verdict.shared_again) {
    text.add(", both times as a reader: a writer that waits in between would block it for good");
  }
}

void lock_order(const LockOrder& order, const LockVerdict& verdict, Text& text) {
  if (verdict.taking == verdict.other) {
    text.add("two locks of class '%s' are held at once, and nothing says in which order",
             order.name(verdict.taking));
    return;
  }
  text.add("lock '%s' is taken while '%s' is held, which closes a cycle: ",
           order.name(verdict.taking), order.name(verdict.other));
  add_chain(order, verdict, text);
}

void lock_irq(const LockOrder& order, const LockVerdict& verdict, Text& text) {
  const char* name = order.name(verdict.taking);
  if (is_used_in(verdict.fact)) {
    text.add("lock '%s' is taken in %s, and elsewhere is held with %s on", name,
             interrupts(verdict), interrupts(verdict));
  } else if (verdict.at_enable) {
    text.add("%s are turned on while lock '%s' is held, which %s take", interrupts(verdict), name,
             interrupts(verdict));
  } else {
    text.add("lock '%s' is taken with %s on, which take it too", name, interrupts(verdict));
  }
}

void lock_irq_order(const LockOrder& order, const LockVerdict& verdict, Text& text) {
  text.add("lock '%s', which %s take, is held while '%s' is waited for, which is held elsewhere "
           "with %s on: ",
           order.name(verdict.irq_class), interrupts(verdict), order.name(verdict.other),
           interrupts(verdict));
  add_chain(order, verdict, text);
}

} // namespace

void lock_headline(const LockOrder& order, const LockVerdict& verdict, char* out, size_t size) {
  Text text(out, size);
  switch (verdict.rule) {
  case Rule::kLockRecursion:
    return recursion(order, verdict, text);
  case Rule::kLockOrder:
    return lock_order(order, verdict, text);
  case Rule::kLockIrq:
    return lock_irq(order, verdict, text);
  default:
    return lock_irq_order(order, verdict, text);
  }
}

void lock_other_label(const LockOrder& order, const LockVerdict& verdict, char* out, size_t size) {
  Text text(out, size);
  if (verdict.rule == Rule::kLockRecursion || verdict.taking == verdict.other) {
    if (verdict.rule != Rule::kLockIrq && verdict.rule != Rule::kLockIrqOrder) {
      return text.add("lock '%s' was first taken here", order.name(verdict.taking));
    }
  }
  if (verdict.rule == Rule::kLockOrder) {
    return text.add("lock '%s' was taken the other way round here", order.name(verdict.other));
  }
  bool other_is_open = !is_edge(verdict.fact) && is_used_in(verdict.fact);
  if (other_is_open) {
    return text.add("lock '%s' was held with %s on here", order.name(verdict.other),
                    interrupts(verdict));
  }
  text.add("lock '%s' was taken in %s here", order.name(verdict.irq_class),
           verdict.soft ? "a soft IRQ" : "an interrupt");
}

} // namespace kiln::sim
