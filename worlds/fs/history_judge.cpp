// Whether a tree that was found after the power came back is one that may be there.

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "worlds/fs/history.h"

namespace kiln::worlds {
namespace {

using Mark = FsHistory::Mark;

constexpr uint32_t kNotFound = UINT32_MAX;

class Judge {
 public:
  Judge(const FsHistory& history, const FsMoment& moment, const FsFound& found, FsVerdict& verdict)
      : history_(history), moment_(moment), found_(found), verdict_(verdict) {
    for (const Mark& mark : marks()) {
      if (mark.what == Mark::What::kAll) all_since_ = std::max(all_since_, mark.from);
    }
  }

  void run() {
    verdict_.nodes.resize(found_.nodes.size());
    names_.assign(found_.nodes.size(), 0);
    directories_.assign(found_.nodes.size(), 0);
    verdict_.nodes[0].ids.push_back(0);
    for (uint32_t at = 0; at < found_.nodes.size(); ++at) {
      if (found_.nodes[at].kind == FsKind::kDirectory && !names_in(at)) return;
    }
    for (uint32_t at = 0; at < found_.nodes.size(); ++at) {
      if (!is_one_of_them(at)) return;
    }
    everybody_is_there();
  }

 private:
  /// Room for a sentence.
  using Words = std::array<char, 512>;

  __attribute__((format(printf, 2, 3))) bool wrong(const char* format, ...) {
    Words words;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words.data(), words.size(), format, arguments);
    va_end(arguments);
    verdict_.wrong = words.data();
    return false;
  }

  std::span<const Mark> marks() const { return std::span(history_.marks()).first(moment_.marks); }

  // --- Since when things are durable

  uint32_t name_since(FsNodeId directory, gen::FsName name) const {
    uint32_t since = all_since_;
    for (const Mark& mark : marks()) {
      const bool is_it =
          (mark.what == Mark::What::kDirectory && mark.node == directory) ||
          (mark.what == Mark::What::kName && mark.node == directory && mark.name == name);
      if (is_it) since = std::max(since, mark.from);
    }
    return since;
  }

  uint32_t node_since(FsNodeId node) const {
    uint32_t since = all_since_;
    for (const Mark& mark : marks()) {
      if (mark.what == Mark::What::kNode && mark.node == node) since = std::max(since, mark.from);
    }
    return since;
  }

  /// Calls look(state) for all that may be found from `since` on, until it says true.
  template <typename F> bool any_state(uint32_t since, F&& look) const {
    for (uint32_t i = since; i < moment_.states; ++i) {
      if (look(history_.state(i))) return true;
    }
    for (unsigned i = 0; i < moment_.asides_count; ++i) {
      if (look(history_.aside(moment_.asides[i]))) return true;
    }
    return false;
  }

  static bool has_names(const FsModel& model, FsNodeId id) {
    return id < model.nodes() && model.lives(id) && model.node(id).links != 0;
  }

  // --- Names

  /// Whether the node may have this inode number.
  bool may_have(FsNodeId id, uint64_t number) const {
    if (history_.number(id) != 0) return history_.number(id) == number;
    // One that nobody has looked at: any number but that of a node which is there all the time.
    const FsModel& last = history_.state(moment_.states - 1);
    for (FsNodeId other = 0; other < last.nodes(); ++other) {
      if (history_.number(other) != number) continue;
      if (!any_state(all_since_, [&](const FsModel& model) { return !has_names(model, other); })) {
        return false;
      }
    }
    return true;
  }

  /// What a name in a directory leads to in a state: the directory is any of these nodes.
  static std::optional<FsNodeId> look_up(const FsModel& model, std::span<const FsNodeId> directory,
                                         gen::FsName name) {
    for (const FsNodeId id : directory) {
      if (!has_names(model, id)) continue;
      if (const auto node = model.node(id).find(name)) return node;
    }
    return {};
  }

  /// The nodes that an entry may lead to.
  std::vector<FsNodeId> candidates(std::span<const FsNodeId> directory, const FsFoundEntry& entry) {
    std::vector<FsNodeId> out;
    const uint64_t number = found_.nodes[entry.node].number;
    for (const FsNodeId at : directory) {
      any_state(name_since(at, entry.name), [&](const FsModel& model) {
        if (!has_names(model, at)) return false;
        const auto node = model.node(at).find(entry.name);
        if (!node || std::find(out.begin(), out.end(), *node) != out.end()) return false;
        if (may_have(*node, number)) out.push_back(*node);
        return false;
      });
    }
    return out;
  }

