// Directories: their entries, and whom these name.

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {
namespace {

struct Entry {
  uint32_t inode;
  uint32_t length;
  uint32_t name_bytes;
  uint32_t type;
};
Entry entry_at(const uint8_t* at) {
  const uint64_t header = le64(at);
  return {static_cast<uint32_t>(header), static_cast<uint32_t>(header >> 32 & 0xFFFF),
          static_cast<uint32_t>(header >> 48 & 0xFF), static_cast<uint32_t>(header >> 56)};
}

bool is_dot(const uint8_t* name, uint32_t bytes) { return bytes == 1 && name[0] == '.'; }
bool is_dotdot(const uint8_t* name, uint32_t bytes) {
  return bytes == 2 && name[0] == '.' && name[1] == '.';
}

/// FNV-1a; `legal`: neither a NUL nor a '/'.
uint32_t hash_of(const uint8_t* name, uint32_t bytes, bool& legal) {
  uint32_t hash = 2166136261U;
  for (uint32_t i = 0; i < bytes; ++i) {
    legal &= name[i] != 0 && name[i] != '/';
    hash = (hash ^ name[i]) * 16777619U;
  }
  return hash;
}

} // namespace

void CheckerState::read_directories() {
  for (const Directory& directory : directories)
    read_directory(directory);
}

void CheckerState::read_directory(const Directory& directory) {
  // A table twice as large as the entries can be; others' names in it have another stamp.
  const size_t most = size_t{directory.blocks} * (layout.block_bytes / 12) * 2;
  size_t size = 64;
  while (size < most)
    size *= 2;
  if (name_table.size() < size) name_table.assign(size, {});
  ++name_stamp;
  uint32_t slot = 0;
  for (uint32_t i = 0; i < directory.blocks; ++i)
    directory_block(directory, i, slot);
  if (directory.indexed) index_root(directory);
  if (slot < 1) found({.problem = Problem::kDot, .inode = directory.number});
  if (slot < 2) found({.problem = Problem::kDotDot, .inode = directory.number});
}

/// An index begins in what the ".." of the first block holds back. Whoever adds names without
/// knowing of it must have dropped the flag, or it is overwritten.
void CheckerState::index_root(const Directory& directory) {
  if (directory.blocks == 0) return;
  const uint32_t number = directory_blocks[directory.first_block];
  const uint8_t* bytes = block(number, Slot::kData);
  if (bytes == nullptr) return;
  const uint32_t most = (layout.block_bytes - index::kEntries) / 8;
  const uint32_t count = le16(bytes + index::kCount);
  const bool right = entry_at(bytes).length == 12 &&
                     entry_at(bytes + 12).length == layout.block_bytes - 12 &&
                     le32(bytes + index::kReserved) == 0 && bytes[index::kHash] <= 5 &&
                     bytes[index::kInfoBytes] == 8 && bytes[index::kLevels] <= 1 &&
                     le16(bytes + index::kLimit) == most && count >= 1 && count <= most;
  if (!right) {
    found({.problem = Problem::kIndex, .inode = directory.number, .block = number});
  }
}

/// `slot`: of the entry in the directory.
void CheckerState::directory_block(const Directory& directory, uint32_t index, uint32_t& slot) {
  const uint32_t number = directory_blocks[directory.first_block + index];
  const uint8_t* bytes = block(number, Slot::kData);
  if (bytes == nullptr) return;
  uint32_t at = 0;
  while (at < layout.block_bytes) {
    const Entry entry = entry_at(bytes + at);
    const uint32_t rest = layout.block_bytes - at;
    // In blocks of 64 KiB the whole block does not fit into the length.
    const uint32_t length =
        layout.block_bytes == 65536 && (entry.length == 65535 || entry.length == 0) ? 65536
                                                                                    : entry.length;
    if (length < 12 || length % 4 != 0 || length > rest || (length < rest && rest - length < 12)) {
      found({.problem = Problem::kEntryLength,
             .inode = directory.number,
             .block = number,
             .at = at,
             .got = length});
      return;
    }
    if (entry.name_bytes + kEntryHeader > length) {
      found({.problem = Problem::kEntryName,
             .inode = directory.number,
             .block = number,
             .at = at,
             .got = entry.name_bytes});
      return;
    }
    if (slot < 2) {
      dots(directory, slot, number, at, bytes + at);
    } else if (entry.inode != 0) {
      name(directory, number, at, bytes + at);
    }
    ++slot;
    at += length;
  }
}

void CheckerState::dots(const Directory& directory, uint32_t slot, uint32_t number, uint32_t at,
                        const uint8_t* bytes) {
  const Entry entry = entry_at(bytes);
  const uint8_t* name = bytes + kEntryHeader;
  const bool right = slot == 0 ? is_dot(name, entry.name_bytes) && entry.inode == directory.number
                               : is_dotdot(name, entry.name_bytes) && entry.inode != 0;
  if (!right) {
    found({.problem = slot == 0 ? Problem::kDot : Problem::kDotDot,
           .inode = directory.number,
           .block = number,
           .at = at,
           .got = entry.inode});
  }
  if (entry.inode == 0) return;
  if (slot == 1) dotdots[directory.number] = entry.inode;
  entry_target(directory, number, at, bytes, false);
}

/// `is_name`: a name for what it names, and not a '.' or '..'.
void CheckerState::entry_target(const Directory& directory, uint32_t number, uint32_t at,
                                const uint8_t* bytes, bool is_name) {
  const Entry entry = entry_at(bytes);
  const auto wrong = [&](Problem problem, uint64_t got, uint64_t want) {
    found({.problem = problem,
           .inode = directory.number,
           .block = number,
           .at = at,
           .got = got,
           .want = want});
  };
  if (entry.inode > layout.inodes) return wrong(Problem::kEntryInode, entry.inode, 0);
  if (entry.inode < layout.first_file_inode && entry.inode != kRoot) {
    return wrong(Problem::kEntryReserved, entry.inode, 0);
  }
  if (!in_use(entry.inode)) return wrong(Problem::kEntryUnused, entry.inode, 0);
  ++names[entry.inode];
  const auto type = static_cast<uint32_t>(types[entry.inode]);
  // An entry that is older than the feature has no type.
  if (layout.has_types && entry.type != type && entry.type != 0)
    wrong(Problem::kEntryKind, entry.type, type);
  if (!layout.has_types && entry.type != 0) wrong(Problem::kEntryNoKind, entry.type, 0);
  if (!is_name) return;
  if (entry.inode == kRoot) return wrong(Problem::kLinkToRoot, entry.inode, 0);
  if (types[entry.inode] != EntryType::kDirectory) return;
  if (parents[entry.inode] != 0) {
    wrong(Problem::kSecondParent, entry.inode, 0);
  } else {
    parents[entry.inode] = directory.number;
  }
}

void CheckerState::name(const Directory& directory, uint32_t number, uint32_t at,
                        const uint8_t* bytes) {
  const Entry entry = entry_at(bytes);
  const uint8_t* text = bytes + kEntryHeader;
  const auto wrong = [&](Problem problem) {
    found({.problem = problem,
           .inode = directory.number,
           .block = number,
           .at = at,
           .got = entry.inode});
  };
  bool legal = entry.name_bytes != 0;
  const uint32_t hash = hash_of(text, entry.name_bytes, legal);
  if (!legal) wrong(Problem::kEntryName);
  if (is_dot(text, entry.name_bytes) || is_dotdot(text, entry.name_bytes)) {
    return wrong(Problem::kExtraDot);
  }
  const size_t mask = name_table.size() - 1;
  size_t place = (hash * 2654435761U) & mask;
  while (name_table[place].stamp == name_stamp) {
    if (name_table[place].hash == hash && same_name(name_table[place], bytes)) {
      wrong(Problem::kDuplicateName);
      break;
    }
    place = (place + 1) & mask;
  }
  if (name_table[place].stamp != name_stamp) name_table[place] = {name_stamp, hash, number, at};
  entry_target(directory, number, at, bytes, true);
}

bool CheckerState::same_name(const Name& known, const uint8_t* bytes) {
  const uint8_t* there = block(known.block, Slot::kIndirect1);
  if (there == nullptr) return false;
  there += known.at;
  return there[6] == bytes[6] &&
         std::memcmp(there + kEntryHeader, bytes + kEntryHeader, bytes[6]) == 0;
}

} // namespace kiln::worlds::ext2
