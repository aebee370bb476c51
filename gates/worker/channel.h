#pragma once
// Framed messages over a stream socket: kind, size, bytes.
//
// The worker's end blocks. The supervisor's end reads what there is and never waits for a whole
// message, so that a worker that dies in the middle of one cannot hold it up.

#include <cstdint>
#include <vector>

#include "gates/worker/jobs.h"

namespace kiln::gates {

struct Message {
  MessageKind kind{};
  std::vector<uint8_t> bytes;
};

/// Larger messages are refused: a broken worker must not fill the supervisor's memory.
inline constexpr uint32_t kLongestMessage = 256u << 20;

/// Writes it all. False when the other end is gone.
bool send_message(int fd, MessageKind kind, const std::vector<uint8_t>& bytes);
/// Waits for a whole message. False when the other end is gone.
bool receive_message(int fd, Message* message);

template <typename T> bool send(int fd, MessageKind kind, const T& what) {
  Packer packer;
  pack(packer, what);
  return send_message(fd, kind, packer.bytes());
}

/// Collects messages from a socket without waiting.
class MessageReader {
 public:
  enum class State : uint8_t { kNothing, kMessage, kGone };
  /// Takes what the socket has; kMessage when a whole message is there.
  State read_from(int fd, Message* message);
  /// A further whole message in what was taken already.
  State next(Message* message);

 private:
  std::vector<uint8_t> pending_;
};

} // namespace kiln::gates