  bool names_in(uint32_t at) {
    const auto& ids = verdict_.nodes[at].ids;
    if (ids.empty()) {
      return wrong("%s is reached on no way that was judged", found_.path_text(at).c_str());
    }
    for (const FsFoundEntry& entry : found_.entries_of(found_.nodes[at])) {
      if (!name_leads_right(at, entry)) return false;
    }
    for (const FsNodeId id : ids) {
      if (!no_name_is_missing(at, id)) return false;
    }
    return true;
  }

  bool name_leads_right(uint32_t at, const FsFoundEntry& entry) {
    auto ids = candidates(verdict_.nodes[at].ids, entry);
    if (ids.empty()) return leads_wrong(at, entry);
    ++names_[entry.node];
    const FsFoundNode& node = found_.nodes[entry.node];
    if (node.kind == FsKind::kDirectory) ++directories_[at];
    auto& known = verdict_.nodes[entry.node].ids;
    if (names_[entry.node] == 1) {
      known = std::move(ids);
      return true;
    }
    std::erase_if(known,
                  [&](FsNodeId id) { return std::find(ids.begin(), ids.end(), id) == ids.end(); });
    return !known.empty() || wrong("%s has names that were never one node's: inode %lu",
                                   found_.path_text(entry.node).c_str(), node.number);
  }

  bool leads_wrong(uint32_t at, const FsFoundEntry& entry) {
    const FsNodeId id = verdict_.nodes[at].ids.front();
    std::string was;
    any_state(name_since(id, entry.name), [&](const FsModel& model) {
      const auto node = look_up(model, verdict_.nodes[at].ids, entry.name);
      const std::string word =
          node ? "inode " + std::to_string(history_.number(*node)) : std::string("nothing");
      if (was.find(word) == std::string::npos) was += (was.empty() ? "" : " or ") + word;
      return false;
    });
    const std::string directory = found_.path_text(at);
    return wrong("%s%s leads to inode %lu; since it was last made durable it led to %s only",
                 at == 0 ? "" : directory.c_str(),
                 gen::fs_path_text(gen::FsPath{}.child(entry.name)).c_str(),
                 found_.nodes[entry.node].number, was.c_str());
  }

  /// Of the names that the node had when they were last made durable: those that it had ever since.
  bool no_name_is_missing(uint32_t at, FsNodeId id) {
    const FsModel& first = history_.state(all_since_);
    const FsModel& last = history_.state(moment_.states - 1);
    for (const FsModel* model : {&first, &last}) {
      if (!has_names(*model, id)) continue;
      for (const FsEntry& entry : model->node(id).entries) {
        if (has_entry(at, entry.name)) continue;
        const bool may_miss = any_state(name_since(id, entry.name), [&](const FsModel& state) {
          return !look_up(state, verdict_.nodes[at].ids, entry.name);
        });
        if (may_miss) continue;
        const std::string directory = found_.path_text(at);
        return wrong("%s%s is missing: it was durable and nobody removed it",
                     at == 0 ? "" : directory.c_str(),
                     gen::fs_path_text(gen::FsPath{}.child(entry.name)).c_str());
      }
    }
    return true;
  }

  bool has_entry(uint32_t at, gen::FsName name) const {
    const auto entries = found_.entries_of(found_.nodes[at]);
    return std::any_of(entries.begin(), entries.end(),
                       [name](const FsFoundEntry& entry) { return entry.name == name; });
  }

  /// A node that had a name all the time has one.
  void everybody_is_there() {
    const FsModel& last = history_.state(moment_.states - 1);
    for (FsNodeId id = 0; id < last.nodes(); ++id) {
      if (!has_names(last, id)) continue;
      const uint32_t since = node_since(id);
      if (any_state(since, [&](const FsModel& model) { return !has_names(model, id); })) continue;
      const auto is_it = [id](const FsVerdict::Node& node) {
        return std::find(node.ids.begin(), node.ids.end(), id) != node.ids.end();
      };
      if (std::none_of(verdict_.nodes.begin(), verdict_.nodes.end(), is_it)) {
        wrong("%s (inode %lu) is lost: it has no name any more, and nobody took it its last one",
              last.path_text(id).c_str(), history_.number(id));
        return;
      }
    }
  }

