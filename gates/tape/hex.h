#pragma once
// Tape files. `.hex`: hexadecimal text, two digits a byte, written in lower case, white space
// ignored; an empty file is the empty tape. Raw: the flat bytes themselves (libFuzzer's artifacts).
//
// Errors are one sentence that says what is wrong and where, ready to be printed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::gates {

/// Bytes of the largest tape that is read; far above any target's longest.
inline constexpr size_t kLargestTape = size_t{1} << 20;
/// Bytes of the largest `.hex` file that is read, white space included.
inline constexpr size_t kLargestHexFile = 4 * kLargestTape;

enum class TapeFormat : uint8_t { kHex, kRaw };

/// Lines of 64 digits, each ended by a newline; nothing for the empty tape.
std::string to_hex(std::span<const uint8_t> bytes);
/// Nothing, and a sentence that names line and column, when `text` is not hexadecimal.
std::optional<std::vector<uint8_t>> parse_hex(std::string_view text, std::string* error);

std::optional<std::vector<uint8_t>> read_tape_file(const std::string& path, TapeFormat format,
                                                   std::string* error);

} // namespace kiln::gates
