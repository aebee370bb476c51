#pragma once
// Values to bytes and back, for the pipe between supervisor and worker. Both ends are the same
// program (fork, no exec): layouts agree by construction, and pointers to static texts stay valid.

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

#include "sim/exhibit.h"

namespace kiln::gates {

/// What is packed of a struct that is not plain data: specialise with `fields`, a tuple of pointers
/// to its members, in the order in which they go over the pipe.
template <typename T> struct Packed;

template <typename T>
concept PackedByFields = requires { Packed<T>::fields; };

/// Plain data goes as its bytes; a struct as its fields; a vector, a string or a deque as a count
/// and its items.
class Packer {
 public:
  template <typename T> void put(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      // NOLINTNEXTLINE(bugprone-sizeof-expression): a pointer goes as itself, see above
      put_bytes(&value, sizeof value);
    } else if constexpr (PackedByFields<T>) {
      std::apply([&](auto... field) { (put(value.*field), ...); }, Packed<T>::fields);
    } else {
      put_list(value);
    }
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  template <typename List> void put_list(const List& list) {
    using T = typename List::value_type;
    put<uint64_t>(list.size());
    if constexpr (std::is_trivially_copyable_v<T>) {
      put_bytes(list.data(), list.size() * sizeof(T));
    } else {
      for (const T& item : list)
        put(item);
    }
  }
  void put_bytes(const void* data, size_t size) {
    const uint8_t* from = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  std::vector<uint8_t> bytes_;
};

/// Reads what a Packer wrote. A message that is too short gives zeros and sets failed().
class Unpacker {
 public:
  explicit Unpacker(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  template <typename T> void get(T* value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      take(value, sizeof *value);
    } else if constexpr (PackedByFields<T>) {
      std::apply([&](auto... field) { (get(&(value->*field)), ...); }, Packed<T>::fields);
    } else {
      get_list(value);
    }
  }
  template <typename T> T get() {
    T value{};
    get(&value);
    return value;
  }
  bool failed() const { return failed_; }

 private:
  template <typename List> void get_list(List* list) {
    using T = typename List::value_type;
    uint64_t count = get<uint64_t>();
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (count > left() / sizeof(T)) {
        failed_ = true;
        count = 0;
      }
      list->resize(count);
      take(list->data(), count * sizeof(T));
    } else {
      for (uint64_t i = 0; i < count && !failed_; ++i)
        get(&list->emplace_back());
    }
  }
  size_t left() const { return bytes_.size() - at_; }
  void take(void* to, size_t size) {
    if (size > left()) {
      failed_ = true;
      return;
    }
    if (size > 0) {
      std::memcpy(to, bytes_.data() + at_, size);
      at_ += size;
    }
  }
  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

template <> struct Packed<sim::ExhibitedText> {
  static constexpr std::tuple fields{&sim::ExhibitedText::title, &sim::ExhibitedText::words};
};
template <> struct Packed<sim::ExhibitedFile> {
  static constexpr std::tuple fields{&sim::ExhibitedFile::ending, &sim::ExhibitedFile::bytes};
};
template <> struct Packed<sim::Exhibits> {
  static constexpr std::tuple fields{&sim::Exhibits::texts, &sim::Exhibits::files};
};

} // namespace kiln::gates
