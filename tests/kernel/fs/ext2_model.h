#pragma once
// A tree in memory, and random operations done to it and to a filesystem alike. Small on purpose:
// it has none of the rules that it is to find broken.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel-src/lib/hash.h"
#include "tests/kernel/fs/ext2_test.h"

namespace kiln::test {

struct ModelNode {
  clay::NodeKind kind = clay::NodeKind::kFile;
  std::string data; ///< of a file, or the target
  unsigned links = 1;
  uint64_t number = 0; ///< of the inode
  std::map<std::string, std::shared_ptr<ModelNode>> names;

  bool is_directory() const { return kind == clay::NodeKind::kDirectory; }
};
using ModelRef = std::shared_ptr<ModelNode>;

/// A generator of its own: xorshift.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(clay::hash_number(seed + 1) | 1) {}
  uint64_t below(uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % bound;
  }

 private:
  uint64_t state_;
};

/// Limits of what is done.
struct Taste {
  size_t most_bytes = 20'000; ///< of one file
  size_t names = 8;           ///< that there are in a directory
  size_t long_names = 0;      ///< of ten, how many are long
};

/// Makes things fail while an operation is done, and only then.
class Trouble {
 public:
  virtual void begin() = 0;
  virtual void end() = 0;

 protected:
  ~Trouble() = default;
};

class Twin {
 public:
  Twin(clay::FileSystem& fs, ModelRef root, uint64_t seed, Taste taste = {},
       Trouble* trouble = nullptr)
      : fs_(fs), root_(std::move(root)), dice_(seed), taste_(taste), trouble_(trouble) {}

  /// One operation; what it is, in words.
  std::string step();
  /// The whole tree is the same.
  void compare() { compare(*must(fs_.root(), "root"), *root_, ""); }

 private:
  struct Place {
    clay::Ref<clay::Node> node;
    ModelRef model;
    std::string path;
  };
  Place some_directory();
  std::string some_name();
  void compare(clay::Node& node, const ModelNode& model, const std::string& path);
  /// Does it, in trouble. True: it has happened, and has to in the model.
  template <typename Action> bool happened(Action action, bool right, const std::string& what);
  std::string create();
  std::string write();
  std::string remove();
  std::string link();
  std::string rename();

  clay::FileSystem& fs_;
  ModelRef root_;
  Dice dice_;
  Taste taste_;
  Trouble* trouble_;
};

inline clay::StringView view(const std::string& text) { return {text.data(), text.size()}; }

inline Twin::Place Twin::some_directory() {
  Place at{must(fs_.root(), "root"), root_, ""};
  while (dice_.below(3) != 0) {
    std::vector<std::string> below;
    for (const auto& [name, node] : at.model->names) {
      if (node->is_directory() && name != "lost+found") below.push_back(name);
    }
    if (below.empty()) break;
    const std::string name = below[dice_.below(below.size())];
    at.node = must(at.node->lookup(view(name)), name.c_str());
    at.model = at.model->names[name];
    at.path += "/" + name;
  }
  return at;
}

inline std::string Twin::some_name() {
  std::string name = "n" + std::to_string(dice_.below(taste_.names));
  if (dice_.below(10) < taste_.long_names) name += std::string(dice_.below(240), 'x');
  return name;
}

template <typename Action> bool Twin::happened(Action action, bool right, const std::string& what) {
  if (trouble_ != nullptr) trouble_->begin();
  const clay::Result<> result = action();
  if (trouble_ != nullptr) trouble_->end();
  if (result.ok()) {
    KILN_CHECK(right, "%s: should have failed", what.c_str());
    return true;
  }
  const clay::Error error = result.error();
  const bool troubled = error == clay::Error::kIo || error == clay::Error::kNoMemory ||
                        (error == clay::Error::kReadOnly && fs_.read_only());
  const bool excused = error == clay::Error::kNoSpace || (trouble_ != nullptr && troubled);
  KILN_CHECK(!right || excused, "%s: %s", what.c_str(), clay::error_text(error));
  return false;
}

inline std::string Twin::create() {
  Place at = some_directory();
  const std::string name = some_name();
  auto made = std::make_shared<ModelNode>();
  const uint64_t kind = dice_.below(4);
  const std::string what = "create " + at.path + "/" + name + " kind " + std::to_string(kind);
  if (kind == 0) {
    made->kind = clay::NodeKind::kSymlink;
    made->data = std::string(1 + dice_.below(120), 't');
  } else {
    made->kind = kind == 1 ? clay::NodeKind::kDirectory : clay::NodeKind::kFile;
  }
  const auto make = [&]() -> clay::Result<> {
    auto result = kind == 0 ? at.node->symlink(view(name), view(made->data))
                            : at.node->create(view(name), made->kind, 0640);
    if (!result.ok()) return result.error();
    made->number = result.value()->stat().number;
    return {};
  };
  if (happened(make, !at.model->names.contains(name), what)) at.model->names[name] = made;
  return what;
}

