#pragma once
// Values to bytes and back, for the pipe between supervisor and worker. Both ends are the same
// program (fork, no exec): layouts agree by construction, and pointers to static texts stay valid.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace kiln::gates {

class Packer {
 public:
  template <typename T> void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof value);
  }
  /// Any contiguous container of plain data: a vector, a string.
  template <typename List> void put_list(const List& list) {
    using T = typename List::value_type;
    static_assert(std::is_trivially_copyable_v<T>);
    put<uint64_t>(list.size());
    put_bytes(list.data(), list.size() * sizeof(T));
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
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

  template <typename T> T get() {
    T value{};
    take(&value, sizeof value);
    return value;
  }
  template <typename List> void get_list(List* list) {
    using T = typename List::value_type;
    uint64_t count = get<uint64_t>();
    if (count > left() / sizeof(T)) {
      failed_ = true;
      count = 0;
    }
    list->resize(count);
    take(list->data(), count * sizeof(T));
  }
  template <typename List> List get_list() {
    List list;
    get_list(&list);
    return list;
  }
  bool failed() const { return failed_; }

 private:
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

} // namespace kiln::gates
