#pragma once
// Code addresses -> functions, files and lines, through one llvm-symbolizer that stays alive.
//
// The program is not position independent, so that an address in a run is the address in its file.
// Answers are kept: the same address costs one question. Without the tool nothing fails: names are
// "0x...", and take_trouble() says once what is missing.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/finding.h"

namespace kiln::gates {

struct Frame {
  std::string function; ///< short (gates/finding/names.h); "0x..." when not known
  std::string file;     ///< relative to the repository; absolute outside of it; "" when not known
  unsigned line = 0;    ///< 0 when not known
  bool inlined = false; ///< into the next frame
};

class Symbolizer {
 public:
  static constexpr const char* kTool = "llvm-symbolizer-19";

  /// `program`: the file whose addresses are asked for. `tool`: a name in PATH or a path.
  explicit Symbolizer(const std::string& program = "/proc/self/exe", std::string tool = kTool);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  /// The frames at a return address, innermost first: the call before it is looked up. Never empty
  /// unless the address is 0.
  const std::vector<Frame>& at(uint64_t return_address);
  /// Every frame of a stack, innermost first.
  std::vector<Frame> frames(const sim::Stack& stack);
  /// "function (file:line)" of the innermost frame; "" for address 0.
  std::string place(uint64_t return_address);

  /// What went wrong with the tool, in one sentence, the first time it is asked; then "".
  std::string take_trouble();

 private:
  bool start();
  void stop();
  bool ask(uint64_t pc, std::string* answer);
  bool read_line(std::string* line);
  void fail(std::string why);

  std::string program_;
  std::string tool_;
  std::string trouble_;
  std::string pending_; ///< bytes read after the last line
  std::unordered_map<uint64_t, std::vector<Frame>> known_;
  int socket_ = -1;
  int child_ = -1;
  bool failed_ = false;
};

/// "file:line", "file", or "" when the file is not known.
std::string file_and_line(const Frame& frame);

} // namespace kiln::gates
