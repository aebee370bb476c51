// Two lists of sixteen items, against std::deque.

#include "kernel-src/lib/list.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/lib/containers/programs.h"

namespace kiln::targets {
namespace {

const sim::Probe kEmptied{kContainers, "a list loses its only element"};
const sim::Probe kAppended{kContainers, "a list is appended to another that is not empty"};
const sim::Probe kMiddle{kContainers, "an element leaves the middle of a list"};
const sim::Probe kBroken{kContainers, "a link in a list is overwritten"};

struct Item {
  clay::ListLink link;
};
using Items = clay::List<Item, &Item::link>;

class ListProgram {
 public:
  explicit ListProgram(sim::Run& run) : data_(run.tape.data()) {}

  void step();
  void check() const;
  void check_soundness();

 private:
  static constexpr unsigned kItems = 16;
  static constexpr unsigned kNowhere = 2;
  using Model = std::deque<Item*>;

  unsigned place_of(const Item& item) const;
  void add(Item& item, unsigned which);
  void insert_beside(Item& item, Item& at, unsigned which);
  void take_out(Item& item, unsigned which);
  void pop(unsigned which);
  void filter(unsigned which);
  void append();

  sim::Tape::View data_;
  Item items_[kItems];
  Items lists_[2];
  Model models_[2];
};

unsigned ListProgram::place_of(const Item& item) const {
  for (unsigned i = 0; i < 2; ++i) {
    if (std::find(models_[i].begin(), models_[i].end(), &item) != models_[i].end()) {
      return i;
    }
  }
  return kNowhere;
}

void ListProgram::add(Item& item, unsigned which) {
  if (data_.boolean()) {
    lists_[which].push_front(item);
    models_[which].push_front(&item);
  } else {
    lists_[which].push_back(item);
    models_[which].push_back(&item);
  }
}

void ListProgram::insert_beside(Item& item, Item& at, unsigned which) {
  const bool after = data_.boolean();
  Model& model = models_[which];
  const auto place = std::find(model.begin(), model.end(), &at);
  model.insert(after ? place + 1 : place, &item);
  after ? lists_[which].insert_after(at, item) : lists_[which].insert_before(at, item);
}

void ListProgram::take_out(Item& item, unsigned which) {
  Model& model = models_[which];
  if (model.size() == 1) kEmptied.hit();
  if (&item != model.front() && &item != model.back()) kMiddle.hit();
  model.erase(std::find(model.begin(), model.end(), &item));
  data_.boolean() ? item.link.unlink() : lists_[which].remove(item);
}

void ListProgram::pop(unsigned which) {
  Model& model = models_[which];
  const bool front = data_.boolean();
  Item* const want = model.empty() ? nullptr : front ? model.front() : model.back();
  Item* const got = front ? lists_[which].pop_front() : lists_[which].pop_back();
  KILN_CHECK(got == want, "popping a list gave the wrong element");
  if (want != nullptr) {
    front ? model.pop_front() : model.pop_back();
  }
}

void ListProgram::filter(unsigned which) {
  const uint16_t chosen = data_.u16();
  const auto leaves = [&](const Item* item) { return (chosen >> (item - items_) & 1) != 0; };
  std::erase_if(models_[which], leaves);
  lists_[which].remove_if([&](Item& item) { return leaves(&item); });
}

void ListProgram::append() {
  const unsigned to = data_.boolean() ? 1 : 0;
  const unsigned from = data_.below(8) == 7 ? to : 1 - to;
  lists_[to].append_all(lists_[from]);
  if (to == from) {
    return;
  }
  if (!models_[to].empty() && !models_[from].empty()) kAppended.hit();
  models_[to].insert(models_[to].end(), models_[from].begin(), models_[from].end());
  models_[from].clear();
}

void ListProgram::step() {
  Item& item = items_[data_.below(kItems)];
  const unsigned place = place_of(item);
  const uint64_t kind = data_.below(10);
  if (kind == 9) {
    append();
  } else if (kind == 8) {
    filter(data_.boolean() ? 1 : 0);
  } else if (kind >= 6) {
    pop(data_.boolean() ? 1 : 0);
  } else if (place != kNowhere) {
    take_out(item, place);
  } else {
    Item& at = items_[data_.below(kItems)];
    const unsigned beside = place_of(at);
    beside == kNowhere ? add(item, data_.boolean() ? 1 : 0) : insert_beside(item, at, beside);
  }
}

void ListProgram::check() const {
  for (unsigned i = 0; i < 2; ++i) {
    const Items& list = lists_[i];
    const Model& model = models_[i];
    KILN_CHECK(list.is_sound(), "neighbours in a list do not point at each other");
    KILN_CHECK(list.empty() == model.empty() && list.count() == model.size(),
               "a list has %zu elements, its model %zu", list.count(), model.size());
    KILN_CHECK(std::equal(model.begin(), model.end(), list.begin(),
                          [](const Item* want, const Item& got) { return want == &got; }),
               "a list is in another order than its model");
    const Item* backwards = list.back();
    for (auto want = model.rbegin(); want != model.rend(); ++want) {
      KILN_CHECK(backwards == *want, "a list read backwards is in another order than its model");
      backwards = list.previous(*backwards);
    }
  }
  for (const Item& item : items_) {
    KILN_CHECK(item.link.is_linked() == (place_of(item) != kNowhere),
               "an element is wrong about whether it is in a list");
  }
}

/// A list with a link that another's bytes have been written over, or zeros, is not sound.
void ListProgram::check_soundness() {
  Item& item = items_[data_.below(kItems)];
  const Item& other = items_[data_.below(kItems)];
  const unsigned place = place_of(item);
  if (place == kNowhere || &item == &other) {
    return;
  }
  uint8_t saved[sizeof item.link];
  memcpy(saved, &item.link, sizeof saved);
  memcpy(static_cast<void*>(&item.link), &other.link, sizeof saved);
  KILN_CHECK(!lists_[place].is_sound(), "a list with a foreign link in it is called sound");
  memcpy(static_cast<void*>(&item.link), saved, sizeof saved);
  kBroken.hit();
}

} // namespace

void run_list(sim::Run& run) {
  ListProgram program(run);
  for (unsigned step = 0; step < kMostSteps && !run.tape.data().at_end(); ++step) {
    sim::Span span(run.tape, "step");
    program.step();
    program.check();
  }
  program.check_soundness();
}

} // namespace kiln::targets
