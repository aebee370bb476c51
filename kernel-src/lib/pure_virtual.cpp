// What compilers put where a function is pure: called only through an object that is not yet, or no
// longer, of its own class.

#include "kernel-src/hal/console.h"

extern "C" [[noreturn]] void __cxa_pure_virtual();

extern "C" void __cxa_pure_virtual() { hal_panic("a pure virtual function was called"); }
