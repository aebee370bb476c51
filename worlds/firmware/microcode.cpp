#include "worlds/firmware/microcode.h"

namespace kiln::worlds {
namespace {

constexpr uint64_t kHeader = 48;

class Words {
 public:
  explicit Words(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  uint32_t at(uint64_t offset) const {
    return static_cast<uint32_t>(bytes_[offset] | bytes_[offset + 1] << 8 |
                                 bytes_[offset + 2] << 16) |
           static_cast<uint32_t>(bytes_[offset + 3]) << 24;
  }
  bool sums_to_zero(uint64_t from, uint64_t to) const {
    uint64_t sum = 0;
    for (uint64_t offset = from; offset < to; offset += 4) {
      sum += at(offset);
    }
    return (sum & 0xFFFFFFFF) == 0;
  }

 private:
  std::span<const uint8_t> bytes_;
};

/// The update as it would be with an entry of its table in the header's place.
bool holds_for(const Words& words, uint64_t checked, uint64_t entry) {
  uint64_t sum = 0;
  for (uint64_t offset = 0; offset < checked; offset += 4) {
    const bool signature = offset == 12;
    const bool flags = offset == 24;
    const bool check = offset == 16;
    sum += words.at(signature ? entry : flags ? entry + 4 : check ? entry + 8 : offset);
  }
  return (sum & 0xFFFFFFFF) == 0;
}

void judge(const Words& words, MicrocodeUpdate& update) {
  const uint64_t checked = kHeader + update.data;
  update.for_whom.push_back({words.at(12), words.at(24)});
  if (words.at(0) != 1 || words.at(20) != 1) {
    update.fault = MicrocodeFault::kVersion;
  } else if (!words.sums_to_zero(0, checked)) {
    update.fault = MicrocodeFault::kSum;
  }
  const uint64_t table = update.total - checked;
  if (update.fault != MicrocodeFault::kNone || table == 0) {
    return;
  }
  const uint64_t want = table < 20 ? UINT64_MAX : 20 + uint64_t{words.at(checked)} * 12;
  if (table != want) {
    update.fault = MicrocodeFault::kTable;
    update.table_wraps = table == (want & 0xFFFFFFFF);
  } else if (!words.sums_to_zero(checked, update.total)) {
    update.fault = MicrocodeFault::kTableSum;
  }
  for (uint64_t entry = checked + 20; update.fault == MicrocodeFault::kNone && entry < update.total;
       entry += 12) {
    update.for_whom.push_back({words.at(entry), words.at(entry + 4)});
    update.fault =
        holds_for(words, checked, entry) ? MicrocodeFault::kNone : MicrocodeFault::kTableSum;
  }
}

} // namespace

const char* microcode_fault_text(MicrocodeFault fault) {
  constexpr const char* kTexts[] = {"sound", "a version that is not known", "a wrong checksum",
                                    "a table that makes no sense", "a wrong checksum in its table"};
  return kTexts[static_cast<size_t>(fault)];
}

MicrocodeFile read_microcode(std::span<const uint8_t> bytes) {
  MicrocodeFile file;
  for (size_t at = 0; at < bytes.size();) {
    const auto rest = bytes.subspan(at);
    const Words words(rest);
    MicrocodeUpdate update;
    update.begin = at;
    if (rest.size() < kHeader) {
      file.open_end = true;
      return file;
    }
    update.data = words.at(28);
    update.total = words.at(32);
    if (update.data == 0) {
      update.data = 2000;
      update.total = 2048;
    }
    if (update.total > rest.size()) {
      file.open_end = true;
      return file;
    }
    if (update.total % 1024 != 0 || update.data % 4 != 0 || update.data + kHeader > update.total) {
      file.lost = true;
      return file;
    }
    update.revision = static_cast<int32_t>(words.at(4));
    update.date = words.at(8);
    judge(words, update);
    at += update.total;
    file.updates.push_back(std::move(update));
  }
  return file;
}

std::optional<size_t> choose_microcode(const MicrocodeFile& file, uint32_t signature,
                                       uint32_t platform, int32_t revision) {
  std::optional<size_t> chosen;
  int64_t best = revision;
  for (size_t i = 0; i < file.updates.size(); ++i) {
    const MicrocodeUpdate& update = file.updates[i];
    bool fits = false;
    for (const MicrocodeUpdate::For& whom : update.for_whom) {
      fits |= whom.signature == signature && (whom.flags & 1u << platform) != 0;
    }
    if (update.fault == MicrocodeFault::kNone && fits && update.revision > best) {
      best = update.revision;
      chosen = i;
    }
  }
  return chosen;
}

} // namespace kiln::worlds
