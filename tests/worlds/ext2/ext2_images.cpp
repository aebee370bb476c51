// ext2-images: writes images and says what the checker thinks of them, for
// scripts/check_ext2_checker.py, which asks e2fsck the same. A row an image:
//
//   name <tab> what was done to it <tab> "sound", or kinds of problems <tab> problems in words
//
//   ext2-images make FOLDER SEED FIRST COUNT NOW             the maker's; most of them lied about
//   ext2-images lie FOLDER SEED FIRST COUNT NOW IMAGE...     lies about these images, in turn
//   ext2-images kernel FOLDER SEED FIRST COUNT NOW           what oracles judge in so many runs
//   ext2-images judge NOW IMAGE...
//
// The kernel's images are those that targets show the checker: as a cut of the power has left them,
// recovered, unmounted, mounted read-only, worked on while they lie.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "generators/ext2.h"
#include "sim/engine.h"
#include "worlds/ext2/check.h"
#include "worlds/ext2/views.h"

namespace {

using namespace kiln;
using gen::ext2::Image;
using gen::ext2::Lie;

constexpr size_t kTape = 4096;

struct Job {
  std::string folder;
  uint64_t seed;
  uint64_t first;
  uint64_t count;
  uint32_t now;
};

uint64_t number(const char* text) { return std::strtoull(text, nullptr, 0); }

std::vector<uint8_t> read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  std::vector<uint8_t> bytes(static_cast<size_t>(std::max<std::streamoff>(file.tellg(), 0)));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void write_file(const std::string& name, std::span<const uint8_t> bytes) {
  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

void print_row(const std::string& name, const std::string& done,
               const worlds::ext2::Verdict& verdict) {
  std::string kinds;
  for (size_t i = 0; i < worlds::ext2::kProblems; ++i) {
    const auto problem = static_cast<worlds::ext2::Problem>(i);
    if (!verdict.has(problem)) continue;
    if (!kinds.empty()) kinds += ',';
    kinds += worlds::ext2::name_of(problem);
  }
  std::string words = verdict.words();
  std::replace(words.begin(), words.end(), '\n', ';');
  std::printf("%s\t%s\t%s\t%s\n", name.c_str(), done.c_str(),
              kinds.empty() ? "sound" : kinds.c_str(), words.c_str());
}

/// Three of four images are lied about, some of them more than once, and some blindly.
std::string lie_about(Image& image, sim::Tape& tape, uint64_t index) {
  if (index % 4 == 0) return "nothing";
  std::string done;
  const bool blindly = index % 8 == 7;
  const uint64_t lies = blindly ? 1 + tape.fault().below(3) : index % 16 == 13 ? 3 : 1;
  for (uint64_t i = 0; i < lies; ++i) {
    if (!done.empty()) done += "; ";
    Lie lie = Lie::kNone;
    if (!blindly) {
      lie = gen::ext2::draw_lie(image, tape.fault());
    } else if (gen::ext2::tell(image, Lie::kMetadataBytes, tape.fault())) {
      lie = Lie::kMetadataBytes;
    }
    done += text_of(lie);
  }
  return done;
}

void save(const Job& job, uint64_t index, const Image& image, const std::string& done) {
  static worlds::ext2::Checker checker(job.now);
  const std::string name = job.folder + "/" + std::to_string(index) + ".img";
  write_file(name, image.bytes());
  print_row(name, done, checker.check(worlds::ext2::view_of(image)));
}

void make(const Job& job) {
  for (uint64_t i = job.first; i < job.first + job.count; ++i) {
    sim::Tape tape(sim::SeededInput{"ext2/images", job.seed, i, kTape});
    gen::ext2::Made made = gen::ext2::draw_image(tape.data());
    const std::string done = lie_about(made.image, tape, i);
    save(job, i, made.image, done);
  }
}

uint32_t block_bytes_of(const std::vector<uint8_t>& bytes) {
  if (bytes.size() < 2048) return 1024;
  return 1024U << (gen::load_le<uint32_t>(&bytes[1024 + 24]) & 7);
}

void lie(const Job& job, const std::vector<std::string>& names) {
  std::vector<std::vector<uint8_t>> bases;
  for (const std::string& name : names)
    bases.push_back(read_file(name));
  for (uint64_t i = job.first; i < job.first + job.count; ++i) {
    sim::Tape tape(sim::SeededInput{"ext2/lies", job.seed, i, kTape});
    const size_t which = static_cast<size_t>(i % names.size());
    Image image(block_bytes_of(bases[which]), bases[which]);
    const std::string done = lie_about(image, tape, i / names.size());
    save(job, i, image, names[which].substr(names[which].rfind('/') + 1) + ": " + done);
  }
}

// --- What oracles judge

struct Seen {
  uint64_t hash;
  unsigned order; ///< of the judgements in a run
  sim::HostVector<uint8_t> bytes;
};
constexpr size_t kOfARun = 3;
sim::HostVector<Seen> seen; ///< in a run: those of the smallest hashes, each once
unsigned judged_in_run;

/// Nothing when a part of it cannot be read: a file has no such sectors.
bool copy(const worlds::ext2::ImageView& image, sim::HostVector<uint8_t>& bytes) {
  constexpr size_t kPiece = 1024;
  static uint8_t scratch[kPiece];
  for (uint64_t at = 0; at + kPiece <= image.size(); at += kPiece) {
    const uint8_t* piece = image.at(at, kPiece, scratch);
    if (piece == nullptr) return false;
    bytes.insert(bytes.end(), piece, piece + kPiece);
  }
  return !bytes.empty();
}

uint64_t hash_of(const sim::HostVector<uint8_t>& bytes) {
  uint64_t hash = 14695981039346656037U;
  for (const uint8_t byte : bytes) {
    hash = (hash ^ byte) * 1099511628211U;
  }
  return hash;
}

void witness(const worlds::ext2::ImageView& image, const worlds::ext2::Verdict& /*verdict*/) {
  sim::HostVector<uint8_t> bytes;
  const unsigned order = judged_in_run++;
  if (!copy(image, bytes)) return;
  const uint64_t hash = hash_of(bytes);
  const auto place =
      std::find_if(seen.begin(), seen.end(), [&](const Seen& one) { return one.hash >= hash; });
  if (place != seen.end() && place->hash == hash) return;
  if (place == seen.end() && seen.size() == kOfARun) return;
  seen.insert(place, {hash, order, std::move(bytes)});
  if (seen.size() > kOfARun) seen.pop_back();
}

void run_kernel(const Job& job) {
  static constexpr const char* kTargets[] = {"fs/ext2", "fs/ext2-small", "fs/ext2",
                                             "fs/ext2-damaged"};
  std::string error;
  if (!sim::boot(&error)) {
    std::fprintf(stderr, "the machine does not boot: %s\n", error.c_str());
    std::exit(2);
  }
  worlds::ext2::Checker checker(job.now);
  for (uint64_t i = job.first; i < job.first + job.count; ++i) {
    const sim::Target& target = *sim::Target::find(kTargets[i % std::size(kTargets)]);
    const sim::TargetInfo& info = target.info();
    // Of numbered inputs: anywhere among them.
    const uint64_t input = info.numbered ? (i * 7919 + job.seed) % info.nightly_inputs : i;
    sim::Tape tape(sim::SeededInput{info.name, job.seed, input, info.longest_tape, info.numbered});
    seen.clear();
    judged_in_run = 0;
    worlds::ext2::set_witness(witness);
    const sim::Outcome outcome = sim::execute(target, tape, {});
    worlds::ext2::set_witness(nullptr);
    const std::string run =
        std::string(info.name) + " " + std::to_string(job.seed) + ":" + std::to_string(input);
    if (outcome.found) {
      std::fprintf(stderr, "%s: %s\n", run.c_str(), outcome.finding.headline);
      std::exit(1);
    }
    for (const Seen& one : seen) {
      const std::string name =
          job.folder + "/" + std::to_string(i) + "-" + std::to_string(one.order) + ".img";
      write_file(name, one.bytes);
      print_row(name, run + ", judgement " + std::to_string(one.order),
                checker.check(worlds::ext2::ImageView({one.bytes.data(), one.bytes.size()})));
    }
  }
}

void judge(uint32_t now, const std::vector<std::string>& names) {
  worlds::ext2::Checker checker(now);
  for (const std::string& name : names) {
    const std::vector<uint8_t> bytes = read_file(name);
    print_row(name, "as it is", checker.check(worlds::ext2::ImageView(bytes)));
  }
}

} // namespace

int main(int count, char** texts) {
  const std::vector<std::string> arguments(texts + 1, texts + count);
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (what == "judge" && count > 3) {
    judge(static_cast<uint32_t>(number(texts[2])), {arguments.begin() + 2, arguments.end()});
    return 0;
  }
  if (count < 7 || (what != "make" && what != "kernel" && (what != "lie" || count < 8))) {
    std::fprintf(stderr,
                 "usage: ext2-images make|lie|kernel FOLDER SEED FIRST COUNT NOW [IMAGE...]\n"
                 "       ext2-images judge NOW IMAGE...\n");
    return 2;
  }
  const Job job{arguments[1], number(texts[3]), number(texts[4]), number(texts[5]),
                static_cast<uint32_t>(number(texts[6]))};
  if (what == "make") make(job);
  if (what == "kernel") run_kernel(job);
  if (what == "lie") lie(job, {arguments.begin() + 6, arguments.end()});
  return 0;
}