inline std::string Twin::write() {
  Place at = some_directory();
  std::vector<std::string> files;
  for (const auto& [name, node] : at.model->names) {
    if (node->kind == clay::NodeKind::kFile) files.push_back(name);
  }
  if (files.empty()) return create();
  const std::string name = files[dice_.below(files.size())];
  ModelNode& model = *at.model->names[name];
  const clay::Ref<clay::Node> node = must(at.node->lookup(view(name)), "lookup");
  const size_t offset = dice_.below(taste_.most_bytes);
  if (dice_.below(3) == 0) {
    const std::string what = "truncate " + at.path + "/" + name + " to " + std::to_string(offset);
    if (happened([&] { return node->truncate(offset); }, true, what)) model.data.resize(offset);
    return what;
  }
  const std::string bytes =
      pattern(1 + dice_.below(dice_.below(2) == 0 ? 100 : 5000), unsigned(dice_.below(200)));
  const std::string what = "write " + at.path + "/" + name + " at " + std::to_string(offset) +
                           ", " + std::to_string(bytes.size());
  if (happened([&] { return node->write(offset, bytes_of(bytes)); }, true, what)) {
    if (model.data.size() < offset + bytes.size()) model.data.resize(offset + bytes.size());
    model.data.replace(offset, bytes.size(), bytes);
  }
  return what;
}

inline std::string Twin::remove() {
  Place at = some_directory();
  const std::string name = some_name();
  const auto found = at.model->names.find(name);
  const bool there = found != at.model->names.end();
  if (dice_.below(2) == 0) {
    const bool right = there && found->second->is_directory() && found->second->names.empty();
    const std::string what = "rmdir " + at.path + "/" + name;
    if (happened([&] { return at.node->remove_directory(view(name)); }, right, what)) {
      at.model->names.erase(found);
    }
    return what;
  }
  const bool right = there && !found->second->is_directory();
  const std::string what = "unlink " + at.path + "/" + name;
  if (happened([&] { return at.node->unlink(view(name)); }, right, what)) {
    --found->second->links;
    at.model->names.erase(found);
  }
  return what;
}

inline std::string Twin::link() {
  Place from = some_directory();
  Place to = some_directory();
  const std::string name = some_name();
  const std::string to_name = some_name();
  const auto found = from.model->names.find(name);
  if (found == from.model->names.end()) return create();
  const clay::Ref<clay::Node> node = must(from.node->lookup(view(name)), "lookup");
  const std::string what = "link " + from.path + "/" + name + " to " + to.path + "/" + to_name;
  const bool right = !found->second->is_directory() && !to.model->names.contains(to_name);
  if (happened([&] { return to.node->link(view(to_name), *node); }, right, what)) {
    ++found->second->links;
    const ModelRef linked = found->second;
    to.model->names[to_name] = linked;
  }
  return what;
}

inline bool contains(const ModelNode& directory, const ModelNode* wanted) {
  if (&directory == wanted) return true;
  for (const auto& [name, node] : directory.names) {
    if (node->is_directory() && contains(*node, wanted)) return true;
  }
  return false;
}

inline std::string Twin::rename() {
  Place from = some_directory();
  Place to = some_directory();
  const std::string name = some_name();
  const std::string to_name = some_name();
  const std::string what = "rename " + from.path + "/" + name + " to " + to.path + "/" + to_name;
  const auto found = from.model->names.find(name);
  bool right = found != from.model->names.end();
  ModelRef source;
  ModelRef target;
  if (right) {
    source = found->second;
    const auto other = to.model->names.find(to_name);
    target = other != to.model->names.end() ? other->second : nullptr;
    right = !(source->is_directory() && contains(*source, to.model.get()));
    if (right && target && target != source) {
      right = target->is_directory() == source->is_directory() && target->names.empty();
    }
  }
  const auto move = [&] { return from.node->rename(view(name), *to.node, view(to_name)); };
  if (happened(move, right, what) && target != source) {
    if (target) --target->links;
    from.model->names.erase(name);
    to.model->names[to_name] = source;
  }
  return what;
}

inline std::string Twin::step() {
  switch (dice_.below(10)) {
  case 0:
  case 1:
  case 2:
    return create();
  case 3:
  case 4:
  case 5:
    return write();
  case 6:
    return remove();
  case 7:
    return link();
  default:
    return rename();
  }
}

inline void Twin::compare(clay::Node& node, const ModelNode& model, const std::string& path) {
  KILN_CHECK(node.kind() == model.kind, "%s: the kind", path.c_str());
  if (model.kind == clay::NodeKind::kSymlink) {
    KILN_CHECK(target(node) == model.data, "%s: the target", path.c_str());
  } else if (model.kind == clay::NodeKind::kFile) {
    KILN_CHECK(node.stat().bytes == model.data.size(), "%s: %llu bytes, not %zu", path.c_str(),
               static_cast<unsigned long long>(node.stat().bytes), model.data.size());
    KILN_CHECK(contents(node) == model.data, "%s: the contents", path.c_str());
  } else {
    size_t listed = 0;
    for (const std::string& name : names(node)) {
      if (path.empty() && name == "lost+found") continue;
      const auto found = model.names.find(name);
      KILN_CHECK(found != model.names.end(), "%s/%s should not be", path.c_str(), name.c_str());
      compare(*must(node.lookup(view(name)), name.c_str()), *found->second, path + "/" + name);
      ++listed;
    }
    KILN_CHECK(listed == model.names.size(), "%s: %zu names, not %zu", path.c_str(), listed,
               model.names.size());
    return;
  }
  KILN_CHECK(node.stat().links == model.links, "%s: %u links, not %u", path.c_str(),
             node.stat().links, model.links);
}

inline ModelRef empty_tree() {
  auto root = std::make_shared<ModelNode>();
  root->kind = clay::NodeKind::kDirectory;
  return root;
}

} // namespace kiln::test