  // --- What a node is

  bool is_one_of_them(uint32_t at) {
    auto& ids = verdict_.nodes[at].ids;
    for (size_t i = 0; i < ids.size(); ++i) {
      if (!is(at, ids[i])) continue;
      std::swap(ids[0], ids[i]);
      verdict_.wrong.clear();
      return true;
    }
    return false;
  }

  /// The different states of a node since it was made durable.
  std::vector<const FsNode*> versions(FsNodeId id, uint32_t since) const {
    std::vector<const FsNode*> out;
    any_state(since, [&](const FsModel& model) {
      if (id >= model.nodes() || !model.lives(id)) return false;
      const FsNode* node = &model.node(id);
      if (out.empty() || out.back() != node) out.push_back(node);
      return false;
    });
    return out;
  }

  bool is(uint32_t at, FsNodeId id) {
    const FsFoundNode& node = found_.nodes[at];
    const auto before = versions(id, node_since(id));
    if (before.empty()) {
      return wrong("%s has been gone for good", found_.path_text(at).c_str());
    }
    // What never changes. (Two tasks may each have been making a node of this number.)
    const auto alike = [&](const FsNode* other) {
      return other->kind == node.kind && other->permissions == node.permissions;
    };
    if (std::none_of(before.begin(), before.end(), alike)) {
      return wrong("%s has another kind, or the permissions %o and not %o",
                   found_.path_text(at).c_str(), unsigned{node.permissions},
                   unsigned{before.front()->permissions});
    }
    if (!names_are_right(at, id)) return false;
    switch (node.kind) {
    case FsKind::kDirectory:
      return true;
    case FsKind::kSymlink:
      return target_is_right(at, before);
    case FsKind::kFile:
      break;
    }
    const auto sized = size_is_right(at, before);
    return !sized.empty() && contents_are_right(at, sized);
  }

  bool names_are_right(uint32_t at, FsNodeId id) {
    const FsFoundNode& node = found_.nodes[at];
    const std::string path = found_.path_text(at);
    if (node.kind == FsKind::kDirectory) {
      if (at != 0 && names_[at] != 1) return wrong("%s has %u names", path.c_str(), names_[at]);
      return node.links == 2 + directories_[at] ||
             wrong("%s has %u links and %u directories in it", path.c_str(), node.links,
                   directories_[at]);
    }
    if (node.links != names_[at]) {
      return wrong("%s has %u links and %u names", path.c_str(), node.links, names_[at]);
    }
    if (names_[at] == 1) return true;
    uint32_t most = 0;
    any_state(all_since_, [&](const FsModel& model) {
      if (has_names(model, id)) most = std::max(most, model.node(id).links);
      return false;
    });
    return names_[at] <= most ||
           wrong("%s has %u names, and never had more than %u", path.c_str(), names_[at], most);
  }

