#include "gates/support/coverage_profile.h"

// The profile runtime, when it is linked in.
extern "C" __attribute__((weak)) int __llvm_profile_write_file(void);
extern "C" __attribute__((weak)) void __llvm_profile_set_filename(const char* pattern);

namespace kiln::gates {

bool counts_coverage() { return __llvm_profile_write_file != nullptr; }

void set_coverage_file(const std::string& pattern) {
  static std::string kept; // the runtime keeps the pointer
  kept = pattern;
  if (__llvm_profile_set_filename != nullptr) __llvm_profile_set_filename(kept.c_str());
}

void write_coverage_profile() {
  if (counts_coverage()) __llvm_profile_write_file();
}

} // namespace kiln::gates
