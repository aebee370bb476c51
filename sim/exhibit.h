#pragma once
// What a target has to show when its run ends in a finding: its operations in words, a disk's log,
// the image of a disk. Asked for when a finding is looked at closely (once it is confirmed, and in
// a replay), never in the many runs of a gate, and never part of the digest.
//
//   static void show(sim::Exhibitor& to, void* arg) {
//     auto& world = *static_cast<World*>(arg);
//     to.text("Operations", world.program_in_words());
//     to.file("img", world.disk.image());           // out/findings/<target>-<hash>-<line>.img
//   }
//   ...
//   World world;
//   sim::Exhibit exhibit(show, &world);
//
// `show` is called after the run has been left where the rule broke: nothing has been destroyed,
// everything is as it was then. It looks at worlds and models only and must not call the kernel.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::sim {

struct ExhibitedText {
  std::string title;
  std::string words; ///< lines
};
struct ExhibitedFile {
  std::string ending; ///< of its name, without a dot in front
  std::vector<uint8_t> bytes;
};
/// All that was shown, on the host's heap.
struct Exhibits {
  std::vector<ExhibitedText> texts;
  std::vector<ExhibitedFile> files;
};

/// The ending of what is a disk's image.
inline constexpr char kDiskImage[] = "img";
/// Further ones are left out.
inline constexpr size_t kMostExhibitedTexts = 8;
/// A text is cut here, in its middle.
inline constexpr size_t kLongestExhibitedText = size_t{128} << 10;
/// Larger files are left out, and a text says so.
inline constexpr size_t kLargestExhibitedFile = size_t{64} << 20;

class Exhibitor {
 public:
  explicit Exhibitor(Exhibits& to) : to_(to) {}
  /// A section of the report. Empty words: none.
  void text(std::string_view title, std::string_view words);
  /// A file beside the finding. `ending`: letters, digits, dots and dashes.
  void file(std::string_view ending, std::span<const uint8_t> bytes);

 private:
  Exhibits& to_;
};

/// While it lives, a finding asks it. Those that were made first are asked first.
class Exhibit {
 public:
  using Show = void (*)(Exhibitor& to, void* arg);
  Exhibit(Show show, void* arg);
  ~Exhibit();
  Exhibit(const Exhibit&) = delete;
  Exhibit& operator=(const Exhibit&) = delete;

 private:
  friend void show_all(Exhibits& to);
  Show show_;
  void* arg_;
  Exhibit* next_ = nullptr;
};

/// For the engine: before a run, nobody has anything to show; after a finding, everybody is asked.
void forget_exhibits();
void show_all(Exhibits& to);

} // namespace kiln::sim
