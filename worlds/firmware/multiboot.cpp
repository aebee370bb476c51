#include "worlds/firmware/multiboot.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "worlds/firmware/numbers.h"

namespace kiln::worlds {
namespace {

using Verdict = MultibootReading::Verdict;

struct Tag {
  uint32_t type;
  std::span<const uint8_t> body;
};

/// All tags before the end tag; nothing when there is no way to it.
std::optional<std::vector<Tag>> collect(std::span<const uint8_t> block) {
  std::vector<Tag> tags;
  for (uint64_t at = 8; at + 8 <= block.size();) {
    const auto type = static_cast<uint32_t>(number(block, at, 4));
    const uint64_t size = number(block, at + 4, 4);
    if (size < 8 || at + size > block.size()) {
      return std::nullopt;
    }
    if (type == 0) {
      return tags;
    }
    tags.push_back({type, block.subspan(at + 8, size - 8)});
    at = (at + size + 7) / 8 * 8;
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(MultibootReading& out, const MultibootLimits& limits) : out_(out), limits_(limits) {}

  void read(const Tag& tag) {
    const auto body = tag.body;
    if (tag.type > 21) {
      ++out_.tags_unknown;
      return;
    }
    if (tag.type != 3 && !out_.seen.insert(tag.type).second) {
      ++out_.tags_twice;
      return;
    }
    switch (tag.type) {
    case 1:
      text(body, limits_.command_line, out_.command_line);
      break;
    case 2:
      text(body, limits_.name, out_.loader);
      break;
    case 3:
      module(body);
      break;
    case 6:
      map(body, gen::MapFormat::kMultiboot, 20);
      break;
    case 17:
      map(body, gen::MapFormat::kUefi, 40);
      break;
    case 8:
      framebuffer(body);
      break;
    case 11:
      system_table(body, 4);
      break;
    case 12:
      system_table(body, 8);
      break;
    case 14:
      rsdp(body, 20);
      break;
    case 15:
      rsdp(body, 36);
      break;
    default:
      break;
    }
  }

 private:
  bool has(std::span<const uint8_t> body, size_t bytes) {
    out_.tags_short += body.size() < bytes ? 1 : 0;
    return body.size() >= bytes;
  }

  void text(std::span<const uint8_t> body, size_t most, std::string& out) {
    const auto end = std::find(body.begin(), body.end(), 0);
    if (end == body.end()) {
      ++out_.texts_open;
      return;
    }
    out.assign(body.begin(), end);
    if (out.size() <= most) {
      return;
    }
    ++out_.texts_cut;
    size_t cut = most;
    while (cut != 0 && !(out[cut] == ' ' && out[cut - 1] != ' ')) {
      --cut;
    }
    out.resize(cut);
  }

  void module(std::span<const uint8_t> body) {
    if (!has(body, 8)) {
      return;
    }
    const auto start = static_cast<uint32_t>(number(body, 0, 4));
    const auto end = static_cast<uint32_t>(number(body, 4, 4));
    if (start >= end) {
      ++out_.module_ends;
      return;
    }
    MultibootReading::Module module{start, end - 1, ""};
    text(body.subspan(8), limits_.name, module.name);
    if (out_.modules.size() == limits_.modules) {
      ++out_.modules_full;
      return;
    }
    out_.modules.push_back(std::move(module));
  }

  void map(std::span<const uint8_t> body, gen::MapFormat format, size_t least) {
    if (!has(body, 8)) {
      return;
    }
    if (format == gen::MapFormat::kUefi && out_.services_run) {
      ++out_.maps_not_final;
      return;
    }
    gen::FirmwareMap map;
    map.format = format;
    map.stride = number(body, 0, 4);
    if (map.stride < least) {
      ++out_.map_strides;
      return;
    }
    const auto entries = body.subspan(8);
    for (size_t at = 0; entries.size() - at >= map.stride; at += map.stride) {
      map.entries.push_back(entry(entries.subspan(at), format));
    }
    map.open_end = entries.size() % map.stride;
    add(read_firmware_map(map, out_.memory));
  }

  static gen::MapEntry entry(std::span<const uint8_t> bytes, gen::MapFormat format) {
    if (format == gen::MapFormat::kUefi) {
      return {number(bytes, 8, 8), number(bytes, 24, 8), static_cast<uint32_t>(number(bytes, 0, 4)),
              number(bytes, 32, 8)};
    }
    return {number(bytes, 0, 8), number(bytes, 8, 8), static_cast<uint32_t>(number(bytes, 16, 4)),
            0};
  }

  void add(const MemoryOddities& more) {
    MemoryOddities& all = out_.map_oddities;
    all.entries += more.entries;
    all.empty += more.empty;
    all.beyond += more.beyond;
    all.unknown += more.unknown;
    all.open_end += more.open_end;
  }

  void framebuffer(std::span<const uint8_t> body) {
    if (has(body, 22)) {
      out_.framebuffer = {number(body, 0, 8),
                          static_cast<uint32_t>(number(body, 8, 4)),
                          static_cast<uint32_t>(number(body, 12, 4)),
                          static_cast<uint32_t>(number(body, 16, 4)),
                          body[20],
                          body[21]};
    }
  }

  void system_table(std::span<const uint8_t> body, size_t width) {
    if (has(body, width) && (width == 8 || !seen_64_)) {
      out_.system_table = number(body, 0, width);
      seen_64_ = width == 8;
    }
  }

  void rsdp(std::span<const uint8_t> body, size_t size) {
    if (has(body, size) && size > out_.rsdp.size()) {
      out_.rsdp.assign(body.begin(), body.begin() + static_cast<ptrdiff_t>(size));
    }
  }

  MultibootReading& out_;
  const MultibootLimits& limits_;
  bool seen_64_ = false;
};

} // namespace

MultibootReading read_multiboot(std::span<const uint8_t> bytes, const MultibootLimits& limits) {
  MultibootReading out;
  const uint64_t total = bytes.size() < 4 ? 0 : number(bytes, 0, 4);
  out.size = total;
  if (bytes.size() < 4 || total > bytes.size()) {
    out.verdict = Verdict::kTruncated;
    return out;
  }
  const std::optional<std::vector<Tag>> tags = collect(bytes.first(total));
  if (total < 8 || !tags) {
    out.verdict = Verdict::kCorrupt;
    return out;
  }
  out.services_run =
      std::any_of(tags->begin(), tags->end(), [](const Tag& tag) { return tag.type == 18; });
  Reader reader(out, limits);
  for (const Tag& tag : *tags) {
    reader.read(tag);
  }
  return out;
}

} // namespace kiln::worlds
