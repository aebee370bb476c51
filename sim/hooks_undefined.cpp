// UndefinedBehaviorSanitizer's handlers while an input runs: a report becomes a finding of the
// machine, in process, instead of the end of the worker. The linker leads the instrumented code
// to the functions here (--wrap, cmake/hooks.cmake); outside of a run they print and abort.
//
// The records that the compiler passes are those of compiler-rt's ubsan_handlers.h, by layout: a
// source location, then type descriptors.

#include <cstdint>
#include <cstdio>

#include "sim/core.h"

namespace kiln::sim {

namespace {

struct TypeDescriptor {
  uint16_t kind; ///< 0 integer
  uint16_t info; ///< integers: log2 of the width above bit 0, which says signed
  char name[1];  ///< with quotes
};
struct Place {
  const char* file;
  uint32_t line;
  uint32_t column;
};
struct Overflow {
  Place place;
  const TypeDescriptor* type;
};
struct Shift {
  Place place;
  const TypeDescriptor* left;
  const TypeDescriptor* right;
};
struct OutOfBounds {
  Place place;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};
struct Conversion {
  Place place;
  const TypeDescriptor* from;
  const TypeDescriptor* to;
  uint8_t kind;
};
struct Mismatch {
  Place place;
  const TypeDescriptor* type;
  uint8_t log_alignment;
  uint8_t access;
};

struct Number {
  char text[24];
};

Number number(const TypeDescriptor* type, uint64_t value) {
  Number n;
  unsigned width = 1u << (type->info >> 1);
  if (type->kind != 0 || width > 64) {
    snprintf(n.text, sizeof n.text, "a value");
  } else if ((type->info & 1) != 0) {
    unsigned unused = 64 - width;
    snprintf(n.text, sizeof n.text, "%lld",
             static_cast<long long>(static_cast<int64_t>(value << unused) >> unused));
  } else {
    snprintf(n.text, sizeof n.text, "%llu", static_cast<unsigned long long>(value));
  }
  return n;
}

bool is_signed(const TypeDescriptor* type) { return (type->info & 1) != 0; }

[[noreturn]] void report(uint64_t frame, const char* headline) {
  fail_with_stack(Rule::kUndefined, capture_stack(frame), nullptr, 0, headline);
}

[[noreturn]] void report_overflow(uint64_t frame, const Overflow& data, uint64_t left,
                                  const char* sign, uint64_t right) {
  char text[200];
  snprintf(text, sizeof text, "%s %s %s %s in %s", number(data.type, left).text, sign,
           number(data.type, right).text, is_signed(data.type) ? "overflows" : "wraps around",
           data.type->name);
  report(frame, text);
}

} // namespace

} // namespace kiln::sim

#define FRAME reinterpret_cast<uint64_t>(__builtin_frame_address(0))
#define HANDLER(name) extern "C" [[noreturn]] void __wrap___ubsan_handle_##name

// NOLINTBEGIN(bugprone-reserved-identifier)
using namespace kiln::sim;

HANDLER(add_overflow_abort)(Overflow* d, uint64_t l, uint64_t r) {
  report_overflow(FRAME, *d, l, "+", r);
}
HANDLER(sub_overflow_abort)(Overflow* d, uint64_t l, uint64_t r) {
  report_overflow(FRAME, *d, l, "-", r);
}
HANDLER(mul_overflow_abort)(Overflow* d, uint64_t l, uint64_t r) {
  report_overflow(FRAME, *d, l, "*", r);
}
HANDLER(divrem_overflow_abort)(Overflow* d, uint64_t l, uint64_t r) {
  report_overflow(FRAME, *d, l, "/", r);
}

HANDLER(negate_overflow_abort)(Overflow* d, uint64_t value) {
  char text[160];
  snprintf(text, sizeof text, "the negation of %s %s in %s", number(d->type, value).text,
           is_signed(d->type) ? "overflows" : "wraps around", d->type->name);
  report(FRAME, text);
}

HANDLER(shift_out_of_bounds_abort)(Shift* d, uint64_t left, uint64_t right) {
  char text[200];
  snprintf(text, sizeof text, "%s of %s is shifted by %s, out of bounds",
           number(d->left, left).text, d->left->name, number(d->right, right).text);
  report(FRAME, text);
}

HANDLER(out_of_bounds_abort)(OutOfBounds* d, uint64_t index) {
  char text[200];
  snprintf(text, sizeof text, "index %s is out of bounds for %s", number(d->index, index).text,
           d->array->name);
  report(FRAME, text);
}

HANDLER(implicit_conversion_abort)(Conversion* d, uint64_t from, uint64_t to) {
  char text[240];
  snprintf(text, sizeof text, "an implicit conversion of %s in %s to %s changes it to %s",
           number(d->from, from).text, d->from->name, d->to->name, number(d->to, to).text);
  report(FRAME, text);
}

HANDLER(load_invalid_value_abort)(Overflow* d, uint64_t value) {
  char text[160];
  snprintf(text, sizeof text, "%s is loaded, which is no value of %s", number(d->type, value).text,
           d->type->name);
  report(FRAME, text);
}

HANDLER(type_mismatch_v1_abort)(Mismatch* d, uint64_t pointer) {
  static constexpr const char* kAccess[] = {
      "load of",        "store to",          "reference to",    "member access in",
      "member call on", "constructor of",    "downcast to",     "downcast to",
      "upcast of",      "cast to a base of", "non-null use of", "dynamic use of"};
  const char* access = d->access < sizeof kAccess / sizeof *kAccess ? kAccess[d->access] : "use of";
  uint64_t alignment = uint64_t{1} << d->log_alignment;
  const char* what = pointer == 0               ? "a null pointer"
                     : pointer % alignment != 0 ? "a misaligned address"
                                                : "too little memory";
  char text[200];
  snprintf(text, sizeof text, "%s %s through %s", access, d->type->name, what);
  report(FRAME, text);
}

HANDLER(pointer_overflow_abort)(Place*, uint64_t base, uint64_t) {
  report(FRAME,
         base == 0 ? "pointer arithmetic on a null pointer" : "pointer arithmetic wraps around");
}
HANDLER(builtin_unreachable)(Place*) {
  report(FRAME, "code that is declared unreachable is reached");
}
HANDLER(missing_return)(Place*) { report(FRAME, "a function with a result ends without one"); }
HANDLER(vla_bound_not_positive_abort)(Overflow*, uint64_t) {
  report(FRAME, "an array has no positive length");
}
HANDLER(nonnull_arg_abort)(Place*) { report(FRAME, "null is passed where it must not be"); }
HANDLER(nonnull_return_v1_abort)(Place*, Place*) {
  report(FRAME, "null is returned where it must not be");
}
HANDLER(invalid_builtin_abort)(Place*) { report(FRAME, "a bit count of zero is undefined"); }
HANDLER(float_cast_overflow_abort)(Overflow*, uint64_t) {
  report(FRAME, "a floating-point value does not fit its target");
}
HANDLER(alignment_assumption_abort)(Place*, uint64_t, uint64_t, uint64_t) {
  report(FRAME, "an alignment that was promised is not there");
}
// NOLINTEND(bugprone-reserved-identifier)
