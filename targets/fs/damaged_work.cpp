#include "targets/fs/damaged_work.h"

#include <cstdio>

#include "sim/target.h"

namespace kiln::fs {

using clay::Node;
using clay::NodeKind;
using clay::Ref;
using clay::Result;

namespace {

clay::StringView view_of(const std::string& text) { return {text.data(), text.size()}; }

/// Sizes and places at the borders of blocks, and far away.
uint64_t draw_place(sim::Tape::View data, uint64_t block, uint64_t bytes) {
  const uint64_t pointers = block / 4;
  const uint64_t places[] = {0,
                             bytes,
                             bytes / 2,
                             block * 12,
                             block * (12 + pointers),
                             block * (12 + pointers + pointers * pointers),
                             uint64_t{1} << 32,
                             UINT64_MAX / 2};
  const uint64_t place = places[data.weighted({6, 6, 4, 3, 2, 1, 1, 1})];
  const uint64_t more = data.below(3 * block);
  return data.boolean() && place >= more ? place - more : place + more;
}

} // namespace

DamagedTree::Directory& DamagedWork::directory(sim::Tape::View data) {
  return tree_.directories()[static_cast<size_t>(data.below(tree_.directories().size()))];
}

DamagedTree::Name* DamagedWork::name(sim::Tape::View data) {
  std::vector<DamagedTree::Name>& names = tree_.names();
  return names.empty() ? nullptr : &names[static_cast<size_t>(data.below(names.size()))];
}

std::string DamagedWork::fresh_name(sim::Tape::View data) {
  std::string name = "w" + std::to_string(++made_);
  if (data.chance(1, 8)) name.resize(static_cast<size_t>(200 + data.below(57)), 'w');
  return name;
}

std::string DamagedWork::path_of(const DamagedTree::Name& name) const {
  return tree_.directories()[name.directory].path + "/" + name.name;
}

void DamagedWork::done(const char* what, const Result<>& result, const std::string& path) {
  ++asked_;
  succeeded_ += result.ok() ? 1 : 0;
  words_ += std::string(what) + " " + path + ": " +
            (result.ok() ? "done" : clay::error_text(result.error())) + "\n";
  honesty_.changes(result, what, path);
}

void DamagedWork::step(sim::Tape::View data) {
  if (tree_.directories().empty()) return;
  const size_t what = data.weighted({6, 2, 2, 6, 4, 6, 4, 2});
  DamagedTree::Name* of = name(data);
  switch (what) {
  case 0:
    return create(data);
  case 1:
    return symlink(data);
  case 7:
    return sync();
  default:
    break;
  }
  if (of == nullptr || !of->node) return;
  switch (what) {
  case 2:
    return link(data, *of);
  case 3:
    return write(data, *of);
  case 4:
    return truncate(data, *of);
  case 5:
    return remove(*of);
  default:
    return rename(data, *of);
  }
}

void DamagedWork::sync() {
  const Result<> synced = fs_.sync();
  words_ +=
      std::string("sync: ") + (synced.ok() ? "done" : clay::error_text(synced.error())) + "\n";
  honesty_.settles(synced);
}

void DamagedWork::create(sim::Tape::View data) {
  const auto in = static_cast<size_t>(data.below(tree_.directories().size()));
  const std::string path = tree_.directories()[in].path;
  const bool directory = data.boolean();
  const std::string name = fresh_name(data);
  Result<Ref<Node>> made = tree_.directories()[in].node->create(
      view_of(name), directory ? NodeKind::kDirectory : NodeKind::kFile, 0755);
  done(directory ? "mkdir" : "create", made.ok() ? Result<>() : made.error(), path + "/" + name);
  if (!made.ok()) return;
  Ref<Node> node = made.take();
  if (directory) tree_.directories().push_back({node, path + "/" + name});
  tree_.names().push_back({in, name, std::move(node)});
}

void DamagedWork::symlink(sim::Tape::View data) {
  DamagedTree::Directory& in = directory(data);
  const std::string name = fresh_name(data);
  const std::string target(static_cast<size_t>(1 + data.below(200)), 's');
  const Result<Ref<Node>> made = in.node->symlink(view_of(name), view_of(target));
  done("symlink", made.ok() ? Result<>() : made.error(), in.path + "/" + name);
}

void DamagedWork::link(sim::Tape::View data, DamagedTree::Name& name) {
  DamagedTree::Directory& in = directory(data);
  const std::string to = fresh_name(data);
  done("link", in.node->link(view_of(to), *name.node), path_of(name) + " " + in.path + "/" + to);
}

void DamagedWork::write(sim::Tape::View data, DamagedTree::Name& name) {
  if (name.node->kind() != NodeKind::kFile) return;
  const uint64_t block = fs_.stat().block_bytes;
  const uint64_t offset = draw_place(data, block, name.node->stat().bytes);
  std::vector<uint8_t> bytes(static_cast<size_t>(1 + data.below(3 * block)), 'W');
  done("write", name.node->write(offset, {bytes.data(), bytes.size()}),
       path_of(name) + " at " + std::to_string(offset) + ", " + std::to_string(bytes.size()));
}

void DamagedWork::truncate(sim::Tape::View data, DamagedTree::Name& name) {
  if (name.node->kind() != NodeKind::kFile) return;
  const uint64_t bytes = draw_place(data, fs_.stat().block_bytes, name.node->stat().bytes);
  done("truncate", name.node->truncate(bytes), path_of(name) + " to " + std::to_string(bytes));
}

void DamagedWork::remove(DamagedTree::Name& name) {
  const std::string path = path_of(name);
  Node& directory = *tree_.directories()[name.directory].node;
  const bool is_directory = name.node->kind() == NodeKind::kDirectory;
  const Result<> removed = is_directory ? directory.remove_directory(view_of(name.name))
                                        : directory.unlink(view_of(name.name));
  // The last reference goes: blocks and inode are given back.
  if (removed.ok() && !is_directory) name.node.reset();
  done(is_directory ? "rmdir" : "unlink", removed, path);
}

void DamagedWork::rename(sim::Tape::View data, DamagedTree::Name& name) {
  DamagedTree::Directory& to = directory(data);
  std::string new_name = fresh_name(data);
  if (const DamagedTree::Name* other = this->name(data); data.boolean() && other != nullptr) {
    new_name = other->name;
  }
  const std::string path = path_of(name);
  Node& from = *tree_.directories()[name.directory].node;
  done("rename", from.rename(view_of(name.name), *to.node, view_of(new_name)),
       path + " " + to.path + "/" + new_name);
}

} // namespace kiln::fs
