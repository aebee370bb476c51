// Reading a patch file.

#include "mutants/named/patch.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "mutants/operators/text.h"

namespace kiln::mutants {
namespace {

bool read_number(std::string_view text, uint64_t* number) {
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return problem == std::errc() && end == text.data() + text.size();
}

class Reader {
 public:
  Reader(const std::string& name, const std::string& text, std::string* error) : error_(error) {
    patch_.name = name;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      lines_.push_back(line);
    }
  }

  std::optional<Patch> read() {
    if (!read_head() || !read_files()) return std::nullopt;
    return std::move(patch_);
  }

 private:
  bool refuse(const std::string& sentence) {
    *error_ = patch_.name + ".patch:" + std::to_string(at_ + 1) + ": " + sentence;
    return false;
  }

  bool read_head() {
    std::string* open = nullptr;
    for (; at_ < lines_.size() && !lines_[at_].starts_with("--- "); ++at_) {
      const std::string& line = lines_[at_];
      size_t colon = line.find(':');
      if (open != nullptr && line.starts_with(" ")) {
        *open += " " + std::string(trimmed(line));
      } else if (trimmed(line).empty() || line.starts_with("diff ") || line.starts_with("index ")) {
        open = nullptr;
      } else if (colon == std::string::npos ||
                 !read_field(line.substr(0, colon),
                             trimmed(std::string_view(line).substr(colon + 1)), &open)) {
        return refuse("the head has Kind:, Target:, Within: (a number of inputs) and Was: only");
      }
    }
    if (patch_.kind.empty() || patch_.target.empty() || patch_.within == 0 || patch_.was.empty()) {
      return refuse("Kind:, Target:, Within: and Was: must all be there before the first '---'");
    }
    return true;
  }

  bool read_field(std::string_view name, std::string_view value, std::string** open) {
    *open = nullptr;
    if (name == "Within") return read_number(value, &patch_.within);
    *open = name == "Kind"     ? &patch_.kind
            : name == "Target" ? &patch_.target
            : name == "Was"    ? &patch_.was
                               : nullptr;
    if (*open == nullptr) return false;
    **open = value;
    return true;
  }

  bool read_files() {
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_];
      if (line.starts_with("--- ")) {
        if (!read_file_name()) return false;
      } else if (line.starts_with("@@ ")) {
        if (patch_.files.empty()) return refuse("a hunk stands before the first '---'");
        if (!read_hunk()) return false;
      } else if (line.starts_with("diff ") || line.starts_with("index ") || trimmed(line).empty() ||
                 line.starts_with("\\")) {
        ++at_;
      } else {
        return refuse("this is neither a file's name nor a hunk of a unified diff");
      }
    }
    if (patch_.files.empty()) return refuse("it changes no file");
    for (const Patch::File& file : patch_.files) {
      if (file.hunks.empty()) return refuse("it changes nothing in " + file.path);
    }
    return true;
  }

  bool read_file_name() {
    if (at_ + 1 >= lines_.size() || !lines_[at_ + 1].starts_with("+++ b/")) {
      return refuse("'--- a/PATH' and '+++ b/PATH' must follow each other and name one file");
    }
    std::string path(trimmed(std::string_view(lines_[at_ + 1]).substr(6)));
    if (trimmed(lines_[at_]) != "--- a/" + path) {
      return refuse("'--- a/PATH' and '+++ b/PATH' must follow each other and name one file");
    }
    if (std::ranges::any_of(patch_.files, [&](const auto& file) { return file.path == path; })) {
      return refuse(path + " is named twice; put its hunks together");
    }
    patch_.files.push_back({path, {}});
    at_ += 2;
    return true;
  }

  bool read_hunk() {
    Patch::Hunk hunk;
    hunk.line = static_cast<uint32_t>(at_ + 1);
    unsigned old_line = 0;
    unsigned old_count = 1;
    unsigned fresh_count = 1;
    if (!read_hunk_head(lines_[at_], &old_line, &old_count, &fresh_count)) {
      return refuse("the hunk's head is not '@@ -LINE,COUNT +LINE,COUNT @@'");
    }
    hunk.old_line = old_line;
    ++at_;
    while (hunk.old.size() < old_count || hunk.fresh.size() < fresh_count) {
      if (at_ >= lines_.size()) return refuse("the hunk ends too early");
      const std::string& line = lines_[at_];
      char mark = line.empty() ? ' ' : line[0];
      std::string rest = line.empty() ? "" : line.substr(1);
      if (mark != ' ' && mark != '-' && mark != '+') return refuse("the hunk ends too early");
      if (mark != '+') hunk.old.push_back(rest);
      if (mark != '-') hunk.fresh.push_back(rest);
      ++at_;
    }
    if (hunk.old == hunk.fresh) return refuse("the hunk changes nothing");
    if (hunk.old.empty()) return refuse("the hunk has no line of the file to be found by");
    patch_.files.back().hunks.push_back(std::move(hunk));
    return true;
  }

  static bool read_hunk_head(const std::string& line, unsigned* old_line, unsigned* old_count,
                             unsigned* fresh_count) {
    unsigned fresh_line = 0;
    auto pair = [](std::istringstream& in, char sign, unsigned* first, unsigned* second) {
      char mark = 0;
      in >> mark >> *first;
      if (!in || mark != sign) return false;
      if (in.peek() == ',') in >> mark >> *second;
      return static_cast<bool>(in);
    };
    std::istringstream in(line.substr(2));
    return pair(in, '-', old_line, old_count) && pair(in, '+', &fresh_line, fresh_count);
  }

  std::string* error_;
  Patch patch_;
  std::vector<std::string> lines_;
  size_t at_ = 0;
};

} // namespace

std::optional<Patch> parse_patch(const std::string& name, const std::string& text,
                                 std::string* error) {
  return Reader(name, text, error).read();
}

} // namespace kiln::mutants
