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

/// Room for an entry at the directory's end; `length`: what the entry has to say of itself. Null:
/// the image is full.
uint8_t* Maker::room(Directory& directory, uint32_t bytes, uint32_t& length) {
  uint8_t* block = image_.write(directory.block);
  if (directory.at + directory.used + bytes <= shape_.block_bytes) {
    store_le(block + directory.at + 4, static_cast<uint16_t>(directory.used));
    directory.at += directory.used;
  } else {
    const uint32_t added = add_block(directory.inode, directory.blocks);
    if (added == 0) return nullptr;
    block = image_.write(added);
    directory.block = added;
    directory.at = 0;
    ++directory.blocks;
    size(directory.inode, uint64_t{directory.blocks} * shape_.block_bytes);
  }
  directory.used = bytes;
  length = shape_.block_bytes - directory.at;
  return block + directory.at;
}

bool Maker::enter(uint32_t parent, std::string_view name, uint32_t number, EntryType type) {
  const auto directory =
      std::find_if(directories_.begin(), directories_.end(),
                   [&](const Directory& known) { return known.inode == parent; });
  uint32_t length = 0;
  uint8_t* to = room(*directory, entry_bytes(static_cast<uint32_t>(name.size())), length);
  if (to == nullptr) return false;
  put_entry(to, number, length, name, type);
  meant_.entries.push_back({parent, std::string(name), number});
  return true;
}

void Maker::gap(uint32_t parent, uint32_t bytes) {
  const auto directory =
      std::find_if(directories_.begin(), directories_.end(),
                   [&](const Directory& known) { return known.inode == parent; });
  uint32_t length = 0;
  if (free_blocks_ < 2) return;
  uint8_t* to = room(*directory, entry_bytes(bytes < 4 ? 4 : bytes), length);
  if (to != nullptr) put_entry(to, 0, length, {}, EntryType::kUnknown);
}

} // namespace kiln::gen::ext2
