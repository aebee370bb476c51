#include "targets/fs/shared_tree.h"

#include <map>
#include <vector>

#include "sim/machine.h"

namespace kiln::fs {

using clay::Node;
using clay::NodeKind;
using clay::Ref;
using worlds::FsError;
using worlds::FsErrors;

FsErrors possible_errors(const gen::FsOperation& operation) {
  using gen::FsAct;
  const FsErrors way = FsErrors(FsError::kNotFound) | FsError::kNotDirectory | FsError::kInvalid;
  switch (operation.act) {
  case FsAct::kCreate:
  case FsAct::kMakeDirectory:
  case FsAct::kSymlink:
    return way | FsError::kExists | FsError::kTooMany | FsError::kNameTooLong;
  case FsAct::kLink:
    return way | FsError::kExists | FsError::kTooMany | FsError::kNotPermitted;
  case FsAct::kUnlink:
    return way | FsError::kIsDirectory;
  case FsAct::kRemoveDirectory:
    return way | FsError::kNotEmpty;
  case FsAct::kRename:
    return way | FsError::kIsDirectory | FsError::kNotEmpty | FsError::kTooMany;
  case FsAct::kSync:
  case FsAct::kClose:
  case FsAct::kRemount:
  case FsAct::kStatHandle:
  case FsAct::kSyncHandle:
    return {};
  default:
    return way | FsError::kIsDirectory;
  }
}

Totals check_tree(Node& root) {
  struct Met {
    Ref<Node> node;
    uint32_t names = 0;
  };
  std::map<uint64_t, Met> met; // by number
  std::vector<Ref<Node>> pending;
  Totals totals;
  met[root.stat().number].node = Ref<Node>(root);
  pending.emplace_back(root);
  while (!pending.empty()) {
    const Ref<Node> directory = pending.back();
    pending.pop_back();
    std::vector<Listed> entries;
    const auto listed = list_all(*directory, 5, entries);
    KILN_CHECK(listed.ok(), "a directory cannot be listed: %s", text_of(failure_of(listed)));
    uint32_t directories = 0;
    for (const Listed& entry : entries) {
      KILN_CHECK(entry.name != gen::kFsPlainNames, "a directory lists a name that nobody made");
      const auto found = directory->lookup(name_of(entry.name));
      KILN_CHECK(found.ok(), "%s is listed and not found",
                 std::string(gen::fs_name(entry.name)).c_str());
      Node& node = *found.value();
      KILN_CHECK(node.stat().number == entry.number && node.kind() == entry.kind,
                 "%s is listed as another node", std::string(gen::fs_name(entry.name)).c_str());
      Met& known = met[entry.number];
      KILN_CHECK(!known.node || known.node.get() == &node, "node %llu is two objects",
                 static_cast<unsigned long long>(entry.number));
      ++known.names;
      if (known.node) continue;
      known.node = found.value();
      if (node.kind() != NodeKind::kDirectory) continue;
      ++directories;
      const auto parent = node.parent();
      KILN_CHECK(parent.ok() && parent.value().get() == directory.get(),
                 "%s says that it lies elsewhere", std::string(gen::fs_name(entry.name)).c_str());
      pending.push_back(found.value());
    }
    KILN_CHECK(directory->stat().links == 2 + directories, "a directory with %u in it has %u links",
               directories, directory->stat().links);
  }
  for (const auto& [number, known] : met) {
    const clay::NodeStat stat = known.node->stat();
    const bool directory = stat.kind == NodeKind::kDirectory;
    KILN_CHECK(directory ? known.names <= 1 : known.names == stat.links,
               "node %llu has %u names and %u links", static_cast<unsigned long long>(number),
               known.names, stat.links);
    ++totals.nodes;
    totals.allocated += stat.allocated;
  }
  return totals;
}

void empty_out(Node& root) {
  struct Level {
    Ref<Node> directory;
    gen::FsName name; ///< in the one above
  };
  std::vector<Level> path;
  path.push_back({Ref<Node>(root), 0});
  while (!path.empty()) {
    Node& directory = *path.back().directory;
    std::vector<Listed> entries;
    KILN_CHECK(list_all(directory, 8, entries).ok(), "a directory cannot be listed");
    bool deeper = false;
    for (const Listed& entry : entries) {
      if (entry.kind == NodeKind::kDirectory) {
        auto below = directory.lookup(name_of(entry.name));
        KILN_CHECK(below.ok(), "a directory is listed and not found");
        path.push_back({below.take(), entry.name});
        deeper = true;
        break;
      }
      const auto gone = directory.unlink(name_of(entry.name));
      KILN_CHECK(gone.ok(), "a file cannot be unlinked: %s", text_of(failure_of(gone)));
    }
    if (deeper) continue;
    const gen::FsName name = path.back().name;
    path.pop_back();
    if (path.empty()) return;
    const auto gone = path.back().directory->remove_directory(name_of(name));
    KILN_CHECK(gone.ok(), "an empty directory cannot be removed: %s", text_of(failure_of(gone)));
  }
}

} // namespace kiln::fs
