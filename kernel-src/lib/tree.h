#pragma once
// An intrusive balanced search tree (red-black): look-up, insertion and removal in logarithmic
// time, order kept, nothing allocated.
//
//   struct Region { uint64_t start; uint64_t size; TreeLink link; };
//   Tree<Region, &Region::link, &Region::start> regions;
//   CLAY_TRY(regions.insert_unique(region));
//   Region* around = regions.last_at_or_below(address);
//
// The tree owns nothing: objects must outlive their membership, a tree must be empty when it goes,
// and a key must not change while its object is in a tree. Not synchronised.

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/container_of.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/tree_core.h"

namespace clay {

/// `key` is a data member of T or a function of const T&; keys are compared with <.
template <typename T, TreeLink T::* member, auto key> class Tree {
 public:
  constexpr Tree() = default;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  constexpr bool empty() const { return core_.root() == nullptr; }
  /// Elements, counted one by one.
  size_t count() const;

  /// Puts `object` in, behind those with an equal key.
  void insert(T& object) {
    const Place place = place_for(key_of(object));
    core_.insert(object.*member, place.parent, place.side);
  }
  /// Puts `object` in unless one with an equal key is there: kExists.
  Result<void> insert_unique(T& object) {
    const Place place = place_for(key_of(object));
    if (place.equal != nullptr) {
      return Error::kExists;
    }
    core_.insert(object.*member, place.parent, place.side);
    return {};
  }
  /// `object` is in this tree.
  void remove(T& object) { core_.remove(object.*member); }
  /// Takes the first out; null when empty.
  T* pop_first() {
    T* const object = first();
    if (object != nullptr) {
      remove(*object);
    }
    return object;
  }

  // In order of keys, equal ones in order of insertion. Null when there is none.
  T* first() const { return object_of(core_.outermost(TreeSide::kLeft)); }
  T* last() const { return object_of(core_.outermost(TreeSide::kRight)); }
  T* next(const T& object) const { return object_of((object.*member).step(TreeSide::kRight)); }
  T* previous(const T& object) const { return object_of((object.*member).step(TreeSide::kLeft)); }

  // By key. Null when there is none.
  template <typename Key> T* find(const Key& wanted) const {
    T* const object = first_at_or_above(wanted);
    return object != nullptr && !(wanted < key_of(*object)) ? object : nullptr;
  }
  template <typename Key> T* first_at_or_above(const Key& bound) const {
    return first_where([&](const T& object) { return !(key_of(object) < bound); });
  }
  template <typename Key> T* first_above(const Key& bound) const {
    return first_where([&](const T& object) { return bound < key_of(object); });
  }
  template <typename Key> T* last_at_or_below(const Key& bound) const {
    return before(first_above(bound));
  }
  template <typename Key> T* last_below(const Key& bound) const {
    return before(first_at_or_above(bound));
  }

  /// For range-for. The object at hand must not leave the tree while the loop stands on it.
  class Iterator {
   public:
    explicit Iterator(TreeLink* at) : at_(at) {}
    T& operator*() const { return *container_of(at_, member); }
    T* operator->() const { return container_of(at_, member); }
    Iterator& operator++() {
      at_ = at_->step(TreeSide::kRight);
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    TreeLink* at_;
  };
  Iterator begin() const { return Iterator(core_.outermost(TreeSide::kLeft)); }
  Iterator end() const { return Iterator(nullptr); }

  /// Null when the tree is sound, else what is wrong with it; for tests and debugging.
  const char* fault() const;

 private:
  struct Place {
    TreeLink* parent;
    TreeSide side;
    const T* equal; ///< one with an equal key, or null
  };

  static decltype(auto) key_of(const T& object) {
    if constexpr (std::is_member_object_pointer_v<decltype(key)>) {
      return (object.*key);
    } else {
      return key(object);
    }
  }
  static T* object_of(TreeLink* link) {
    return link == nullptr ? nullptr : container_of(link, member);
  }
  T* before(const T* object) const { return object == nullptr ? last() : previous(*object); }

  template <typename Key> Place place_for(const Key& wanted) const {
    Place place{nullptr, TreeSide::kLeft, nullptr};
    TreeLink* at = core_.root();
    while (at != nullptr) {
      const T* const object = container_of(at, member);
      const bool left = wanted < key_of(*object);
      if (!left && !(key_of(*object) < wanted)) {
        place.equal = object;
      }
      place.parent = at;
      place.side = left ? TreeSide::kLeft : TreeSide::kRight;
      at = at->child(place.side);
    }
    return place;
  }

  /// The first for which `holds`, which is false for a first part of the tree and true for the
  /// rest.
  template <typename Predicate> T* first_where(Predicate holds) const {
    TreeLink* at = core_.root();
    T* best = nullptr;
    while (at != nullptr) {
      T* const object = container_of(at, member);
      const bool found = holds(*object);
      best = found ? object : best;
      at = at->child(found ? TreeSide::kLeft : TreeSide::kRight);
    }
    return best;
  }

  TreeCore core_;
};

template <typename T, TreeLink T::* member, auto key> size_t Tree<T, member, key>::count() const {
  size_t count = 0;
  for (const T* at = first(); at != nullptr; at = next(*at)) {
    ++count;
  }
  return count;
}

template <typename T, TreeLink T::* member, auto key>
const char* Tree<T, member, key>::fault() const {
  if (const char* const shape = core_.fault()) {
    return shape;
  }
  const T* before = nullptr;
  for (const T& object : *this) {
    if (before != nullptr && key_of(object) < key_of(*before)) {
      return "keys are out of order";
    }
    before = &object;
  }
  return nullptr;
}

} // namespace clay
