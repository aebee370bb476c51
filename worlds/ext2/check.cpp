#include "worlds/ext2/check.h"

#include "worlds/ext2/checker_state.h"

namespace kiln::worlds::ext2 {

namespace {
Witness witness_of_all;
} // namespace

void set_witness(Witness witness) { witness_of_all = witness; }

uint32_t BitSet::count(size_t from, size_t count) const {
  uint32_t set = 0;
  size_t bit = from;
  const size_t end = from + count;
  while (bit < end) {
    const size_t in_word = 64 - bit % 64;
    const size_t take = end - bit < in_word ? end - bit : in_word;
    uint64_t word = words_[bit / 64] >> (bit % 64);
    if (take < 64) word &= (uint64_t{1} << take) - 1;
    set += static_cast<uint32_t>(__builtin_popcountll(word));
    bit += take;
  }
  return set;
}

bool Verdict::within_cut(const ProblemSet& also) const {
  return kinds_.within(problems_of(Gravity::kCount) | problems_of(Gravity::kLeak) | also);
}

bool Verdict::double_use() const {
  const ProblemSet& bad = problems_of(Gravity::kDoubleUse);
  return ((kinds_.words[0] & bad.words[0]) | (kinds_.words[1] & bad.words[1])) != 0;
}

void Verdict::add(const Found& found) {
  kinds_.add(found.problem);
  if (kept_ < kMostFound) found_[kept_++] = found;
  ++total_;
}

std::string Verdict::words() const {
  if (sound()) return "sound";
  std::string text;
  for (const Found& problem : found()) {
    if (!text.empty()) text += '\n';
    text += describe(problem);
  }
  if (total_ > kept_) text += "\nand " + std::to_string(total_ - kept_) + " more";
  return text;
}

const uint8_t* CheckerState::block(uint32_t number, Slot slot) {
  const uint8_t* bytes =
      image->at(uint64_t{number} << layout.block_shift, layout.block_bytes,
                scratch.get() + size_t{scratch_bytes} * static_cast<size_t>(slot));
  if (bytes == nullptr) found({.problem = Problem::kUnreadable, .block = number});
  return bytes;
}

/// Room for what the layout says.
void CheckerState::grow() {
  if (scratch_bytes < layout.block_bytes) {
    scratch_bytes = layout.block_bytes;
    scratch = std::make_unique_for_overwrite<uint8_t[]>(size_t{scratch_bytes} * kSlots);
  }
  const size_t group_bits = size_t{layout.groups} * layout.blocks_per_group;
  used_blocks.clear(group_bits);
  metadata.clear(group_bits);
  owners.reserve(group_bits);
  used_inodes.clear(layout.inodes);
  types.reserve(size_t{layout.inodes} + 1);
  names.reserve(size_t{layout.inodes} + 1);
  parents.reserve(size_t{layout.inodes} + 1);
  dotdots.reserve(size_t{layout.inodes} + 1);
  inodes_in_use.clear();
  directories.clear();
  directory_blocks.clear();
  shared_attributes.clear();
  groups.clear();
}

void CheckerState::judge(const ImageView& view) {
  image = &view;
  verdict.clear();
  if (!read_super() || !read_groups()) return;
  scan_inodes();
  read_directories();
  tree();
  links();
  bitmaps();
}

Checker::Checker(uint32_t now) : state_(std::make_unique<CheckerState>()) { state_->now = now; }
Checker::~Checker() = default;

const Verdict& Checker::check(const ImageView& image) {
  state_->judge(image);
  if (witness_of_all != nullptr) witness_of_all(image, state_->verdict);
  return state_->verdict;
}

Verdict check(const ImageView& image) {
  Checker checker;
  return checker.check(image);
}

} // namespace kiln::worlds::ext2
