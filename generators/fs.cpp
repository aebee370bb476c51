#include "generators/fs.h"

#include <algorithm>
#include <cstring>

namespace kiln::gen {
namespace {

constexpr auto kManyAs = [] {
  std::array<char, 256> as{};
  as.fill('a');
  return as;
}();
constexpr std::string_view kLetters = "abcdefgh";
/// Each the beginning of the next: a comparison that stops early takes one for another.
constexpr size_t kLengths[] = {2, 3, 12, 60, 100, 200, 254, 255};
static_assert(kLetters.size() + std::size(kLengths) == kFsPlainNames);

std::string_view as_of_length(size_t length) { return {kManyAs.data(), length}; }

} // namespace

std::string_view fs_name(FsName name) {
  switch (name) {
  case kFsDot:
    return ".";
  case kFsDotDot:
    return "..";
  case kFsNameTooLong:
    return as_of_length(kManyAs.size());
  default:
    return name < kLetters.size() ? kLetters.substr(name, 1)
                                  : as_of_length(kLengths[(name - kLetters.size()) % 8]);
  }
}

FsName fs_name_of(std::string_view text) {
  FsName name = 0;
  while (name < kFsPlainNames && fs_name(name) != text) {
    ++name;
  }
  return name;
}

FsPath FsPath::parent() const {
  FsPath above = *this;
  --above.count;
  above.names[above.count] = 0; // paths are compared member by member
  return above;
}

FsPath FsPath::child(FsName name) const {
  FsPath below = *this;
  below.names[below.count++] = name;
  return below;
}

void fs_fill(uint8_t fill, uint64_t place, std::span<uint8_t> out) {
  size_t done = 0;
  for (; done < out.size() && ((place + done) & 7) != 0; ++done) {
    out[done] = fs_byte(fill, place + done);
  }
  for (; out.size() - done >= 8; done += 8) {
    const uint64_t word = fs_word(fill, place + done);
    memcpy(&out[done], &word, 8);
  }
  for (; done < out.size(); ++done) {
    out[done] = fs_byte(fill, place + done);
  }
}

bool fs_changes(FsAct act) {
  switch (act) {
  case FsAct::kRead:
  case FsAct::kReadLink:
  case FsAct::kStat:
  case FsAct::kList:
  case FsAct::kSyncNode:
  case FsAct::kSync:
  case FsAct::kOpen:
  case FsAct::kClose:
  case FsAct::kReadHandle:
  case FsAct::kStatHandle:
  case FsAct::kSyncHandle:
  case FsAct::kRemount:
    return false;
  default:
    return true;
  }
}

bool fs_of_handle(FsAct act) { return act >= FsAct::kClose && act <= FsAct::kSyncHandle; }

// --- All small programs

std::vector<FsOperation> fs_small_alphabet(uint32_t block_bytes) {
  const FsPath root;
  const FsPath a = root.child(0);
  const FsPath b = root.child(1);
  const FsPath c = root.child(2);
  const FsPath d = root.child(3);
  const FsPath d_a = d.child(0);
  const FsPath d_e = d.child(4);
  const FsPath e = root.child(4);
  const auto on = [](FsAct act, const FsPath& path, const FsPath& to = {}) {
    FsOperation operation;
    operation.act = act;
    operation.path = path;
    operation.to = to;
    return operation;
  };
  const auto write = [&](const FsPath& path, uint64_t offset, uint32_t length) {
    FsOperation operation = on(FsAct::kWrite, path);
    operation.offset = offset;
    operation.length = length;
    return operation;
  };
  FsOperation shorten = on(FsAct::kTruncate, a);
  shorten.offset = 3;
  return {
      on(FsAct::kCreate, a),
      on(FsAct::kMakeDirectory, d),
      write(a, 0, 8),
      on(FsAct::kUnlink, a),
      on(FsAct::kRename, a, b),
      on(FsAct::kSync, root),
      on(FsAct::kSyncNode, a),
      on(FsAct::kCreate, b),
      on(FsAct::kCreate, d_a),
      on(FsAct::kRename, a, d_a),
      on(FsAct::kRename, d_a, a),
      on(FsAct::kLink, a, b),
      on(FsAct::kRemoveDirectory, d),
      on(FsAct::kTruncate, a),
      shorten,
      write(a, block_bytes - 4, 8),
      write(a, uint64_t{12} * block_bytes, 8),
      on(FsAct::kSymlink, c, a),
      on(FsAct::kMakeDirectory, d_e),
      on(FsAct::kRename, d_e, e),
      on(FsAct::kRename, d, e),
      on(FsAct::kUnlink, b),
  };
}

uint64_t fs_programs(size_t alphabet, unsigned most) {
  uint64_t all = 0;
  uint64_t of_length = 1;
  for (unsigned length = 1; length <= most; ++length) {
    of_length *= alphabet;
    all += of_length;
  }
  return all;
}

FsProgram fs_program_of_number(std::span<const FsOperation> alphabet, uint64_t number) {
  size_t length = 1;
  uint64_t of_length = alphabet.size();
  while (number >= of_length) {
    number -= of_length;
    of_length *= alphabet.size();
    ++length;
  }
  FsProgram program(length);
  for (size_t i = length; i-- > 0; number /= alphabet.size()) {
    program[i] = alphabet[number % alphabet.size()];
    program[i].fill = static_cast<uint8_t>(i + 1);
  }
  return program;
}

} // namespace kiln::gen
