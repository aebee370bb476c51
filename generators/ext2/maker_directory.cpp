// Directories of an image that is being made: entries are added at the end.

#include <algorithm>
#include <cstring>

#include "generators/ext2/maker.h"

namespace kiln::gen::ext2 {

void Maker::put_entry(uint8_t* to, uint32_t number, uint32_t length, std::string_view name,
                      EntryType type) {
  store_le(to, number);
  store_le(to + 4, static_cast<uint16_t>(length));
  to[6] = static_cast<uint8_t>(name.size());
  to[7] = shape_.types && number != 0 ? static_cast<uint8_t>(type) : 0;
  if (!name.empty()) std::memcpy(to + kEntryHeader, name.data(), name.size());
}

/// Its first block with "." and "..", in an inode that has the mode already.
uint32_t Maker::new_directory(uint32_t number, uint32_t parent) {
  const uint32_t block = add_block(number, 0);
  uint8_t* bytes = image_.write(block);
  put_entry(bytes, number, 12, ".", EntryType::kDirectory);
  put_entry(bytes + 12, parent, shape_.block_bytes - 12, "..", EntryType::kDirectory);
  size(number, shape_.block_bytes);
  directories_.push_back({.inode = number, .block = block, .at = 12, .used = 12, .blocks = 1});
  add_links(number, 1);
  add_links(parent, 1);
  return number;
}

uint32_t Maker::directory(uint32_t parent, std::string_view name) {
  if (free_blocks_ < 3) return 0;
  const uint32_t number = node(parent, name, kModeDirectory | 0755);
  return number == 0 ? 0 : new_directory(number, parent);
}

Maker::Directory& Maker::directory_of(uint32_t inode) {
  return *std::find_if(directories_.begin(), directories_.end(),
                       [&](const Directory& known) { return known.inode == inode; });
}

bool Maker::has_room(const Directory& directory, uint32_t bytes) const {
  // A block more, and a pointer's.
  return directory.at + directory.used + bytes <= shape_.block_bytes ||
         (!directory.indexed && free_blocks_ >= 2);
}

uint32_t Maker::indexed_directory(uint32_t parent, std::string_view name) {
  if (!shape_.index || free_blocks_ < 4) return 0;
  const uint32_t number = directory(parent, name);
  if (number == 0) return 0;
  const uint32_t leaf = add_block(number, 1);
  Directory& made = directories_.back();
  uint8_t* root = image_.write(made.block);
  root[index::kHash] = 1;
  root[index::kInfoBytes] = 8;
  store_le(root + index::kLimit, static_cast<uint16_t>((shape_.block_bytes - index::kEntries) / 8));
  store_le<uint16_t>(root + index::kCount, 1);
  store_le<uint32_t>(root + index::kCount + 2, 1); // the leaf, by its place in the directory
  put_entry(image_.write(leaf), 0, shape_.block_bytes, {}, EntryType::kUnknown);
  made = {.inode = number, .block = leaf, .at = 0, .used = 0, .blocks = 2, .indexed = true};
  size(number, uint64_t{2} * shape_.block_bytes);
  store_le(inode(number) + inode::kFlags, kIndexFlag);
  return number;
}

/// Room for an entry at the directory's end, which there is; `length`: what the entry has to say of
/// itself.
uint8_t* Maker::room(Directory& directory, uint32_t bytes, uint32_t& length) {
  uint8_t* block = image_.write(directory.block);
  if (directory.at + directory.used + bytes <= shape_.block_bytes) {
    if (directory.used != 0)
      store_le(block + directory.at + 4, static_cast<uint16_t>(directory.used));
    directory.at += directory.used;
  } else {
    directory.block = add_block(directory.inode, directory.blocks);
    block = image_.write(directory.block);
    directory.at = 0;
    ++directory.blocks;
    size(directory.inode, uint64_t{directory.blocks} * shape_.block_bytes);
  }
  directory.used = bytes;
  length = shape_.block_bytes - directory.at;
  return block + directory.at;
}

bool Maker::enter(uint32_t parent, std::string_view name, uint32_t number, EntryType type) {
  Directory& directory = directory_of(parent);
  const uint32_t bytes = entry_bytes(static_cast<uint32_t>(name.size()));
  if (!has_room(directory, bytes)) return false;
  uint32_t length = 0;
  uint8_t* to = room(directory, bytes, length);
  put_entry(to, number, length, name, type);
  meant_.entries.push_back({parent, std::string(name), number});
  return true;
}

void Maker::gap(uint32_t parent, uint32_t bytes) {
  Directory& directory = directory_of(parent);
  const uint32_t whole = entry_bytes(bytes < 4 ? 4 : bytes);
  if (!has_room(directory, whole)) return;
  uint32_t length = 0;
  uint8_t* to = room(directory, whole, length);
  put_entry(to, 0, length, {}, EntryType::kUnknown);
}

} // namespace kiln::gen::ext2
