#pragma once
// Does a change of a source change the code? The units that see the file are compiled with it and
// without, and their objects compared byte by byte. The compiler is told of the change by an
// overlay of its file system, so that both compiles have the same command line and the same names
// in it.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gates/mutation/plain_unit.h"

namespace kiln::gates {

/// A file that more units include is not compared: that would take many minutes for one change.
inline constexpr size_t kMostUnitsCompared = 64;

struct CodeChange {
  enum class Kind : uint8_t {
    kNone,      ///< every unit that sees the file has the same object
    kSome,      ///< some unit has another object
    kNotToTell, ///< `why`
    kUndone,    ///< interrupted, or the compiler failed: may be asked again
  };
  Kind kind = Kind::kUndone;
  std::string why; ///< "it does not compile alone"
};

class CodeComparison {
 public:
  /// `scratch`: a folder for its own use, made anew, and removed in the end.
  CodeComparison(PlainBuild build, const std::string& scratch);
  ~CodeComparison();
  CodeComparison(const CodeComparison&) = delete;
  CodeComparison& operator=(const CodeComparison&) = delete;

  /// Whether it can be begun: false and a sentence without a compiler or a folder to write to.
  bool is_ready(std::string* error) const;
  /// With `text` in place of the file `path`. Can be called by several threads at a time.
  CodeChange compare(const std::string& path, const std::string& text);

 private:
  struct Object;
  class Overlay;
  Object compile(const PlainUnit& unit, const Overlay* overlay) const;
  const Object& original(size_t unit);
  CodeChange compare_in(size_t unit, const Overlay& changed);
  bool sees(const PlainUnit& unit, const std::string& path);
  std::unique_ptr<Overlay> overlay(const std::string& path, const std::string& text);

  PlainBuild build_;
  std::string scratch_;
  struct Original;
  std::vector<std::unique_ptr<Original>> originals_; ///< by unit; compiled when first asked for
  std::atomic<unsigned> overlays_ = 0;
};

} // namespace kiln::gates
