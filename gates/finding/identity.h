#pragma once
// What makes two findings the same: the rule, the place and the functions around it.
//
//   lock-order@mount.table+inode#1a2b3c4d           rules about lock classes: the classes
//   undefined@kernel-src/lib/format.cpp:88#5e6f7a8b others: the place
//
// The place is the innermost frame that is nobody's plumbing: the machine, the HAL, libc, headers
// of the standard library and sanitizers never are one; the kernel's own locks and waits only where
// the rule is about how they were used. The hash has the rule, and file and function (no line) of
// the first kHashFrames repository frames from the place outwards. Frames inlined in one build and
// not in another count the same, so that it is equal in the gate and the fast flavour, and after an
// edit above the place. Checks of a target and other findings told in words of their own (oracle,
// panic, undefined, address) differ within one function: there the place's line tells them apart.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gates/finding/symbolize.h"
#include "sim/finding.h"

namespace kiln::gates {

inline constexpr unsigned kHashFrames = 4;

struct Identity {
  sim::Rule rule = sim::Rule::kOracle;
  Frame place;             ///< the frame to look at; empty when nothing is known
  std::string where;       ///< "file:line", lock classes, or "unknown"; no white space
  uint64_t stack_hash = 0; ///< 64 bits; the text has the upper 32

  /// "rule@where#hash".
  std::string text() const;
  /// "rule@where#hash" without the place's line: matches after edits above it.
  std::string text_without_line() const;
  /// Eight hex digits.
  std::string short_hash() const;
};

/// `frames` are those of identity_stack(finding), symbolised.
Identity identify(const sim::Finding& finding, std::span<const Frame> frames);
Identity identify(const sim::Finding& finding, Symbolizer& symbolizer);

/// The stack that a finding is named after: where the rule broke; for what is left over at the end
/// of a run, where it was made.
const sim::Stack& identity_stack(const sim::Finding& finding);

/// Whether a place in `file` says nothing about a finding of this rule.
bool is_plumbing(std::string_view file, sim::Rule rule);

/// "net/dhcp" and an identity -> "net-dhcp-1a2b3c4d-118": names a finding's files. The number is
/// the place's line, left out when there is none.
std::string file_stem(std::string_view target, const Identity& identity);

} // namespace kiln::gates
