#include "gates/finding/symbolize.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "gates/finding/names.h"

namespace kiln::gates {
namespace {

/// Debug information of functions that the linker dropped claims addresses from 0 on.
constexpr uint64_t kLowestCode = 0x10000;

std::vector<Frame> parse_answer(const std::string& answer, uint64_t pc) {
  std::vector<Frame> frames;
  nlohmann::json json = nlohmann::json::parse(answer, nullptr, false);
  auto symbols = json.is_object() ? json.find("Symbol") : json.end();
  if (json.is_object() && symbols != json.end() && symbols->is_array()) {
    for (const nlohmann::json& symbol : *symbols) {
      Frame frame;
      frame.function = short_name(symbol.value("FunctionName", ""));
      frame.file = repository_path(symbol.value("FileName", ""));
      frame.line = symbol.value("Line", 0U);
      frame.inlined = true;
      if (!frame.function.empty()) frames.push_back(std::move(frame));
    }
  }
  if (frames.empty()) frames.push_back({fmt::format("{:#x}", pc), "", 0, false});
  frames.back().inlined = false;
  return frames;
}

/// Starts the tool with both ends of its standard input and output on `end`.
int spawn_on(int end, const std::string& tool, const std::string& program, pid_t* child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, end, 0);
  posix_spawn_file_actions_adddup2(&actions, end, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  std::string object = "--obj=" + program;
  const char* arguments[] = {
      tool.c_str(), object.c_str(), "--output-style=JSON", "--relativenames", "--inlines",
      "--demangle", nullptr};
  int error = posix_spawnp(child, tool.c_str(), &actions, nullptr,
                           const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// The child must not read /proc/self/exe as its own.
std::string resolved(const std::string& path) {
  char buffer[4096];
  ssize_t size = readlink(path.c_str(), buffer, sizeof buffer);
  return size > 0 ? std::string(buffer, static_cast<size_t>(size)) : path;
}

} // namespace

Symbolizer::Symbolizer(const std::string& program, std::string tool)
    : program_(resolved(program)), tool_(std::move(tool)) {}

Symbolizer::~Symbolizer() { stop(); }

void Symbolizer::stop() {
  if (socket_ >= 0) close(socket_);
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  socket_ = child_ = -1;
  pending_.clear();
}

void Symbolizer::fail(std::string why) {
  stop();
  failed_ = true;
  trouble_ = std::move(why);
}

bool Symbolizer::start() {
  if (failed_) return false;
  if (socket_ >= 0) return true;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    fail(fmt::format("Functions are shown as addresses: no socket for {} ({}).", tool_,
                     std::strerror(errno)));
    return false;
  }
  socket_ = ends[0];
  int error = spawn_on(ends[1], tool_, program_, &child_);
  close(ends[1]);
  if (error != 0) {
    child_ = -1;
    fail(fmt::format("Functions are shown as addresses: {} cannot be started ({}); it comes with "
                     "the package llvm-19.",
                     tool_, std::strerror(error)));
    return false;
  }
  return true;
}

bool Symbolizer::read_line(std::string* line) {
  for (;;) {
    if (size_t end = pending_.find('\n'); end != std::string::npos) {
      *line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      if (!line->empty()) return true;
      continue;
    }
    char buffer[4096];
    ssize_t size = read(socket_, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    pending_.append(buffer, static_cast<size_t>(size));
  }
}

bool Symbolizer::ask(uint64_t pc, std::string* answer) {
  std::string question = fmt::format("{:#x}\n", pc);
  // The host may have ended it (memory shortage, a user): identities hang on it, so once again.
  for (unsigned attempt = 0; attempt < 2; ++attempt) {
    if (!start()) return false;
    ssize_t sent = send(socket_, question.data(), question.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(question.size()) && read_line(answer)) return true;
    stop();
  }
  fail(fmt::format("Functions are shown as addresses: {} has ended by itself.", tool_));
  return false;
}

const std::vector<Frame>& Symbolizer::at(uint64_t return_address) {
  auto [entry, is_new] = known_.try_emplace(return_address);
  if (!is_new || return_address == 0) return entry->second;
  std::string answer;
  if (return_address > kLowestCode) ask(return_address - 1, &answer);
  entry->second = parse_answer(answer, return_address);
  return entry->second;
}

std::vector<Frame> Symbolizer::frames(const sim::Stack& stack) {
  std::vector<Frame> all;
  uint32_t count = std::min<uint32_t>(stack.count, sim::kStackFrames);
  for (uint32_t i = 0; i < count; ++i) {
    const std::vector<Frame>& here = at(stack.pc[i]);
    all.insert(all.end(), here.begin(), here.end());
  }
  return all;
}

std::string Symbolizer::place(uint64_t return_address) {
  const std::vector<Frame>& here = at(return_address);
  if (here.empty()) return "";
  std::string where = file_and_line(here.front());
  return where.empty() ? here.front().function
                       : fmt::format("{} ({})", here.front().function, where);
}

std::string Symbolizer::take_trouble() { return std::exchange(trouble_, ""); }

std::string file_and_line(const Frame& frame) {
  if (frame.file.empty() || frame.line == 0) return frame.file;
  return fmt::format("{}:{}", frame.file, frame.line);
}

} // namespace kiln::gates
