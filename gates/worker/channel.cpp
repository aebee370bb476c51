#include "gates/worker/channel.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace kiln::gates {

namespace {

struct Header {
  MessageKind kind;
  uint32_t size;
};

bool write_all(int fd, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t n = ::send(fd, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool read_all(int fd, void* data, size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    ssize_t n = ::recv(fd, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

} // namespace

bool send_message(int fd, MessageKind kind, const std::vector<uint8_t>& bytes) {
  if (bytes.size() > kLongestMessage) return false;
  Header header{kind, static_cast<uint32_t>(bytes.size())};
  return write_all(fd, &header, sizeof header) && write_all(fd, bytes.data(), bytes.size());
}

bool receive_message(int fd, Message* message) {
  Header header{};
  if (!read_all(fd, &header, sizeof header) || header.size > kLongestMessage) return false;
  message->kind = header.kind;
  message->bytes.resize(header.size);
  return read_all(fd, message->bytes.data(), header.size);
}

MessageReader::State MessageReader::read_from(int fd, Message* message) {
  uint8_t buffer[65536];
  while (true) {
    ssize_t n = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return next(message);
    if (n <= 0) {
      // Whole messages that came before the end still count.
      return next(message) == State::kMessage ? State::kMessage : State::kGone;
    }
    pending_.insert(pending_.end(), buffer, buffer + n);
  }
}

MessageReader::State MessageReader::next(Message* message) {
  Header header{};
  if (pending_.size() < sizeof header) return State::kNothing;
  std::memcpy(&header, pending_.data(), sizeof header);
  if (header.size > kLongestMessage) return State::kGone;
  if (pending_.size() < sizeof header + header.size) return State::kNothing;
  auto body = pending_.begin() + sizeof header;
  message->kind = header.kind;
  message->bytes.assign(body, body + header.size);
  pending_.erase(pending_.begin(), body + header.size);
  return State::kMessage;
}

} // namespace kiln::gates
