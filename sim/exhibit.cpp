#include "sim/exhibit.h"

#include <utility>

namespace kiln::sim {
namespace {

Exhibit* first_exhibit; ///< on the stacks of the run

} // namespace

void Exhibitor::text(std::string_view title, std::string_view words) {
  if (words.empty() || to_.texts.size() == kMostExhibitedTexts) return;
  std::string kept(words);
  if (words.size() > kLongestExhibitedText) {
    const size_t half = kLongestExhibitedText / 2;
    kept = std::string(words.substr(0, half)) + "\n[...]\n" +
           std::string(words.substr(words.size() - half));
  }
  to_.texts.push_back({std::string(title), std::move(kept)});
}

void Exhibitor::file(std::string_view ending, std::span<const uint8_t> bytes) {
  if (bytes.size() > kLargestExhibitedFile) {
    text("Left out", std::string(ending) + ": " + std::to_string(bytes.size()) + " bytes\n");
    return;
  }
  to_.files.push_back({std::string(ending), {bytes.begin(), bytes.end()}});
}

Exhibit::Exhibit(Show show, void* arg) : show_(show), arg_(arg) {
  Exhibit** end = &first_exhibit;
  while (*end != nullptr) {
    end = &(*end)->next_;
  }
  *end = this;
}

Exhibit::~Exhibit() {
  for (Exhibit** at = &first_exhibit; *at != nullptr; at = &(*at)->next_) {
    if (*at == this) {
      *at = next_;
      return;
    }
  }
}

void forget_exhibits() { first_exhibit = nullptr; }

void show_all(Exhibits& to) {
  Exhibitor exhibitor(to);
  for (const Exhibit* exhibit = first_exhibit; exhibit != nullptr; exhibit = exhibit->next_) {
    exhibit->show_(exhibitor, exhibit->arg_);
  }
}

} // namespace kiln::sim
