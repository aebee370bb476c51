#pragma once
// What another program says of a file that a target was fed with (TargetInfo::feed_judge).

#include <string>

namespace kiln::gates {

/// Runs `judge`, a program with its options, with the file's name behind them. Its exit code and
/// what it printed, as lines; or which package it is missing from.
std::string judge_words(const std::string& judge, const std::string& file);

} // namespace kiln::gates
