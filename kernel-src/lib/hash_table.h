#pragma once
// An intrusive hash table. The links lie in the objects, so insertion allocates nothing and cannot
// fail; only the array of chains does. It doubles when there are more objects than chains; when
// there is no memory for that the chains get longer instead, and the next attempt is made at twice
// as many objects. A caller that needs the room for certain asks with reserve().
//
//   struct Neighbour { uint32_t address; HashLink link; };
//   HashTable<Neighbour, &Neighbour::link, &Neighbour::address, AtomicHeap> neighbours;
//   CLAY_TRY(neighbours.insert_unique(neighbour));
//   Neighbour* found = neighbours.find(uint32_t{0x0A000001});
//
// The table owns nothing but that array: objects must outlive their membership, the table must be
// empty when it goes, and a key must not change while its object is in a table. Not synchronised.
// A table at namespace scope needs [[clang::no_destroy]].

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include "kernel-src/lib/allocator.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/container_of.h"
#include "kernel-src/lib/hash.h"
#include "kernel-src/lib/result.h"

namespace clay {

/// A place in a chain, or in none. It knows what points at it, so that it leaves in constant time.
class HashLink {
 public:
  constexpr HashLink() = default;
  HashLink(const HashLink&) = delete;
  HashLink& operator=(const HashLink&) = delete;

  bool is_linked() const { return pointer_here_ != nullptr; }

 private:
  template <typename T, HashLink T::* member, auto key, Allocator Memory, typename Hash>
  friend class HashTable;

  void insert(HashLink** at) {
    CLAY_ASSERT(!is_linked());
    next_ = *at;
    pointer_here_ = at;
    *at = this;
    if (next_ != nullptr) {
      next_->pointer_here_ = &next_;
    }
  }
  void unlink() {
    CLAY_ASSERT(is_linked() && *pointer_here_ == this);
    *pointer_here_ = next_;
    if (next_ != nullptr) {
      next_->pointer_here_ = pointer_here_;
    }
    next_ = nullptr;
    pointer_here_ = nullptr;
  }

  HashLink* next_ = nullptr;
  HashLink** pointer_here_ = nullptr;
  uint64_t hash_ = 0;
};

/// `key` is a data member of T or a function of const T&; keys are compared with ==, and hashed by
/// `Hash`, whose seed belongs to the table.
template <typename T, HashLink T::* member, auto key, Allocator Memory = AtomicHeap,
          typename Hash = DefaultHash>
class HashTable {
 public:
  constexpr HashTable() = default;
  explicit constexpr HashTable(Hash hash, Memory memory = {}) : hash_(hash), memory_(memory) {}
  HashTable(const HashTable&) = delete;
  HashTable& operator=(const HashTable&) = delete;
  ~HashTable() {
    CLAY_ASSERT(empty());
    release_chains();
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Chains that there are; a power of two.
  size_t chains() const { return mask_ + 1; }

  /// Puts `object` in, beside those with an equal key: which of them find() gives is not said.
  void insert(T& object) {
    if (size_ >= grow_at_) {
      grow();
    }
    HashLink& link = object.*member;
    link.hash_ = hash_(key_of(object));
    link.insert(chain_of(link.hash_));
    ++size_;
  }
  /// Puts `object` in unless one with an equal key is there: kExists.
  Result<void> insert_unique(T& object) {
    if (find(key_of(object)) != nullptr) {
      return Error::kExists;
    }
    insert(object);
    return {};
  }
  /// `object` is in this table.
  void remove(T& object) {
    (object.*member).unlink();
    --size_;
  }

  /// One with that key, or null.
  template <typename Key> T* find(const Key& wanted) const {
    const uint64_t hash = hash_(wanted);
    for (HashLink* at = *chain_of(hash); at != nullptr; at = at->next_) {
      T* const object = container_of(at, member);
      if (at->hash_ == hash && key_of(*object) == wanted) {
        return object;
      }
    }
    return nullptr;
  }

  /// Calls visit(object) for all, in no useful order; it may remove the object, and no other.
  template <typename Visit> void for_each(Visit visit) {
    for (size_t chain = 0; chain <= mask_; ++chain) {
      HashLink* at = chains_[chain];
      while (at != nullptr) {
        HashLink* const next = at->next_;
        visit(*container_of(at, member));
        at = next;
      }
    }
  }

  /// Makes chains for `count` objects beforehand; kNoMemory leaves the table as it was.
  Result<void> reserve(size_t count) {
    size_t wanted = chains();
    while (wanted < count) {
      wanted = CLAY_TRY(checked_mul(wanted, size_t{2}));
    }
    return wanted == chains() ? Result<void>() : set_chains(wanted);
  }

  /// Null when the table is sound, else what is wrong with it; for tests and debugging.
  const char* fault() const;

 private:
  /// Chains that lie in the table itself: small tables allocate nothing.
  static constexpr size_t kOwnChains = 8;

  static decltype(auto) key_of(const T& object) {
    if constexpr (std::is_member_object_pointer_v<decltype(key)>) {
      return (object.*key);
    } else {
      return key(object);
    }
  }
  HashLink** chain_of(uint64_t hash) const { return &chains_[hash & mask_]; }

  void grow() {
    const Result<size_t> wanted = checked_mul(chains(), size_t{2});
    if (!wanted.ok() || !set_chains(wanted.value()).ok()) {
      grow_at_ = saturating_mul(grow_at_, size_t{2}); // live with longer chains for a while
    }
  }

  Result<void> set_chains(size_t count) {
    const size_t bytes = CLAY_TRY(checked_mul(count, sizeof(HashLink*)));
    auto** const fresh = static_cast<HashLink**>(memory_.allocate(bytes, alignof(HashLink*)));
    if (fresh == nullptr) {
      return Error::kNoMemory;
    }
    for (size_t i = 0; i < count; ++i) {
      fresh[i] = nullptr;
    }
    for (size_t chain = 0; chain <= mask_; ++chain) {
      while (HashLink* const link = chains_[chain]) {
        link->unlink();
        link->insert(&fresh[link->hash_ & (count - 1)]);
      }
    }
    release_chains();
    chains_ = fresh;
    mask_ = count - 1;
    grow_at_ = count;
    return {};
  }
  void release_chains() {
    if (chains_ != own_chains_) {
      memory_.release(chains_);
    }
  }

  HashLink* own_chains_[kOwnChains] = {};
  HashLink** chains_ = own_chains_;
  size_t mask_ = kOwnChains - 1;
  size_t size_ = 0;
  size_t grow_at_ = kOwnChains; ///< more objects than that want more chains
  [[no_unique_address]] Hash hash_ = {};
  [[no_unique_address]] Memory memory_ = {};
};

template <typename T, HashLink T::* member, auto key, Allocator Memory, typename Hash>
const char* HashTable<T, member, key, Memory, Hash>::fault() const {
  size_t found = 0;
  for (size_t chain = 0; chain <= mask_; ++chain) {
    HashLink* const* pointer = &chains_[chain];
    for (; *pointer != nullptr; pointer = &(*pointer)->next_) {
      const HashLink& link = **pointer;
      if (link.pointer_here_ != pointer) {
        return "a link does not know what points at it";
      }
      if ((link.hash_ & mask_) != chain ||
          link.hash_ != hash_(key_of(*container_of(&link, member)))) {
        return "an object is in the wrong chain";
      }
      ++found;
    }
  }
  return found == size_ ? nullptr : "the size is wrong";
}

} // namespace clay