  bool target_is_right(uint32_t at, std::span<const FsNode* const> before) {
    const FsFoundNode& node = found_.nodes[at];
    std::string got;
    for (const FsFoundPiece& piece : found_.pieces_of(node)) {
      const auto bytes = found_.bytes_of(piece);
      got.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    for (const FsNode* version : before) {
      if (node.bytes != got.size() || gen::fs_path_bytes(version->target) != got) continue;
      verdict_.nodes[at].target = version->target;
      return true;
    }
    return wrong("the symlink %s has another target, of %zu bytes", found_.path_text(at).c_str(),
                 got.size());
  }

  /// Those of its states that its contents may be of: a size comes with what it covers.
  std::span<const FsNode* const> size_is_right(uint32_t at, std::span<const FsNode* const> before) {
    const FsFoundNode& node = found_.nodes[at];
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i]->bytes == node.bytes) return before.subspan(i);
    }
    std::string sizes;
    for (const FsNode* version : before) {
      sizes += (sizes.empty() ? "" : " or ") + std::to_string(version->bytes);
    }
    wrong("%s has %lu bytes; since it was last made durable it had %s",
          found_.path_text(at).c_str(), node.bytes, sizes.c_str());
    return {};
  }

  // --- Contents

  bool contents_are_right(uint32_t at, std::span<const FsNode* const> before) {
    for (size_t i = before.size(); i-- > 0;) {
      if (before[i]->bytes != found_.nodes[at].bytes || !is_exactly(at, *before[i])) continue;
      verdict_.nodes[at].extents = before[i]->extents;
      return true;
    }
    return is_a_mixture(at, before);
  }

  bool is_exactly(uint32_t at, const FsNode& version) const {
    for (const FsFoundPiece& piece : found_.pieces_of(found_.nodes[at])) {
      const auto bytes = found_.bytes_of(piece);
      uint64_t place = piece.place;
      const uint64_t end = place + bytes.size();
      const auto part = [&](uint64_t from, uint64_t to) {
        return bytes.subspan(from - piece.place, to - from);
      };
      for (const FsExtent& extent : version.extents) {
        const uint64_t from = std::max(extent.begin, place);
        const uint64_t to = std::min(extent.end, end);
        if (from >= to) continue;
        if (!are_zeros(part(place, from)) || !are_of_fill(part(from, to), from, extent.fill)) {
          return false;
        }
        place = to;
      }
      if (!are_zeros(part(place, end))) return false;
    }
    return true;
  }

  static uint64_t word_at(const uint8_t* bytes) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof(word));
    return word;
  }

  static bool are_zeros(std::span<const uint8_t> bytes) { return zeros(bytes) == bytes.size(); }

  static bool are_of_fill(std::span<const uint8_t> bytes, uint64_t place, uint8_t fill) {
    return of_fill(bytes, place, fill) == bytes.size();
  }

  // The two loops in which a judge spends its time. (A call of memcmp for each word is dear in a
  // program that watches its memory.)

  /// How many of them are zeros.
  static size_t zeros(std::span<const uint8_t> bytes) {
    const uint8_t* const at = bytes.data();
    size_t i = 0;
    while (bytes.size() - i >= 8 && word_at(at + i) == 0) {
      i += 8;
    }
    while (i < bytes.size() && at[i] == 0) {
      ++i;
    }
    return i;
  }

  /// How many of them are what a write of this fill writes here.
  static size_t of_fill(std::span<const uint8_t> bytes, uint64_t place, uint8_t fill) {
    const uint8_t* const at = bytes.data();
    size_t i = 0;
    const auto one_by_one = [&](size_t end) {
      while (i < end && at[i] == gen::fs_byte(fill, place + i)) {
        ++i;
      }
      return i == end;
    };
    const size_t head = std::min<size_t>(bytes.size(), (8 - (place & 7)) & 7);
    if (!one_by_one(head)) return i;
    while (bytes.size() - i >= 8 && word_at(at + i) == gen::fs_word(fill, place + i)) {
      i += 8;
    }
    one_by_one(bytes.size());
    return i;
  }

  /// What bytes from a place on may be, as far as that is the same for all of them.
  struct Choices {
    uint64_t end;
    bool zero;
    std::array<uint8_t, 16> fills;
    size_t count;
    void add(uint8_t fill) {
      if (std::find(fills.begin(), fills.begin() + count, fill) != fills.begin() + count) return;
      if (count < fills.size()) fills[count++] = fill;
    }
  };

  static Choices choices(std::span<const FsNode* const> before, uint64_t place, uint64_t end) {
    Choices out{.end = end, .zero = false, .fills = {}, .count = 0};
    const auto ends_at = [&](uint64_t border) {
      if (border > place) out.end = std::min(out.end, border);
    };
    for (const FsNode* version : before) {
      ends_at(version->bytes);
      bool covered = false;
      for (const FsExtent& extent : version->extents) {
        ends_at(extent.begin);
        ends_at(extent.end);
        if (extent.begin > place || extent.end <= place) continue;
        covered = true;
        out.add(extent.fill);
      }
      // A hole; or, behind the end, what grew or was cut.
      if (!covered) out.zero = true;
    }
    return out;
  }

  bool is_a_mixture(uint32_t at, std::span<const FsNode* const> before) {
    const FsFoundNode& node = found_.nodes[at];
    auto& extents = verdict_.nodes[at].extents;
    extents.clear();
    for (const FsFoundPiece& piece : found_.pieces_of(node)) {
      const auto bytes = found_.bytes_of(piece);
      const uint64_t end = piece.place + bytes.size();
      for (uint64_t place = piece.place; place < end;) {
        const Choices may_be = choices(before, place, end);
        const auto part = bytes.subspan(place - piece.place, may_be.end - place);
        const size_t good = explain(part, place, may_be, extents);
        if (good < part.size()) return bad_byte(at, place + good, part[good], may_be);
        place = may_be.end;
      }
    }
    ++verdict_.mixtures;
    return true;
  }

  /// How many of the bytes are what they may be.
  static size_t explain(std::span<const uint8_t> bytes, uint64_t place, const Choices& may_be,
                        std::vector<FsExtent>& extents) {
    size_t done = 0;
    while (done < bytes.size()) {
      const auto rest = bytes.subspan(done);
      size_t most = 0;
      uint8_t fill = 0;
      if (may_be.zero) most = zeros(rest);
      const bool hole = most != 0; // no fill has zeros
      for (size_t i = 0; i < may_be.count && !hole; ++i) {
        const size_t good = of_fill(rest, place + done, may_be.fills[i]);
        if (good <= most) continue;
        most = good;
        fill = may_be.fills[i];
      }
      if (most == 0) return done;
      if (!hole) add_extent(extents, {place + done, place + done + most, fill});
      done += most;
    }
    return done;
  }

  static void add_extent(std::vector<FsExtent>& extents, const FsExtent& extent) {
    if (!extents.empty() && extents.back().end == extent.begin &&
        extents.back().fill == extent.fill) {
      extents.back().end = extent.end;
    } else {
      extents.push_back(extent);
    }
  }

  bool bad_byte(uint32_t at, uint64_t place, uint8_t got, const Choices& may_be) {
    std::string fills = may_be.zero ? "0" : "";
    for (size_t i = 0; i < may_be.count; ++i) {
      fills += (fills.empty() ? "" : ", ") + ("that of fill " + std::to_string(may_be.fills[i]));
    }
    return wrong("%s has the byte 0x%02x at %lu; it may be %s", found_.path_text(at).c_str(),
                 unsigned{got}, place, fills.c_str());
  }

  const FsHistory& history_;
  const FsMoment& moment_;
  const FsFound& found_;
  FsVerdict& verdict_;
  uint32_t all_since_ = 0;
  std::vector<uint32_t> names_;       ///< of each node found
  std::vector<uint32_t> directories_; ///< in each
};

} // namespace

