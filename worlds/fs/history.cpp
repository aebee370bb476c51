// What is kept of a run.

#include "worlds/fs/history.h"

#include <algorithm>

namespace kiln::worlds {

using gen::FsAct;
using gen::FsOperation;

FsHistory::FsHistory(FsModel durable, std::vector<uint64_t> numbers)
    : numbers_(std::move(numbers)) {
  states_.push_back(std::move(durable));
}

void FsHistory::push(FsModel model) { states_.push_back(std::move(model)); }

void FsHistory::begin(unsigned task, const FsOperation& operation) {
  UnderWay& under_way = under_way_[task];
  under_way.operation = operation;
  under_way.from = static_cast<uint32_t>(states_.size() - 1);
  under_way.aside_from = 0;
  under_way.active = true;
  done_.push_back({operation, Done::How::kUnderWay, static_cast<uint8_t>(task)});
}

std::optional<uint32_t> FsHistory::outcome(UnderWay& under_way) {
  if (!gen::fs_changes(under_way.operation.act)) return {};
  const auto newest = static_cast<uint32_t>(states_.size());
  if (under_way.aside_from != newest) {
    if (now().is_idle(under_way.operation) || !now().errors(under_way.operation).empty()) return {};
    under_way.aside_from = newest;
    under_way.aside = static_cast<uint32_t>(asides_.size());
    asides_.push_back(now());
    asides_.back().apply(under_way.operation);
  }
  return under_way.aside;
}

FsMoment FsHistory::moment() {
  FsMoment moment{.states = static_cast<uint32_t>(states_.size()),
                  .marks = static_cast<uint32_t>(marks_.size())};
  for (UnderWay& under_way : under_way_) {
    if (!under_way.active) continue;
    if (const auto aside = outcome(under_way)) moment.asides[moment.asides_count++] = *aside;
  }
  return moment;
}

// --- How an operation ends

std::optional<FsNodeId> FsHistory::succeeded(unsigned task) {
  UnderWay& under_way = under_way_[task];
  const FsOperation& operation = under_way.operation;
  under_way.active = false;
  for (size_t i = done_.size(); i-- > 0;) {
    if (done_[i].task != task) continue;
    done_[i].how = Done::How::kSucceeded;
    break;
  }
  if (!gen::fs_changes(operation.act)) {
    mark_durable(under_way);
    return states_.back().apply(operation);
  }
  push(now());
  return states_.back().apply(operation);
}

void FsHistory::failed(unsigned task, bool either) {
  UnderWay& under_way = under_way_[task];
  const FsOperation& operation = under_way.operation;
  under_way.active = false;
  const auto aside = either ? outcome(under_way) : std::nullopt;
  for (size_t i = done_.size(); i-- > 0;) {
    if (done_[i].task != task) continue;
    done_[i].how = aside ? Done::How::kEither : Done::How::kFailed;
    break;
  }
  if (!aside) return;
  const FsModel before = now();
  push(asides_[*aside]);
  push(before);
  // The number of a node that was made there is not given to another one.
  if (asides_[*aside].nodes() == before.nodes()) return;
  FsModel& here = states_.back();
  const gen::FsName name = operation.path.last();
  const FsNodeId directory = *here.find(operation.path.parent());
  here.apply(operation);
  operation.act == FsAct::kMakeDirectory ? here.remove(directory, name)
                                         : here.unlink(directory, name);
}

void FsHistory::set_number(FsNodeId node, uint64_t number) {
  if (numbers_.size() <= node) numbers_.resize(node + size_t{1});
  numbers_[node] = number;
}

// --- What is durable

void FsHistory::all_durable() {
  marks_.push_back({Mark::What::kAll, 0, 0, static_cast<uint32_t>(states_.size() - 1)});
}

void FsHistory::mark_durable(const UnderWay& under_way) {
  const FsOperation& operation = under_way.operation;
  switch (operation.act) {
  case FsAct::kSync:
  case FsAct::kRemount:
    marks_.push_back({Mark::What::kAll, 0, 0, under_way.from});
    return;
  case FsAct::kSyncNode:
    if (const auto node = state(under_way.from).find(operation.path)) {
      mark_node(*node, under_way.from);
    }
    return;
  case FsAct::kSyncHandle:
    if (const auto node = state(under_way.from).opened(operation.handle)) {
      mark_node(*node, under_way.from);
    }
    return;
  default:
    return;
  }
}

/// A node's contents, all its names and the way to each.
void FsHistory::mark_node(FsNodeId node, uint32_t from) {
  const FsModel& then = state(from);
  marks_.push_back({Mark::What::kNode, 0, node, from});
  if (then.node(node).kind == FsKind::kDirectory) {
    marks_.push_back({Mark::What::kDirectory, 0, node, from});
  }
  std::vector<FsNodeId> todo = {node};
  for (size_t i = 0; i < todo.size(); ++i) {
    for (FsNodeId at = 0; at < then.nodes(); ++at) {
      if (!then.lives(at) || then.node(at).links == 0) continue;
      for (const FsEntry& entry : then.node(at).entries) {
        if (entry.node != todo[i]) continue;
        marks_.push_back({Mark::What::kName, entry.name, at, from});
        if (std::find(todo.begin(), todo.end(), at) == todo.end()) todo.push_back(at);
      }
    }
  }
}

// --- Looking

std::vector<FsHistory::Place> FsHistory::places(uint64_t number, uint64_t bytes) const {
  static constexpr uint64_t kMargin = 512;
  std::vector<Place> all;
  const auto add = [&](uint64_t begin, uint64_t end) {
    begin -= std::min(begin, kMargin);
    end = std::min(end, bytes - std::min(bytes, kMargin)) + kMargin;
    if (begin < std::min(end, bytes)) all.push_back({begin, std::min(end, bytes)});
  };
  const auto add_all = [&](const FsModel& model) {
    for (FsNodeId id = 0; id < model.nodes(); ++id) {
      if (!model.lives(id) || (this->number(id) != number && this->number(id) != 0)) continue;
      for (const FsExtent& extent : model.node(id).extents) {
        add(extent.begin, extent.end);
      }
    }
  };
  for (const FsModel& model : states_) {
    add_all(model);
  }
  for (const FsModel& model : asides_) {
    add_all(model);
  }
  add(0, 0);
  add(bytes, bytes);
  std::sort(all.begin(), all.end(),
            [](const Place& a, const Place& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Place& place : all) {
    if (kept != 0 && place.begin <= all[kept - 1].end) {
      all[kept - 1].end = std::max(all[kept - 1].end, place.end);
    } else {
      all[kept++] = place;
    }
  }
  all.resize(kept);
  return all;
}

std::string FsHistory::text() const {
  static constexpr const char* kHow[] = {"under way", "", "failed", "failed, or not"};
  std::string out;
  for (size_t i = 0; i < done_.size(); ++i) {
    out += std::to_string(i + 1) + ". " + gen::fs_text(done_[i].operation);
    const char* how = kHow[static_cast<size_t>(done_[i].how)];
    if (*how != 0) out += std::string("   [") + how + "]";
    out += "\n";
  }
  return out;
}

} // namespace kiln::worlds
