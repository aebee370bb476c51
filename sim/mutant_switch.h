#pragma once
// What the rewritten sources of the `mutants` flavour are made of. The header that kiln-mutator
// writes includes this one, names each rewritten file once, and is included before everything else
// in every object that may hold a mutant.
//
// Every place that can be mutated (a site) has one byte. 0: the original runs, after one load and
// one branch. 255: the original runs and the visit is told (recording). Else the number of the
// variant that runs here, and the visit is counted. sim/mutants.h sets the bytes.
//
// The bytes lie in a section of their own: outside of the region that a reset puts back, and, since
// their definition is visible, read without a check by AddressSanitizer.

#ifdef __cplusplus

/// The slow path of a site whose byte is not 0. Whether a variant is to run.
extern "C" bool kiln_mutant_visit(unsigned char* at);
/// Two values of a site without side effects: the original's and the variant's, as one bit.
extern "C" void kiln_mutant_differs(const unsigned char* at);
/// No iterations are left to the input's loops: it ends as a hang (sim/mutants.h).
extern "C" void kiln_mutant_no_fuel();

namespace kiln_mutants {

/// Loop iterations left. As many as can be until an input begins: initialisers have loops too.
inline long fuel __attribute__((section("kiln_mutants_fuel"))) = __LONG_MAX__;

/// Each keeps its own type, so that the choice between the two texts has the type that it would
/// have without the comparison.
template <typename T, typename V>
__attribute__((always_inline, no_sanitize("undefined", "integer", "implicit-conversion"))) inline V
compared(const unsigned char* at, T original, V variant) {
  if (!(original == variant)) kiln_mutant_differs(at);
  return variant;
}

/// A value for what has none: a default one, or all bytes 0 where the type has no default.
template <typename T> T zero() {
  struct Bytes {
    unsigned char of[sizeof(T)];
  };
  if constexpr (__is_constructible(T)) {
    return T();
  } else {
    return __builtin_bit_cast(T, Bytes{});
  }
}
/// Becomes zero() of whatever type is asked for.
struct Zero {
  template <typename T> operator T() const { return zero<T>(); }
};

#if __cplusplus >= 202002L
/// For a guard whose lock is not taken: another lock of that type, which nobody else has. Made of a
/// lock class of its own when `Class` is given. Lies in the subject's memory: a reset puts it back.
/// Few guards live at a time, so that a lock is let go long before its turn comes again.
template <typename Class, typename Lock> Lock& stand_in(Lock&) {
  static constinit Class lock_class{__PRETTY_FUNCTION__};
  union Holder {
    constexpr Holder() : lock(lock_class) {}
    constexpr ~Holder() {} // never destroyed
    Lock lock;
  };
  static constinit Holder holders[64];
  static unsigned next = 0;
  return holders[next++ % 64].lock;
}
template <typename Lock> Lock& stand_in(Lock&) {
  union Holder {
    constexpr Holder() : lock() {}
    constexpr ~Holder() {}
    Lock lock;
  };
  static constinit Holder holders[64];
  static unsigned next = 0;
  return holders[next++ % 64].lock;
}
#endif

} // namespace kiln_mutants

/// Names a rewritten file: `id` is its path with every other character than a letter or a digit
/// made an underscore, `sites` at least the number of its sites.
#define KILN_MUTANT_FILE(id, sites)                                                                \
  inline unsigned char kiln_at_##id[sites] __attribute__((section("kiln_mutants"))) = {};

/// Whether a variant of the site is to run.
#define KILN_AT(id, site)                                                                          \
  (__builtin_expect(kiln_at_##id[site], 0) && kiln_mutant_visit(&kiln_at_##id[site]))
/// The same where the code may also be evaluated by the compiler, which sees the original.
#define KILN_AT_CONSTEXPR(id, site) (!__builtin_is_constant_evaluated() && KILN_AT(id, site))
/// Whether it is this one; only after KILN_AT said yes.
#define KILN_IS(id, site, variant) (kiln_at_##id[site] == (variant))
/// The variant's value, and a note when the original's differs.
#define KILN_COMPARED(id, site, original, variant)                                                 \
  (::kiln_mutants::compared(&kiln_at_##id[site], original, variant))
/// At the top of every loop's body.
#define KILN_TICK()                                                                                \
  (__builtin_expect(--::kiln_mutants::fuel < 0, 0) ? kiln_mutant_no_fuel() : (void)0)
#define KILN_TICK_CONSTEXPR() (__builtin_is_constant_evaluated() ? (void)0 : KILN_TICK())

#endif
