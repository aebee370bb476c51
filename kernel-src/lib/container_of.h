#pragma once
// From a link inside an object back to the object, for intrusive containers.

#include <bit>
#include <stddef.h>
#include <stdint.h>

namespace clay {

/// The T whose member `member` is `*link`. A pointer to a data member holds the member's offset
/// (Itanium C++ ABI, section 2.3.1), so no T is needed to learn it.
template <typename T, typename Link> T* container_of(Link* link, Link T::* member) {
  static_assert(sizeof(member) == sizeof(ptrdiff_t));
  return reinterpret_cast<T*>(reinterpret_cast<uint8_t*>(link) - std::bit_cast<ptrdiff_t>(member));
}
template <typename T, typename Link> const T* container_of(const Link* link, Link T::* member) {
  return container_of(const_cast<Link*>(link), member);
}

} // namespace clay
