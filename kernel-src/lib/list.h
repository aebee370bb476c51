#pragma once
// An intrusive doubly linked list: the links lie in the objects, so that nothing is allocated and
// an object leaves its list in constant time without knowing which one it is in.
//
//   struct Request { uint32_t sector; ListLink link; };
//   List<Request, &Request::link> queue;
//   queue.push_back(request);
//
// The list owns nothing: objects must outlive their membership, and a list must be empty when it
// goes. An object may be in as many lists as it has links. Not synchronised. Neighbours that do not
// point back at each other are noticed at insertion and removal, and panic.

#include <stddef.h>

#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/container_of.h"

namespace clay {

/// A place in a list, or in none. Moving or copying the object that holds it while it is linked is
/// a bug; copies are therefore not offered.
class ListLink {
 public:
  constexpr ListLink() = default;
  ListLink(const ListLink&) = delete;
  ListLink& operator=(const ListLink&) = delete;

  /// Whether the object is in a list by this link.
  constexpr bool is_linked() const { return next_ != nullptr; }

  /// Takes the object out of the list that it is in.
  void unlink() {
    CLAY_ASSERT(is_linked() && next_->previous_ == this && previous_->next_ == this);
    previous_->next_ = next_;
    next_->previous_ = previous_;
    next_ = nullptr;
    previous_ = nullptr;
  }

 private:
  template <typename T, ListLink T::* member> friend class List;

  /// The sentinel of an empty list: its own neighbour.
  struct Sentinel {};
  constexpr explicit ListLink(Sentinel) : next_(this), previous_(this) {}

  void insert_after(ListLink& at) {
    CLAY_ASSERT(!is_linked() && at.is_linked() && at.next_->previous_ == &at);
    next_ = at.next_;
    previous_ = &at;
    next_->previous_ = this;
    at.next_ = this;
  }

  ListLink* next_ = nullptr;
  ListLink* previous_ = nullptr;
};

template <typename T, ListLink T::* member> class List {
 public:
  constexpr List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  constexpr bool empty() const { return head_.next_ == &head_; }
  /// Elements, counted one by one.
  size_t count() const;

  void push_back(T& object) { link(object).insert_after(*head_.previous_); }
  void push_front(T& object) { link(object).insert_after(head_); }
  /// Puts `object` beside `at`, which is in this list.
  void insert_after(T& at, T& object) { link(object).insert_after(link(at)); }
  void insert_before(T& at, T& object) { link(object).insert_after(*link(at).previous_); }

  /// `object` is in this list.
  void remove(T& object) { link(object).unlink(); }

  // Null when there is none.
  T* front() const { return object_at(head_.next_); }
  T* back() const { return object_at(head_.previous_); }
  T* next(const T& object) const { return object_at((object.*member).next_); }
  T* previous(const T& object) const { return object_at((object.*member).previous_); }
  T* pop_front() { return taken(front()); }
  T* pop_back() { return taken(back()); }

  /// Moves all of `other`, in order, to the end of this list; constant time.
  void append_all(List& other);

  /// For range-for. The object at hand must not leave the list while the loop stands on it: use
  /// remove_if, or next() before the removal.
  class Iterator {
   public:
    explicit Iterator(ListLink* at) : at_(at) {}
    T& operator*() const { return *container_of(at_, member); }
    T* operator->() const { return container_of(at_, member); }
    Iterator& operator++() {
      at_ = at_->next_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    ListLink* at_;
  };
  Iterator begin() const { return Iterator(head_.next_); }
  Iterator end() const { return Iterator(const_cast<ListLink*>(&head_)); }

  /// Takes out every object for which predicate(object) is true; it may free the object.
  template <typename Predicate> void remove_if(Predicate predicate);

  /// Whether every neighbour points back: for tests and debugging.
  bool is_sound() const;

 private:
  static ListLink& link(T& object) { return object.*member; }
  T* object_at(ListLink* at) const { return at == &head_ ? nullptr : container_of(at, member); }
  T* taken(T* object) {
    if (object != nullptr) {
      remove(*object);
    }
    return object;
  }

  ListLink head_{ListLink::Sentinel{}};
};

template <typename T, ListLink T::* member> size_t List<T, member>::count() const {
  size_t count = 0;
  for (const ListLink* at = head_.next_; at != &head_; at = at->next_) {
    ++count;
  }
  return count;
}

template <typename T, ListLink T::* member> void List<T, member>::append_all(List& other) {
  if (other.empty() || this == &other) {
    return;
  }
  ListLink* const first = other.head_.next_;
  ListLink* const last = other.head_.previous_;
  ListLink* const end = head_.previous_;
  end->next_ = first;
  first->previous_ = end;
  last->next_ = &head_;
  head_.previous_ = last;
  other.head_.next_ = &other.head_;
  other.head_.previous_ = &other.head_;
}

template <typename T, ListLink T::* member>
template <typename Predicate>
void List<T, member>::remove_if(Predicate predicate) {
  ListLink* at = head_.next_;
  while (at != &head_) {
    ListLink* const next = at->next_;
    ListLink* const previous = at->previous_;
    // Out first, so that the predicate may free the object; back in when it is to stay.
    at->unlink();
    if (!predicate(*container_of(at, member))) {
      at->insert_after(*previous);
    }
    at = next;
  }
}

template <typename T, ListLink T::* member> bool List<T, member>::is_sound() const {
  const ListLink* at = &head_;
  do {
    if (at->next_ == nullptr || at->next_->previous_ != at) {
      return false;
    }
    at = at->next_;
  } while (at != &head_);
  return true;
}

} // namespace clay