FsVerdict fs_judge(const FsHistory& history, const FsMoment& moment, const FsFound& found) {
  FsVerdict verdict;
  Judge(history, moment, found, verdict).run();
  return verdict;
}

FsHistory FsHistory::after(const FsVerdict& verdict, const FsFound& found, const FsLimits& limits) {
  FsModel model(limits);
  std::vector<uint64_t> numbers = {found.nodes[0].number};
  std::vector<FsNodeId> ids(found.nodes.size(), kNotFound);
  ids[0] = 0;
  std::vector<uint32_t> todo = {0};
  for (size_t i = 0; i < todo.size(); ++i) {
    const FsNodeId directory = ids[todo[i]];
    for (const FsFoundEntry& entry : found.entries_of(found.nodes[todo[i]])) {
      if (ids[entry.node] != kNotFound) {
        model.link(ids[entry.node], directory, entry.name);
        continue;
      }
      const FsFoundNode& node = found.nodes[entry.node];
      const FsVerdict::Node& judged = verdict.nodes[entry.node];
      const FsNodeId id =
          model.make(directory, entry.name, node.kind, node.permissions, judged.target);
      ids[entry.node] = id;
      numbers.push_back(node.number);
      if (node.kind == FsKind::kDirectory) todo.push_back(entry.node);
      if (node.kind == FsKind::kFile && node.bytes != 0) {
        model.truncate(id, node.bytes);
        for (const FsExtent& extent : judged.extents) {
          model.write(id, extent.begin, extent.end - extent.begin, extent.fill);
        }
      }
    }
  }
  return FsHistory(std::move(model), std::move(numbers));
}

} // namespace kiln::worlds
