#pragma once
// Text kept in a place of its own, cut when it does not fit: for what must outlive firmware's
// tables.

#include <stddef.h>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

/// At most `most` characters.
template <size_t most> class BoundedText {
 public:
  StringView view() const { return {text_, size_}; }

  /// Takes over as much of `text` as there is room for; whether that was all.
  bool set(StringView text) {
    size_ = text.size() < most ? text.size() : most;
    if (size_ != 0) {
      memcpy(text_, text.data(), size_);
    }
    return size_ == text.size();
  }

  /// The same, but a text that does not fit is cut behind its last whole word (words are separated
  /// by spaces), so that no word changes its meaning.
  bool set_words(StringView text) {
    if (set(text)) {
      return true;
    }
    bool between_words = text[size_] == ' ';
    while (size_ != 0 && (!between_words || text_[size_ - 1] == ' ')) {
      between_words = text_[size_ - 1] == ' ';
      --size_;
    }
    return false;
  }

 private:
  char text_[most] = {};
  size_t size_ = 0;
};

} // namespace clay
