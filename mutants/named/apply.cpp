// From a patch's hunks to the functions that they change.

#include <algorithm>

#include "mutants/named/patch.h"

namespace kiln::mutants {
namespace {

/// Offset of each line's first byte; the last one is the text's size.
std::vector<uint32_t> line_offsets(const std::string& text) {
  std::vector<uint32_t> offsets{0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') offsets.push_back(static_cast<uint32_t>(i + 1));
  }
  if (offsets.back() != text.size()) offsets.push_back(static_cast<uint32_t>(text.size()));
  return offsets;
}

class Lines {
 public:
  explicit Lines(const std::string& text) : text_(text), offsets_(line_offsets(text)) {}

  size_t count() const { return offsets_.size() - 1; }
  uint32_t offset(size_t line) const { return offsets_[line]; }
  std::string_view line(size_t index) const {
    std::string_view line(text_.data() + offsets_[index], offsets_[index + 1] - offsets_[index]);
    if (line.ends_with('\n')) line.remove_suffix(1);
    return line;
  }
  bool has_at(const std::vector<std::string>& wanted, size_t first) const {
    if (first + wanted.size() > count()) return false;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (line(first + i) != wanted[i]) return false;
    }
    return true;
  }

 private:
  const std::string& text_;
  std::vector<uint32_t> offsets_;
};

/// The line, `first` or behind it, where the hunk fits that is next to where it should: others may
/// have been added above.
std::optional<size_t> find_hunk(const Lines& lines, const Patch::Hunk& hunk, size_t first) {
  size_t wanted = hunk.old_line == 0 ? 0 : hunk.old_line - 1;
  wanted = std::max(first, std::min(wanted, lines.count()));
  for (size_t distance = 0; distance <= lines.count(); ++distance) {
    if (wanted >= first + distance && lines.has_at(hunk.old, wanted - distance)) {
      return wanted - distance;
    }
    if (lines.has_at(hunk.old, wanted + distance)) return wanted + distance;
  }
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

/// The bytes that differ: what both texts begin and end with is left out.
Change smallest_change(uint32_t offset, const std::string& old, const std::string& fresh,
                       uint32_t line) {
  size_t most = std::min(old.size(), fresh.size());
  size_t begin = 0;
  while (begin < most && old[begin] == fresh[begin]) {
    ++begin;
  }
  size_t end = 0;
  while (end < most - begin && old[old.size() - 1 - end] == fresh[fresh.size() - 1 - end]) {
    ++end;
  }
  uint32_t first = offset + static_cast<uint32_t>(begin);
  return {{first, offset + static_cast<uint32_t>(old.size() - end)},
          fresh.substr(begin, fresh.size() - begin - end),
          line};
}

const FunctionBody* body_around(const Change& change, const SourceFile& file) {
  const FunctionBody* innermost = nullptr;
  for (const FunctionBody& body : file.bodies) {
    // Inside of the braces.
    bool inside = body.span.begin < change.span.begin && change.span.end < body.span.end;
    if (inside && (innermost == nullptr || innermost->span.holds(body.span))) innermost = &body;
  }
  return innermost;
}

Site site_of(const FunctionBody& body, int named) {
  Site site;
  site.shape = Shape::kNamed;
  site.span = body.span;
  site.by_compiler = body.by_compiler;
  site.function = body.name;
  site.named = named;
  return site;
}

} // namespace

std::optional<std::vector<Change>> find_changes(const Patch& patch, const Patch::File& file,
                                                const std::string& text, std::string* error) {
  Lines lines(text);
  std::vector<Change> changes;
  size_t first = 0; // behind the hunk before
  for (const Patch::Hunk& hunk : file.hunks) {
    std::optional<size_t> at = find_hunk(lines, hunk, first);
    if (!at) {
      *error = patch.name + ".patch:" + std::to_string(hunk.line) + ": the hunk does not fit " +
               file.path + " any more; write the patch anew against it";
      return std::nullopt;
    }
    changes.push_back(
        smallest_change(lines.offset(*at), joined(hunk.old), joined(hunk.fresh), hunk.line));
    first = *at + hunk.old.size();
  }
  return changes;
}

std::optional<std::vector<Site>> patched_bodies(const Patch& patch,
                                                const std::vector<Change>& changes,
                                                const SourceFile& file, int named,
                                                std::string* error) {
  std::vector<Site> sites;
  uint32_t copied = 0;
  auto finish = [&] {
    if (sites.empty()) return;
    Site& site = sites.back();
    site.variants[0].text += file.text.substr(copied, site.span.end - copied);
  };
  for (const Change& change : changes) {
    const FunctionBody* body = body_around(change, file);
    if (body == nullptr) {
      *error = patch.name + ".patch:" + std::to_string(change.line) + ": the change of " +
               file.path + ":" + std::to_string(line_column(file.text, change.span.begin).line) +
               " is not inside of a function's body; a named mutant changes nothing else";
      return std::nullopt;
    }
    if (sites.empty() || sites.back().span != body->span) {
      finish();
      sites.push_back(site_of(*body, named));
      sites.back().variants.push_back({patch.name, "", false});
      copied = body->span.begin;
    }
    sites.back().variants[0].text +=
        file.text.substr(copied, change.span.begin - copied) + change.text;
    copied = change.span.end;
  }
  finish();
  return sites;
}

} // namespace kiln::mutants
